import sys
from pathlib import Path

data, output = map(Path, sys.argv[1:])
number, _ = (data / "number.txt").read_text().split()
(output / "answer.txt").write_text(str(2 * int(number)))
