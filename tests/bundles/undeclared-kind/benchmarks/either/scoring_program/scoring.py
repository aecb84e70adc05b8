import json
import sys
from pathlib import Path

source, target = map(Path, sys.argv[1:3])
true = (source / "ref" / "answer.txt").read_text()
given = (source / "res" / "answer.txt").read_text()
(target / "scores.json").write_text(json.dumps({"score": float(given == true)}))
