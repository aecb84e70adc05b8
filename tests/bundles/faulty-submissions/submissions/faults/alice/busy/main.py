"""Takes half a second of CPU time and 64 MiB of memory."""

import sys
import time
from pathlib import Path

block = b"x" * (64 * 2**20)
while time.process_time() < 0.5:
    pass
Path(sys.argv[2], "size.txt").write_text(str(len(block)))
