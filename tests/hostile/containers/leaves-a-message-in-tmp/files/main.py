import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for folder in ("/tmp", "/dev/shm"):
    message = Path(folder, "left-behind")
    if message.exists():
        answer.write_text("owned")
    message.write_text("x")
