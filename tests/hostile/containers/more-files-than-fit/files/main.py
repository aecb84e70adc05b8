import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for number in range(30_000):
    Path(sys.argv[2], str(number)).touch()
