import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
total = 0
for folder in ("/dev/shm", "/tmp"):
    try:
        with open(f"{folder}/large", "wb") as file:
            for _ in range(512):
                total += file.write(bytes(2**20))
                file.flush()
    except OSError:
        pass
if total > 2**28:
    answer.write_text("owned")
