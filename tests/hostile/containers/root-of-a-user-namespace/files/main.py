import ctypes
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
libc = ctypes.CDLL(None, use_errno=True)
try:
    if libc.unshare(0x10000000):
        raise OSError(ctypes.get_errno())
except OSError:
    pass
else:
    answer.write_text("owned")
