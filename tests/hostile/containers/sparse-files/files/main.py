import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for number in range(300):
    with open(f"{answer}.{number}", "wb") as file:
        file.truncate(2**22)
