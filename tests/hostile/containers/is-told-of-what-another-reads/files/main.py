"""Watches for a while, and reads for a while, by turns; its own reading is not watched."""

import ctypes
import os
import random
import sys
import time
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
folders = [Path("/app/program"), Path("/app/ingested_program"), Path(sys.argv[1])]
files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
library = ctypes.CDLL(None)
OPEN, NONBLOCK = 0x20, os.O_NONBLOCK
end = time.monotonic() + 2.5
while time.monotonic() < end:
    if random.random() < 0.5:
        events = library.inotify_init1(NONBLOCK)
        for folder in folders:
            library.inotify_add_watch(events, str(folder).encode(), OPEN)
        time.sleep(0.2)
        try:
            if os.read(events, 4096):
                answer.write_text("owned")
        except BlockingIOError:
            pass
        os.close(events)
    else:
        until = time.monotonic() + 0.2
        while time.monotonic() < until:
            for file in files:
                file.read_bytes()
