import sys
import time
from pathlib import Path

time.sleep(float(Path(sys.argv[1], "seconds.txt").read_text()))
