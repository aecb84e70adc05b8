import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
try:
    Path(__file__).write_text("print('owned')")
except OSError:
    pass
else:
    answer.write_text("owned")
