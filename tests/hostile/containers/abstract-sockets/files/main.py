import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
if "@" in Path("/proc/net/unix").read_text():
    answer.write_text("owned")
