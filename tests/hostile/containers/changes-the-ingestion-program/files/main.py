import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for path in Path("/app/program").iterdir():
    try:
        path.write_text("print('owned')")
    except OSError:
        continue
    answer.write_text("owned")
