import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
for path in (Path(sys.argv[1]) / "number.txt", Path(sys.argv[1]) / "new.txt"):
    try:
        path.write_text("0 x")
    except OSError:
        continue
    answer.write_text("owned")
