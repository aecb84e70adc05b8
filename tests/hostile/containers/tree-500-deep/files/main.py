import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
os.chdir(sys.argv[2])
for _ in range(500):
    os.mkdir("deep")
    os.chdir("deep")
