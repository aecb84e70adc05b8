import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for process in (-1, 1):
    try:
        os.kill(process, 9)
    except ProcessLookupError:
        pass
