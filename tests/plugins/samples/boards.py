"""Boards whose rows have samples."""

import json
from collections.abc import Mapping, Sequence

import numpy as np

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Attachment
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.plugins.samples.format import pack_samples
from tests.records import cells_of, record_of
from tests.repository import Repository

COMPETITION = "benchmarks/protocol/competition.yaml"


def make_board(
    repo: Repository,
    outcomes: Mapping[str, Sequence[float]],
    *,
    value: float | None = None,
    text: str = "",
) -> PublicBoard:
    """Return a board whose rows have these samples, and their mean or another value.

    ``outcomes`` are those of a participant, or of ``PARTICIPANT/TASK/REPEAT``.
    """
    texts = {"texts": {"prediction": text}} if text else {}
    names = dict.fromkeys(key.partition("/")[0] for key in outcomes)
    for name in names:
        folder = f"submissions/protocol/{name}/one"
        repo.write(f"{folder}/submission.yaml", "kind: results\n")
        repo.write(f"{folder}/value.txt", f"{name}\n")
    repo.commit("Enter")
    cells = [cell for cell in cells_of(repo).values() if cell.id.participant in names]
    for cell in cells:
        name = cell.id.participant
        values = outcomes.get(f"{name}/{cell.id.task}/{cell.id.repeat or 0}") or outcomes[name]
        lines = (
            json.dumps({"id": f"{place:05}", "scores": {"value": one}} | texts)
            for place, one in enumerate(values)
        )
        kept = pack_samples("\n".join(lines).encode(), ["value"])
        record = record_of(
            cell, scores={"value": float(np.mean(values)) if value is None else value},
            attachments={"samples.jsonl.gz": Attachment.of(kept)},
        )  # fmt: skip
        repo.write(record.cell.attachment_path("samples.jsonl.gz"), kept)
        repo.put(record)
    repo.commit("Scores")
    now = utc_now()
    return publish(leaderboard(repo.snapshot(), "protocol", phase=None, task=None, now=now))
