"""``leaderboard --format in-toto``: a statement a line, without a signature.

The predicate is *eval-result* 0.2, which is proposed and not yet one of in-toto's: so its type is
the proposal's. It knows verdicts and no scores. Each threshold is therefore the score itself.
"""

import hashlib
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import msgspec

from evaluator import __version__
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.openformats.results import EvaluatedRow, evaluated_rows

PREDICATE = "https://b7n0de.com/attestation/eval-result/v0.2"
_DATA = ("input_data", "reference_data")


def to_in_toto(board: PublicBoard) -> str:
    lines = (msgspec.json.encode(_statement(board, row)) for row in evaluated_rows(board))
    return b"".join(line + b"\n" for line in lines).decode()


def _statement(board: PublicBoard, evaluated: EvaluatedRow) -> dict[str, Any]:
    submission = evaluated.row.submission
    parts = [one.keys.parts for one in evaluated.records]
    files = {"sha256": evaluated.records[0].provenance.submission_tree}
    suite = _digest(
        {key: part for key, part in one.items() if key != "submission"} for one in parts
    )
    data = _digest({key: one.get(key, "") for key in _DATA} for one in parts)
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": submission.path, "digest": files}],
        "predicateType": PREDICATE,
        "predicate": {
            "evaluator": {"id": f"pkg:pypi/pullbench@{__version__}"},
            "evaluatedAt": evaluated.end.isoformat(),
            "suite": {
                "name": f"{board.benchmark.name}/{board.phase.slug}, thresholds are scores",
                "version": f"sha256:{suite}",
            },
            "sampleSize": len(evaluated.records),
            "subjectProfile": "public-model",
            "model": {"name": evaluated.name, "digest": files},
            "dataset": {"name": board.benchmark.name, "digest": {"sha256": data}},
            "claims": [
                {
                    "metric": column.key, "comparator": "<=" if column.sorting == "asc" else ">=",
                    "threshold": f"{Decimal(repr(evaluated.row.overall[column.key])):f}",
                    "passed": True,
                }
                for column in evaluated.columns
            ],
        },
    }  # fmt: skip


def _digest(parts: Iterable[dict[str, str]]) -> str:
    content = msgspec.json.encode([*parts], order="sorted")
    return hashlib.sha256(content).hexdigest()
