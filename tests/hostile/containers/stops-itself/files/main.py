import os
import signal
import sys
import time
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
os.kill(os.getpid(), signal.SIGSTOP)
time.sleep(60)
