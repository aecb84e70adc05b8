import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for path in (
    "/sys/fs/cgroup/release_agent",
    "/sys/fs/cgroup/rdma/release_agent",
    "/sys/fs/cgroup/memory/release_agent",
):
    try:
        Path(path).write_text("/tmp/owned")
    except OSError:
        continue
    answer.write_text("owned")
