import sys
from pathlib import Path

answer = Path(sys.argv[2], "answer.txt")
answer.write_text("tried")
answer.unlink()
answer.symlink_to("/app/input/ref/answer.txt")
