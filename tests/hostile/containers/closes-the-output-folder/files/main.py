import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
try:
    os.chmod(sys.argv[2], 0)
except OSError:
    pass
