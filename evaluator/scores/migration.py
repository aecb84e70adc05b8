"""``python -m evaluator.scores.migration``: records of version 1 -> scores files, in place.

Scores, keys and provenance stay what they are. What cannot be read stays where it is.
"""

import sys
from pathlib import Path

from evaluator.formats.cell import Place, cell_of_part
from evaluator.formats.logs_file import encode_logs, logs_of
from evaluator.formats.record import Record
from evaluator.formats.record_lines import file_of
from evaluator.formats.scores_file import encode
from evaluator.formats.version_1 import read_version_1
from evaluator.log import complain, say


def migrate(root: Path) -> int:
    """Rewrite the records below ``submissions/`` of a folder; returns how many there were."""
    records: dict[Place, list[Record]] = {}
    files: dict[Place, list[Path]] = {}
    for file in sorted(root.glob("submissions/*/*/*/scores/*/*.json")):
        path = file.relative_to(root).as_posix()
        cell, record = cell_of_part(path), read_version_1(file.read_bytes())
        if cell is None or record is None or record.cell != cell:
            complain(f"{path} is no record of version 1")
            continue
        records.setdefault(cell.place, []).append(record)
        files.setdefault(cell.place, []).append(file)
    for place, place_records in records.items():
        any_cell = place.cell("")
        (root / any_cell.scores_path).write_bytes(encode(file_of(place_records)))
        logs = encode_logs({record.cell.file_stem: logs_of(record) for record in place_records})
        if logs is not None:
            (root / any_cell.logs_path).write_bytes(logs)
        for file in files[place]:
            file.unlink()
            if not any(file.parent.iterdir()):
                file.parent.rmdir()
    return sum(map(len, records.values()))


if __name__ == "__main__":
    say(f"{migrate(Path(sys.argv[1] if len(sys.argv) > 1 else '.'))} records are in scores files")
