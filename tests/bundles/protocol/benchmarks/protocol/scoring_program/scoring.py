"""Scores a value; the page that it writes is the submission's, where there is one."""

import json
import sys
from pathlib import Path

source, output, words = sys.argv[1:]
value = int((Path(source) / "value.txt").read_text())
extra = {"words": len(words.split()), "nested": {"mean": [1, 2]}, "text": "x", "nan": float("nan")}
metadata = Path(source) / "metadata"
if metadata.exists():
    lines = dict(line.split(": ") for line in metadata.read_text().splitlines())
    extra |= {key: float(text) for key, text in lines.items()}
(Path(output) / "scores.json").write_text(json.dumps({"value": value, **extra}))
if value == 5:
    Path(output, "large.html").write_bytes(bytes(5 * 2**20))
elif value == 6:
    Path(output, "linked.html").symlink_to("/etc/hostname")
else:
    Path(output, "detailed_results.html").write_text(f"<script>alert({value})</script>")
    Path(output, "other.html").touch()
