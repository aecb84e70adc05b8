import ctypes
import platform
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
libc = ctypes.CDLL(None, use_errno=True)
if platform.machine() != "x86_64":
    sys.exit()
try:
    if libc.syscall(248, b"user", b"owned", b"x", 1, -4) < 0:
        raise OSError(ctypes.get_errno())
except OSError:
    pass
else:
    answer.write_text("owned")
