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
    if libc.syscall(321, 0, bytes(128), 128) < 0:
        raise OSError(ctypes.get_errno())
except OSError:
    pass
else:
    answer.write_text("owned")
