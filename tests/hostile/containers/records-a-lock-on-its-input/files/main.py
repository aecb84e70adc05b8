"""Locks records of what can be read, and asks who else does."""

import fcntl
import os
import struct
import sys
import time
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
folders = [Path("/app/program"), Path("/app/ingested_program"), Path(sys.argv[1])]
files = [
    os.open(path, os.O_RDONLY) for folder in folders for path in folder.rglob("*") if path.is_file()
]
WHOLE = (0, 0, 0, 0)
end = time.monotonic() + 2.5
while time.monotonic() < end:
    for file in files:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        question = struct.pack("hhqqi", fcntl.F_WRLCK, *WHOLE)
        kind, *_ = struct.unpack("hhqqi", fcntl.fcntl(file, fcntl.F_GETLK, question))
        if kind != fcntl.F_UNLCK:
            answer.write_text("owned")
    time.sleep(0.05)
