"""A board's view.json with the numbers of the files beside it."""

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np


def read_view(folder: Path) -> dict[str, Any]:
    """Return the view with ``overall``, ``scores`` and so on; None where there is no number."""
    view: dict[str, Any] = json.loads((folder / "view.json").read_text(encoding="utf-8"))
    rows = len(view["rows"]["rank"])
    for file in view["numbers"]:
        content = zlib.decompress((folder / file["file"]).read_bytes())
        numbers = np.frombuffer(content, "u1").reshape(8, -1).T.copy().view("<f8").ravel()
        assert numbers[0] == file["stamp"]
        columns = numbers[1:].reshape(len(file["columns"]), file["rows"])
        for about, own in zip(file["columns"], columns, strict=True):
            if file["rows"] < rows:
                continue  # a later file has all of them
            place = view
            *path, last = [about[key] for key in ("of", "column", "task") if about[key] is not None]
            for part in path:
                place = place.setdefault(part, {})
            place[last] = [None if np.isnan(value) else float(value) for value in own]
    return view
