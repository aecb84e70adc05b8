import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
answer.write_bytes(bytes(2**20))
for number in range(2000):
    os.link(answer, f"{answer}.{number}")
