"""A board as data for programs: JSON."""

from collections.abc import Iterator

import msgspec

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import check_claim, fact, fact_columns, goal_lines
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import TaskResult
from evaluator.site.exports.board_json_form import (
    BoardData,
    DifficultyData,
    RowData,
    TaskData,
)
from evaluator.site.leaderboard.ablation import effect_data, stage_data
from evaluator.site.leaderboard.comparison import same_predictions
from evaluator.site.leaderboard.difficulty import difficulties

PART_CELLS = 20_000
"""Cells of a part, about."""
_encode = msgspec.json.Encoder(order="sorted").encode


def to_data(board: PublicBoard, top: int | None = None) -> BoardData:
    """Everything on the board that may be published, as plain data.

    With ``top``, so many of the first rows, and nothing of the others.
    """
    rows = _RowMaker(board)
    data = _data(board, [rows.data(row) for row in board.rows[:top]])
    return data if top is None else {**data, "ablation": []}


class _RowMaker:
    """Makes the rows of one board."""

    def __init__(self, board: PublicBoard) -> None:
        self._board = board
        self._equal = same_predictions(board)
        self._facts = fact_columns(board)
        self._claimed = {column.claim for column in board.columns if column.claim}

    def data(self, row: Row) -> RowData:
        submission, standing = row.submission, row.standing
        claims = {
            question: claim
            for question in submission.fact_sheet
            if question in self._claimed
            and (claim := check_claim(row, question, self._board)) is not None
        }
        return {
            "rank": row.rank,
            "participant": submission.participant,
            "submission": submission.name,
            "title": submission.title,
            "submitted": row.submitted,
            "status": row.state,
            "kind": submission.kind_name,
            "retired": submission.retired,
            "source": submission.reported.source if submission.reported else "",
            "fact_sheet": dict(submission.fact_sheet),
            "claims": {
                question: {"column": claim.column.key, "found": claim.found, "agrees": claim.agrees}
                for question, claim in claims.items()
            },
            "same_predictions": list(self._equal.get(submission.id, ())),
            "standing": {"state": standing.state, "reason": standing.reason, "date": standing.date}
            if standing
            else None,
            "facts": {column.key: fact(row, column, self._board) for column in self._facts},
            "overall": dict(row.overall),
            "tasks": {
                slug: _task_data(result, counts=slug in row.counted)
                for slug, result in row.tasks.items()
            },
        }


def _data(board: PublicBoard, rows: list[RowData]) -> BoardData:
    return {
        "benchmark": board.benchmark.name,
        "title": board.benchmark.title,
        "phase": board.phase.slug,
        "commit": board.commit,
        "tasks": [
            {
                "slug": task.slug,
                "name": task.name,
                "dataset": task.origin.id if task.origin else "",
                "retired": task.retired,
                "weight": task.extension.weight,
            }
            for task in board.tasks
        ],
        "columns": [
            {
                "key": column.key,
                "title": column.title,
                "group": column.group,
                "sorting": column.sorting,
                "precision": column.precision,
                "primary": column.key == board.benchmark.leaderboard.primary.key,
                "computation": column.ranks.operation if column.ranks else column.computation,
            }
            for column in board.columns
        ],
        "fact_sheet": [
            {
                "key": question.key,
                "title": question.title,
                "type": board.benchmark.answer_forms.get(question.key, question.type),
            }
            for question in board.benchmark.board_questions
        ],
        "facts": [{"key": column.key, "title": column.title} for column in fact_columns(board)],
        "goals": [
            {
                "column": line.column.key,
                "label": line.label,
                "value": line.value,
                "reached": line.reached,
            }
            for line in goal_lines(board)
        ],
        "rows": rows,
        "difficulty": _difficulty_data(board),
        "stages": stage_data(board),
        "ablation": effect_data(board),
    }


def _difficulty_data(board: PublicBoard) -> list[DifficultyData]:
    return [
        {
            "task": one.task.slug,
            "column": item.column.key,
            "baseline": one.baseline,
            "best": one.best,
            "modelling": one.modelling,
            "intrinsic": one.intrinsic,
        }
        for item in difficulties(board)
        for one in item.tasks
    ]


def _task_data(result: TaskResult, *, counts: bool) -> TaskData:
    error = result.error
    return {
        "status": result.state,
        "counts": counts,
        "scores": result.values,
        "deviations": result.deviations,
        "seconds": result.seconds,
        "peak_memory": result.peak_memory,
        "less": result.less,
        "error": {"actor": error.actor, "reason": error.reason, "message": error.message}
        if error
        else None,
        "earlier": [
            {
                "repeat": repeat,
                "score_key": item.score_key,
                "finished": item.finished,
                "scores": dict(item.scores),
            }
            for repeat, item in result.earlier
        ],
    }


def to_json(board: PublicBoard) -> str:
    """Canonical JSON of ``to_data``: sorted keys, a line for each row, a final newline."""
    return b"".join(json_parts(board)).decode()


def json_parts(board: PublicBoard) -> Iterator[bytes]:
    """Yield ``to_json`` in parts, of which one is in memory at a time.

    Of 200,000 cells it is 57 MB, and as data it would be 300 MB more.
    """
    # Text holds no line ends, so that this can only be the key itself.
    whole = msgspec.json.format(_encode(_data(board, [])), indent=2)
    head, key, tail = whole.partition(b'\n  "rows": [')
    yield head + key
    rows = _RowMaker(board)

    size = max(1, PART_CELLS // max(1, len(board.tasks)))
    for start in range(0, len(board.rows), size):
        texts = (
            (b",\n    " if place else b"\n    ") + _encode(rows.data(row))
            for place, row in enumerate(board.rows[start : start + size], start)
        )
        yield b"".join(texts)
    yield (b"\n  " if board.rows else b"") + tail + b"\n"
