import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
try:
    os.setuid(0)
except OSError:
    pass
else:
    answer.write_text("owned")
