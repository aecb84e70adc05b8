import os
import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
os.utime(answer, (-(2**31), -(2**31)))
late = Path(sys.argv[2], "late.txt")
late.write_text("x")
os.utime(late, (2**33, 2**33))
