import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
os.symlink("/nowhere", f"{sys.argv[2]}/a\x1b[31m\n::error::owned\u202e")
