import os
import sys
from pathlib import Path

predicted = Path(sys.argv[1], "repeat.txt").read_text()
assert predicted == os.environ["PULLBENCH_REPEAT"]
Path(sys.argv[2], "scores.json").write_text(f'{{"score": {predicted}}}')
