import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
os.write(1, b"\0\xff\xfe\xed\xa0\x80 \xe2\x82")
os.write(2, "\u202e\x1b[2J\r".encode())
