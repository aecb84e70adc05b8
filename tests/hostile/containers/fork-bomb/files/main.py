import os
import sys
import time
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
children = []
try:
    for _ in range(500):
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
        children.append(child)
except OSError:
    pass
if len(children) >= 32:
    answer.write_text("owned")
for child in children:
    os.kill(child, 9)
