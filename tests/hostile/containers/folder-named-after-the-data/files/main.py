import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
secret = next(Path(sys.argv[1]).iterdir()).read_text().split()[1]
os.mkdir(answer.with_name(secret), 0)
os.mkdir(answer.with_name(secret.encode().hex()), 0)
