import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
words = [b"-".join([b"CANARY", kind]) for kind in (b"REFERENCE", b"NEIGHBOUR")]
for parent, folders, files in os.walk("/"):
    folders[:] = [
        name for name in folders if f"{parent}/{name}" not in ("//proc", "//sys", "//usr", "//lib")
    ]
    for name in files:
        path = Path(parent, name)
        try:
            if not path.is_file() or path.stat().st_size > 2**16 or "site-packages" in parent:
                continue
            if any(word in path.read_bytes() for word in words):
                answer.write_text("owned")
        except OSError:
            continue
