import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
Path(os.fsdecode(os.fsencode(sys.argv[2]) + b"/\xff\xfe")).write_text("x")
