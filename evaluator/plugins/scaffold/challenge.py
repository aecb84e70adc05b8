"""``pullbench init --template challenge``: from a table of labels to a closed challenge.

Participants see the rows without labels. There are two halves of labels, each encrypted to its own
key: the first scores entries until the end, the second counts after it.
"""

import csv
import datetime as dt
import io
import secrets
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.importing.csv_tables import read_table
from evaluator.importing.files import Files, pack, read_template
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import encrypt, make_keys
from evaluator.plugins.scaffold.benchmark import CHALLENGE, METRICS, TEMPLATES
from evaluator.plugins.scaffold.private_folder import filled, write_private

HALVES = ("public", "final")
_OF_CLASSES = ("accuracy", "balanced_accuracy", "f1_macro")
_DAYS = 28
MIN_ROWS = 20


@dataclass(frozen=True, kw_only=True)
class Labels:
    """A table with the answers."""

    rows: list[dict[str, str]]
    id: str
    target: str
    metric: str

    @property
    def baseline(self) -> str:
        """What predicts without knowing the rows: the commonest class, or the median."""
        values = [row[self.target] for row in self.rows]
        if self.metric in _OF_CLASSES:
            return Counter(values).most_common(1)[0][0]
        return f"{median(map(float, values)):g}"


def read_labels(path: Path, id_column: str, target: str, metric: str) -> Labels:
    """Read a CSV. Raises UsageError for one that makes no challenge."""
    rows = read_table(path, {id_column: "--id", target: "--target"}, key=id_column)
    if len(rows) < MIN_ROWS:
        raise UsageError(
            f"{path} has {len(rows)} rows; two halves of fewer than {MIN_ROWS} say little"
        )
    try:
        if metric not in _OF_CLASSES:
            [float(row[target]) for row in rows]
    except ValueError as error:
        raise UsageError(f"{path} has a {target} that {metric} cannot compare: {error}") from None
    return Labels(rows=rows, id=id_column, target=target, metric=metric)


def begin_challenge(labels: Labels, title: str, private: Path) -> tuple[Files, Files]:
    """The bundle and a first submission; what is secret goes to a new folder outside of git.

    Raises UsageError where the folder is there.
    """
    rows = [*labels.rows]
    secrets.SystemRandom().shuffle(rows)  # nobody can tell the half of a row by its place
    middle, today = len(rows) // 2, dt.datetime.now(dt.UTC).date()
    pairs = {name: make_keys() for name in HALVES}
    bundle = read_template(TEMPLATES / CHALLENGE / "files")
    values = {
        "@ID@": labels.id, "@TARGET@": labels.target, "@METRIC@": labels.metric,
        "@SORTING@": METRICS[labels.metric], "@ROWS@": len(rows), "@HALF@": middle,
        "@TYPE@": "string" if labels.metric in _OF_CLASSES else "number",
        "@KEY@": pairs[HALVES[0]][0], "@START@": f"{today}",
        "@END@": f"{today + dt.timedelta(days=_DAYS)}",
    }  # fmt: skip
    if labels.metric not in _OF_CLASSES:  # its scores are not between 0 and 1
        content, executable = bundle[FILE_NAME]
        lines = [one for one in content.splitlines(keepends=True) if b" ladder: " not in one]
        bundle[FILE_NAME] = (b"".join(lines), executable)
    secret_files = {
        "labels.csv": (_table(labels.rows, [*labels.rows[0]]), False),
        "keys.txt": ("".join(
            f"{name}: public {public}\n{name}: secret {secret}\n"
            for name, (public, secret) in pairs.items()
        ).encode(), False),
    }  # fmt: skip
    for name, half in zip(HALVES, (rows[:middle], rows[middle:]), strict=True):
        half.sort(key=lambda row: row[labels.id])
        secret_files[f"{name}/labels.csv"] = (_table(half, [labels.id, labels.target]), False)
    write_private(private, secret_files)
    for name, (public, _) in pairs.items():
        bundle[f"{name}.age"] = (encrypt(pack(private / name), [public]), False)
        values[f"@{name.upper()}@"] = content_digest(private / name)
    shown = [name for name in labels.rows[0] if name != labels.target]
    bundle["starting_kit/rows.csv"] = (_table(labels.rows, shown), False)
    guess = [{labels.id: row[labels.id], labels.target: labels.baseline} for row in labels.rows]
    submission: Files = {
        "submission.yaml": (b"kind: results\nphase: public\n", False),
        "predictions.csv": (_table(guess, [labels.id, labels.target]), False),
    }  # fmt: skip
    for path, file in submission.items():
        bundle[f"starting_kit/sample_submission/{path}"] = file
    return filled(bundle, values, title), submission


def _table(rows: list[dict[str, str]], columns: list[str]) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue().encode()
