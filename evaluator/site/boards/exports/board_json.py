"""A board as JSON: see ``board_schema``."""

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import check_claim, fact, fact_columns, goal_lines
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import STATES
from evaluator.site.boards.ablation import effect_data, stage_data
from evaluator.site.boards.comparison import same_predictions
from evaluator.site.boards.difficulty import difficulties
from evaluator.site.boards.exports.board_schema import (
    BoardData,
    ClaimData,
    ColumnData,
    DifficultyData,
    EarlierData,
    ErrorData,
    FactData,
    GoalData,
    QuestionData,
    RowData,
    StandingData,
    TaskData,
    TaskInfo,
)
from evaluator.site.content.forms import filled
from evaluator.site.content.insight import NO_MARKS, Marks
from evaluator.site.content.lineage import parents

PART_CELLS = 20_000
"""Cells of a part, about."""
_encode = msgspec.json.Encoder(order="sorted").encode


def to_data(board: PublicBoard, top: int | None = None, marks: Marks = NO_MARKS) -> BoardData:
    """All that may be published, or nothing but so many of the first rows."""
    rows = _RowMaker(board, marks)
    data = _data(board, [rows.data(row) for row in board.rows[:top]])
    return data if top is None else {**data, "ablation": []}


class _RowMaker:
    """Makes the rows of one board."""

    def __init__(self, board: PublicBoard, marks: Marks) -> None:
        self._board, self._marks = board, marks
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
                question: filled(ClaimData, claim, column=claim.column.key)
                for question, claim in claims.items()
            },
            "same_predictions": list(self._equal.get(submission.id, ())),
            "based_on": parents(submission),
            "standing": filled(StandingData, standing) if standing else None,
            "proof": self._marks.get(submission.id, ("", ""))[0],
            "facts": {column.key: fact(row, column, self._board) for column in self._facts},
            "overall": dict(row.overall),
            "intervals": dict(row.intervals),
            "tasks": _task_data(row),
        }


def _data(board: PublicBoard, rows: list[RowData]) -> BoardData:
    benchmark = board.benchmark
    return {
        "benchmark": benchmark.name,
        "title": benchmark.title,
        "phase": board.phase.slug,
        "commit": board.commit,
        "tasks": [
            filled(
                TaskInfo,
                task,
                dataset=task.origin.id if task.origin else "",
                weight=task.extension.weight,
            )
            for task in board.tasks
        ],
        "columns": [
            filled(
                ColumnData,
                column,
                primary=column.key == benchmark.leaderboard.primary.key,
                computation=column.ranks.operation if column.ranks else column.computation,
            )
            for column in board.columns
        ],
        "fact_sheet": [
            filled(QuestionData, one, type=benchmark.answer_forms.get(one.key, one.type))
            for one in benchmark.board_questions
        ],
        "facts": [filled(FactData, column) for column in fact_columns(board)],
        "goals": [filled(GoalData, line, column=line.column.key) for line in goal_lines(board)],
        "rows": rows,
        "difficulty": [
            filled(DifficultyData, one, task=one.task.slug, column=item.column.key)
            for item in difficulties(board)
            for one in item.tasks
        ],
        "stages": stage_data(board),
        "ablation": effect_data(board),
    }


def _task_data(row: Row) -> dict[str, TaskData]:
    # Columns of grids and no single places: a board of 200,000 cells asks numpy once for each row.
    table, submission = row.table, row.place
    scores, deviations = (
        {key: grid[:, submission].tolist() for key, grid in grids.items()}
        for grids in (table.values, table.deviations)
    )
    states, seconds, memory = (
        grid[:, submission].tolist() for grid in (table.states, table.seconds, table.memory)
    )
    data: dict[str, TaskData] = {}
    for slug in row.task_slugs:
        task = table.place_of_task[slug]
        error = table.errors.get((task, submission))
        earlier = table.earlier.get((task, submission), ())
        data[slug] = {
            "counts": slug in row.counted,
            "deviations": _numbers(deviations, task),
            "earlier": [filled(EarlierData, one, repeat=repeat) for repeat, one in earlier],
            "error": filled(ErrorData, error) if error else None,
            "less": table.less.get((task, submission), ""),
            "peak_memory": None if math.isnan(memory[task]) else int(memory[task]),
            "scores": _numbers(scores, task),
            "seconds": None if math.isnan(seconds[task]) else seconds[task],
            "status": STATES[states[task]],
        }
    return data


def _numbers(by_key: Mapping[str, Sequence[float]], task: int) -> dict[str, float]:
    return {key: own[task] for key, own in by_key.items() if own[task] == own[task]}  # no NaN


def to_json(board: PublicBoard) -> str:
    """Canonical JSON of ``to_data``: sorted keys, a line for each row, a final newline."""
    return b"".join(json_parts(board)).decode()


def json_parts(board: PublicBoard, marks: Marks = NO_MARKS) -> Iterator[bytes]:
    """Yield ``to_json`` in parts: of 200,000 cells it is 57 MB, as data 300 MB more."""
    # Text holds no line ends, so that this can only be the key itself.
    whole = msgspec.json.format(_encode(_data(board, [])), indent=2)
    head, key, tail = whole.partition(b'\n  "rows": [')
    yield head + key
    rows = _RowMaker(board, marks)
    size = max(1, PART_CELLS // max(1, len(board.tasks)))
    for start in range(0, len(board.rows), size):
        texts = (
            (b",\n    " if place else b"\n    ") + _encode(rows.data(row))
            for place, row in enumerate(board.rows[start : start + size], start)
        )
        yield b"".join(texts)
    yield (b"\n  " if board.rows else b"") + tail + b"\n"
