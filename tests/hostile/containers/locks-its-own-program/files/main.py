"""Takes the lock of all that can be read, again and again; a refusal is somebody else's doing."""

import fcntl
import os
import sys
import time
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
folders = [Path("/app/program"), Path("/app/ingested_program"), Path(sys.argv[1])]
paths = {path for folder in folders for path in (folder, *folder.rglob("*"))}
files = [os.open(path, os.O_RDONLY) for path in sorted(paths)]
end = time.monotonic() + 2.5
while time.monotonic() < end:
    for file in files:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            answer.write_text("owned")
    time.sleep(0.05)
