import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
os.chdir(sys.argv[2])
for _ in range(20):
    os.mkdir("n" * 250)
    os.chdir("n" * 250)
with open("large", "wb") as file:
    for _ in range(300):
        file.write(bytes(2**20))
