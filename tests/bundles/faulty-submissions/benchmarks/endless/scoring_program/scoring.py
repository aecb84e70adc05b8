"""Takes anything."""

import sys
from pathlib import Path

Path(sys.argv[1], "scores.json").write_text('{"score": 1}')
