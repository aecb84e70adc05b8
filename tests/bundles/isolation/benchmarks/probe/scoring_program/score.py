"""Tells what the scoring program can see; its log is the report."""

# ruff: noqa: PTH208

import json
import os
import socket
import sys
from pathlib import Path

predictions, output = map(Path, sys.argv[1:])


def writable(folder):
    try:
        (Path(folder) / "written").write_text("x")
    except OSError:
        return False
    return True


facts = {
    "interfaces": [name for _, name in socket.if_nameindex()],
    "app": sorted(os.listdir("/app")),
    "input": sorted(os.listdir("/app/input")),
    "reference": sorted(os.listdir("/app/input/ref")),
    "predictions": sorted(os.listdir(predictions)),
    "metadata": (predictions / "metadata").read_text(),
    "uid": os.getuid(),
    "writable": [
        name for name in ("/", "/app/program", "/app/input/ref", str(predictions)) if writable(name)
    ],
    "tmp": os.listdir("/tmp"),
}
print(json.dumps(facts))
(output / "scores.json").write_text('{"score": 1}')
