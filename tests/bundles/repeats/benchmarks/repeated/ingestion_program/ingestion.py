import os
import sys
from pathlib import Path

Path(sys.argv[1], "repeat.txt").write_text(os.environ["PULLBENCH_REPEAT"])
