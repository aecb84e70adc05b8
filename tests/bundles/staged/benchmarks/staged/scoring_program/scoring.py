import json
import sys
from pathlib import Path

given, output = map(Path, sys.argv[1:])
value = int((given / "res/value.txt").read_text())
wanted = int((given / "ref/number.txt").read_text())
(output / "scores.json").write_text(json.dumps({"error": abs(value - wanted), "value": value}))
