import sys
import time
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
try:
    time.clock_settime(time.CLOCK_REALTIME, 0)
except OSError:
    pass
else:
    answer.write_text("owned")
