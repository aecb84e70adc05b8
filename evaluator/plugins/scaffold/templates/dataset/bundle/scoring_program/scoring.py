"""Train one algorithm of the organiser's on a submitted data set, and test it.

Usage: scoring.py INPUT OUTPUT, where INPUT holds ref/model.py (the algorithm) and res/ (the data
set, which the check has accepted).
"""

import json
import sys
from pathlib import Path

from points import read


def main(input_dir: Path, output_dir: Path) -> None:
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(input_dir / "ref"))
    from model import Model

    faults: list[str] = []
    train, test = (read(input_dir / "res" / name, faults) for name in ("train.csv", "test.csv"))
    if faults:
        sys.exit("\n".join(faults))
    model = Model()
    model.fit([(x, y) for x, y, _ in train], [label for *_, label in train])
    true = [label for *_, label in test]
    predicted = model.predict([(x, y) for x, y, _ in test])
    wrong = sum(found != label for found, label in zip(predicted, true, strict=True))
    (output_dir / "scores.json").write_text(json.dumps({"error": wrong / len(true)}) + "\n")


main(*map(Path, sys.argv[1:3]))
