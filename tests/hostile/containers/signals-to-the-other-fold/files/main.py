"""Locks what every process of the machine has; a refusal comes from another container."""

import fcntl
import os
import sys
import time
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
# Of all anonymous objects one is enough: a second one is refused since it is the same inode.
files = [os.eventfd(0), os.open("/proc/self/ns/time", os.O_RDONLY), os.open(__file__, os.O_RDONLY)]
end = time.monotonic() + 2.5
while time.monotonic() < end:
    for file in files:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            answer.write_text("owned")
    time.sleep(0.05)
