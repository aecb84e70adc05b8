import sys
import time
from pathlib import Path

shared = Path(sys.argv[1])
while not (shared / "question").exists():
    time.sleep(0.01)
(shared / "answer.part").write_text(str(7 * int((shared / "question").read_text())))
(shared / "answer.part").replace(shared / "answer")
