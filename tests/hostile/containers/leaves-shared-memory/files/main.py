import ctypes
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
libc = ctypes.CDLL(None)
if libc.shmget(0x6A6F, 0, 0) >= 0 or libc.msgget(0x6A6F, 0) >= 0:
    answer.write_text("owned")
libc.shmget(0x6A6F, 4096, 0o1666)
libc.msgget(0x6A6F, 0o1666)
