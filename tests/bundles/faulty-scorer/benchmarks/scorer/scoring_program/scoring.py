"""Does what the predictions ask for: each is a fault that a scoring program may have."""

import sys
import time
from pathlib import Path

predictions, output = map(Path, sys.argv[1:])
fault = (predictions / "fault.txt").read_text().strip()
scores = output / "scores.json"
texts = {
    "boolean": '{"score": true}',
    "broken-json": '{"score": 1',
    "deep-json": "[" * 100_000,
    "doubled-key": '{"score": 1, "score": 2}',
    "fine": '{"score": 1.5, "other": 2}',
    "huge-number": '{"score": 1e999}',
    "list": "[1]",
    "missing-column": '{"scoer": 1}',
    "nan": '{"score": NaN}',
    "null": '{"score": null}',
    "text": '{"score": "high"}',
}
if fault in texts:
    scores.write_text(texts[fault])
elif fault == "crash":
    raise RuntimeError("the scorer is broken")
elif fault == "folder":
    scores.mkdir()
elif fault == "bad-lines":
    (output / "scores.txt").write_text("score is 1\n")
elif fault == "lines":
    (output / "scores.txt").write_text("# a comment\nscore: 0.25\n")
elif fault == "link":
    scores.symlink_to("/etc/hostname")
elif fault == "rejected":
    (output / "rejected.txt").write_text("row 3 has no label\x1b[31m\nand more\n")
elif fault == "slow":
    time.sleep(60)
elif fault == "large":
    for number in range(8):
        (output / f"{number}.bin").write_bytes(bytes(2**20))
elif fault == "memory":
    block = b"x" * 2**30
