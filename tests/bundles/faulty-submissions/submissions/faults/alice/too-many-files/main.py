import sys
from pathlib import Path

for number in range(25_000):
    Path(sys.argv[2], str(number)).touch()
