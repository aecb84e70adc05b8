import sys
from pathlib import Path

Path(sys.argv[2], "metadata").mkdir()
