import json
import sys
from pathlib import Path

source, output = map(Path, sys.argv[1:])
word = (source / "ref" / "word.txt").read_text().strip()
answers = (source / "res" / "answers.txt").read_text().split()
(output / "scores.json").write_text(json.dumps({"right": answers.count(word[::-1])}))
