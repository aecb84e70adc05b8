"""A board as its page's scripts read it: by columns, unrounded and without repetition.

Beside it ``api/v1`` has the same board row by row, for programs. Everything here is published.
"""

import zlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.fact_sheet import Question, answer_text
from evaluator.core.formats.kinds.kind import KINDS
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import (
    check_claim,
    fact,
    fact_columns,
    fact_text,
    goal_lines,
    prediction_seconds,
)
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import STATES, Floats, Table
from evaluator.site.boards import view_schema as schema
from evaluator.site.boards.comparison import detailed_task, row_marks, shown_number
from evaluator.site.boards.facets import board_facets
from evaluator.site.boards.usage import ResourceColumn, near_column, resource_columns
from evaluator.site.boards.view_schema import ByRow, ViewBlock, ViewNumbers, ViewQuestion
from evaluator.site.boards.wording import best_method, bests
from evaluator.site.content.forge import NO_CODE, CodeLinks
from evaluator.site.content.forms import filled
from evaluator.site.content.insight import NO_MARKS, NO_PRICES, Marks, Prices, insight

VIEW_VERSION: Final = 5
STATIC_CELLS = 6000
"""A board of no more cells is whole in its page; what is larger stands there in part."""
FIRST_CELLS = 1000
"""Cells of that part, at least ``FIRST_ROWS`` rows: the page is light, and its first paint fast."""
FIRST_ROWS = 10
_BYTES = "<f8"
Column = tuple[ViewBlock, Floats]
"""What it says of each row, and the numbers; NaN where there is none."""


def view_files(
    board: PublicBoard,
    details: Container[CellId] = frozenset(),
    prices: Prices = NO_PRICES,
    task_boards: Mapping[str, PublicBoard] | None = None,
    code: CodeLinks = NO_CODE,
    vouched: Marks = NO_MARKS,
) -> dict[str, bytes]:
    """Return the files of a published board; ``details`` are cells with detailed results to link.

    ``task_boards`` are those of single tasks, by slug, as far as there are any.

    In ``view.json``, ``rows`` begins with the ``listed`` rows in their order; those that the
    submission rule leaves out follow. Lists over rows are in that order, lists over tasks in the
    order of ``tasks``. The numbers are in files beside it; where there is none, ``failures`` tells
    why.
    """
    rows = (*board.rows, *board.unlisted)
    resources = resource_columns(board, prices)
    files = list(number_files(board, resources))
    concluded = {slug: insight().conclusions(one) for slug, one in (task_boards or {}).items()}
    near = near_column(board)
    best = bests(board)
    primary = board.benchmark.leaderboard.primary.key
    breakers = board.benchmark.leaderboard.sorting_columns[1:]
    transposed = board.benchmark.ranks_datasets
    rules = board.benchmark.leaderboard
    ranking, has_missing = rules.ranking, rules.rule.fills_missing
    questions = _questions(board, rows)
    reasons, failures = _failures(board)
    spans = insight().rank_spans(board)
    data: schema.ViewData = {
        "version": VIEW_VERSION,
        "benchmark": board.benchmark.name,
        "title": board.benchmark.title,
        "phase": board.phase.slug,
        "phase_name": board.phase.name,
        "commit": board.commit,
        "noun": board.benchmark.row_noun,
        "base": board.benchmark.path,
        "aggregate": board.benchmark.leaderboard.aggregate,
        "ranked_by": (rules.ranked_by or rules.primary).key,
        "ranking": {
            "ties": ranking.ties, "missing": ranking.missing if has_missing else None,
            "decimals": ranking.decimals, "among": ranking.among if has_missing else "listed",
        },
        "listed": len(board.rows),
        "tasks": [
            filled(
                schema.ViewTask, task, name=task.heading, weight=task.extension.weight,
                conclusion=concluded.get(task.slug, ""),
            )
            for task in board.tasks
        ],
        "columns": [
            filled(
                schema.ViewColumn, column, primary=column.key == primary,
                breaks_ties=column in breakers, derived=column.derived is not None,
            )
            for column in board.columns
        ],
        "rows": {
            "participant": [row.submission.participant for row in rows],
            "submission": [row.submission.name for row in rows],
            "title": [row.submission.title for row in rows],
            "rank": [row.rank for row in rows],
            "submitted": [row.submitted for row in rows],
            "status": [row.state for row in rows],
            "kind": [row.submission.kind_name for row in rows],
        },
        "reasons": reasons,
        "failures": failures,
        "uncounted": _uncounted(board, rows),
        "best": {
            "overall": {
                key: value for (slug, key), value in best.items()
                if slug is None and key != "coverage" and not transposed
            },
            "tasks": {} if transposed and len(board.tasks) > 1 else {
                column.key: [best.get((task.slug, column.key)) for task in board.tasks]
                for column in board.task_columns
            },
            "methods": {
                column.key: [best_method(row, column) if row.counts else None for row in rows]
                for column in board.task_columns
            } if transposed and len(board.tasks) > 1 else {},
        },
        "questions": _question_data(board, questions),
        "sheet": {
            key: [answer_text(row.submission.fact_sheet.get(key)) for row in rows]
            for key in questions
        },
        "claims": {
            one.key: claims for one in board.benchmark.board_questions
            if (claims := dict(_claims(board, rows, one.key)))
        },
        "facts": [
            filled(
                schema.ViewFact, column, number=column.is_number,
                values=[fact(row, column, board) for row in rows],
                texts=[fact_text(fact(row, column, board)) for row in rows],
            )
            for column in fact_columns(board)
        ],
        "resources": [filled(schema.ViewResource, one) for one in resources],
        "near": near.key if near else None,
        "goals": [
            filled(schema.ViewGoal, line, column=line.column.key) for line in goal_lines(board)
        ],
        "intervals": {
            index: span for index, row in enumerate(rows)
            if row.rank is not None and (span := spans.get(row.submission.id))
        },
        "marks": {
            index: marks for index, row in enumerate(rows)
            if (marks := row_marks(row, board, vouched))
        },
        "aside": [index for index, row in enumerate(rows) if not row.counts],
        "code": {
            "folder": code.folder,
            "rows": [index for index, row in enumerate(rows) if code.has(row.submission)],
        },
        "details": {
            index: slug for index, row in enumerate(rows)
            if details and (slug := detailed_task(row, board, details))
        },
        "numbers": [described for described, _ in files],
    }  # fmt: skip
    packed_files = {described["file"]: content for described, content in files}
    return {"view.json": msgspec.json.encode(data), **packed_files}


Reason = tuple[str, str, str, str]


def _failures(board: PublicBoard) -> tuple[list[Reason], dict[int, dict[int, int]]]:
    reasons: dict[Reason, int] = {}
    failures: dict[int, dict[int, int]] = {}
    for index in range(len(board.tasks)):
        unfinished = np.nonzero(board.table.states[index])[0].tolist()
        some = {
            place: reasons.setdefault(_failure(board.table, index, place), len(reasons))
            for place in unfinished
        }
        if some:
            failures[index] = some
    return list(reasons), failures


def _failure(table: Table, task: int, place: int) -> Reason:
    error = table.errors.get((task, place))
    state = STATES[table.states[task, place]]
    return (state, error.actor, error.reason, error.message) if error else (state, "", "", "")


def _uncounted(board: PublicBoard, rows: Sequence[Row]) -> dict[int, ByRow]:
    slugs = {task.slug for task in board.tasks}
    some = [(place, row) for place, row in enumerate(rows) if not row.counted >= slugs]
    reasons: dict[int, ByRow] = {}
    for index, task in enumerate(board.tasks):
        for place, row in some:
            if task.slug not in row.counted:
                reasons.setdefault(index, {})[place] = _why_uncounted(row, task)
    return reasons


def _why_uncounted(row: Row, task: Task) -> str:
    why = row.submission.retired or task.retired
    return f"Does not count: {why}" if why else "Own data: does not count for this row."


def _questions(board: PublicBoard, rows: Sequence[Row]) -> dict[str, Question]:
    kinds = [KINDS[name] for name in sorted({row.submission.kind_name for row in rows})]
    return {question.key: question for question in board.benchmark.board_questions} | {
        key: question
        for kind in kinds
        for key, question in kind.sheet(board.benchmark).questions.items()
    }


def _question_data(board: PublicBoard, questions: Mapping[str, Question]) -> list[ViewQuestion]:
    on_board = {question.key for question in board.benchmark.board_questions}
    names = board_facets(board).names
    return [
        ViewQuestion(
            key=key, title=question.title or key,
            type=board.benchmark.answer_forms.get(key, question.type),
            name=names.get(key, ""), shown=key in on_board,
        )
        for key, question in questions.items()
    ]  # fmt: skip


def _claims(board: PublicBoard, rows: Sequence[Row], question: str) -> Iterator[tuple[int, str]]:
    for index, row in enumerate(rows):
        claim = check_claim(row, question, board)
        if claim is not None and not claim.agrees:
            yield (
                index,
                "not recomputed"
                if claim.found is None
                else f"recomputed: {shown_number(claim.found, claim.column.precision)}",
            )


def static_rows(board: PublicBoard) -> int:
    width = 2 + len(board.columns) + len(board.task_columns) * len(board.tasks)
    if len(board.rows) * width <= STATIC_CELLS:
        return len(board.rows)
    return max(FIRST_ROWS, FIRST_CELLS // width)


def number_files(
    board: PublicBoard, resources: Iterable[ResourceColumn]
) -> Iterator[tuple[ViewNumbers, bytes]]:
    """Yield the first rows' numbers, then all: readers get what they see first."""
    rows, rules = len(board.rows) + len(board.unlisted), board.benchmark.leaderboard
    parts = {"": list(_overall(board, resources))}
    parts |= {column.key: list(_on_tasks(board, column.key)) for column in board.task_columns}
    columns = [column for part in parts.values() for column in part]
    if rows * len(columns) <= STATIC_CELLS:
        yield packed("first.bin", columns, rows)
    else:
        first = parts[""] + parts.get((rules.ranked_by or rules.primary).key, [])
        yield packed("first.bin", first, min(rows, max(FIRST_ROWS, STATIC_CELLS // len(first))))
        for place, part in enumerate(parts.values()):
            yield packed(f"scores-{place}.bin", part, rows)
    yield packed("usage.bin", _usage(board), rows)


def packed(file: str, columns: Iterable[Column], rows: int) -> tuple[ViewNumbers, bytes]:
    """Return a file of columns of the first rows: a stamp, as in ``view.json``, then numbers."""
    blocks = list(columns)
    content = np.array([numbers[:rows] for _, numbers in blocks], dtype=_BYTES).tobytes()
    stamp = zlib.crc32(content)
    whole = np.array([stamp], dtype=_BYTES).tobytes() + content
    apart = np.frombuffer(whole, dtype=np.uint8).reshape(-1, 8).T.tobytes()
    described = ViewNumbers(
        file=file, stamp=stamp, rows=rows, columns=[about for about, _ in blocks]
    )
    return described, zlib.compress(apart, level=6)


def _overall(board: PublicBoard, resources: Iterable[ResourceColumn]) -> Iterator[Column]:
    for column in board.columns:
        block = ViewBlock(of="overall", column=column.key, task=None)
        yield block, board.overall[column.key]
        if column.derived:
            rows = (*board.rows, *board.unlisted)
            ends = [row.intervals.get(column.key, (np.nan, np.nan)) for row in rows]
            low, high = np.array(ends, np.float64).reshape(-1, 2).T
            yield ViewBlock(of="low", column=column.key, task=None), low
            yield ViewBlock(of="high", column=column.key, task=None), high
    for one in resources:
        yield ViewBlock(of="resource", column=one.key, task=None), one.values


def _on_tasks(board: PublicBoard, key: str) -> Iterator[Column]:
    deviations = board.table.deviations.get(key)
    for index, values in enumerate(board.table.finished(key)):
        yield ViewBlock(of="scores", column=key, task=index), values
        if deviations is not None and not np.isnan(deviations[index]).all():
            block = ViewBlock(of="deviations", column=key, task=index)
            yield block, deviations[index]


def _usage(board: PublicBoard) -> Iterator[Column]:
    """Yield seconds of each task's predictions, to the millisecond, and most bytes of memory."""
    for index in range(len(board.tasks)):
        seconds = prediction_seconds(board)[index]
        with np.errstate(over="ignore"):
            rough = np.round(seconds, 3)
        rough = np.where(np.isinf(rough), seconds, rough)
        yield ViewBlock(of="seconds", column=None, task=index), rough
        yield ViewBlock(of="memory", column=None, task=index), board.table.memory[index]
