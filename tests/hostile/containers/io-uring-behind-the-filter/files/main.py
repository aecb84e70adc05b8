import ctypes
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
IO_URING_SETUP = 425
if ctypes.CDLL(None).syscall(IO_URING_SETUP, 4, ctypes.create_string_buffer(120)) >= 0:
    answer.write_text("owned")
