import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for name in ("/dev/mem", "/dev/kmem", "/dev/kmsg", "/dev/sda", "/dev/fuse"):
    try:
        with open(name, "rb") as device:
            device.read(1)
    except OSError:
        continue
    answer.write_text("owned")
try:
    if Path("/proc/kcore").read_bytes():
        answer.write_text("owned")
except OSError:
    pass
