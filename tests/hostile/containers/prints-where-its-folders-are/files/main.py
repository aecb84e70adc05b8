import sys
from pathlib import Path

Path(sys.argv[2], "answer.txt").write_text("tried")
for name in ("cgroup", "mounts", "mountinfo"):
    print(*Path("/proc/self", name).read_text().splitlines()[-9:], sep="\n")
