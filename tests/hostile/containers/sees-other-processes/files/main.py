import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
others = [name for name in os.listdir("/proc") if name.isdecimal() and int(name) != os.getpid()]
if others:
    answer.write_text("owned")
