import ctypes
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
libc = ctypes.CDLL(None, use_errno=True)
try:
    if libc.mount(b"x", b"/tmp", b"tmpfs", 0, None):
        raise OSError(ctypes.get_errno())
except OSError:
    pass
else:
    answer.write_text("owned")
