"""A board as its page's scripts read it: by columns, unrounded and without repetition.

Beside it ``api/v1`` has the same board row by row, for programs. Everything here is published.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec
import numpy as np

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.columns import Leaderboard
from evaluator.core.formats.fact_sheet import Question, answer_text
from evaluator.core.formats.kinds.kind import KINDS
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import check_claim, fact, fact_columns, fact_text, goal_lines
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import STATES, Table
from evaluator.site.boards import view_schema as schema
from evaluator.site.boards.comparison import detailed_task, row_marks, shown_number
from evaluator.site.boards.facets import board_facets
from evaluator.site.boards.usage import near_column, resource_columns
from evaluator.site.boards.view_numbers import number_files
from evaluator.site.boards.view_schema import ByRow, ViewQuestion
from evaluator.site.boards.wording import best_method, bests
from evaluator.site.content.forge import NO_CODE, CodeLinks
from evaluator.site.content.forms import filled
from evaluator.site.content.insight import NO_MARKS, NO_PRICES, Marks, Prices, RankSpan, insight

VIEW_VERSION: Final = 5
T = TypeVar("T")


def view_files(
    board: PublicBoard,
    details: Container[CellId] = frozenset(),
    prices: Prices = NO_PRICES,
    task_boards: Mapping[str, PublicBoard] | None = None,
    code: CodeLinks = NO_CODE,
    vouched: Marks = NO_MARKS,
) -> dict[str, bytes]:
    """The files of a published board; ``details`` are cells with detailed results to link.

    ``task_boards`` are those of single tasks, by slug, as far as there are any.

    In ``view.json``, ``rows`` begins with the ``listed`` rows in their order; those that the
    submission rule leaves out follow. Lists over rows are in that order, lists over tasks in the
    order of ``tasks``. The numbers are in files beside it; where there is none, ``failures`` tells
    why.
    """
    rows, rules = (*board.rows, *board.unlisted), board.benchmark.leaderboard
    resources, near = resource_columns(board, prices), near_column(board)
    files = list(number_files(board, resources))
    questions = _questions(board, rows)
    reasons, failures = _failures(board)
    data: schema.ViewData = {
        "version": VIEW_VERSION,
        "benchmark": board.benchmark.name,
        "title": board.benchmark.title,
        "phase": board.phase.slug,
        "phase_name": board.phase.name,
        "commit": board.commit,
        "noun": board.benchmark.row_noun,
        "base": board.benchmark.path,
        "aggregate": rules.aggregate,
        "ranked_by": (rules.ranked_by or rules.primary).key,
        "ranking": _ranking(rules),
        "listed": len(board.rows),
        "tasks": _tasks(board, task_boards or {}),
        "columns": _columns(board),
        "rows": _rows(rows),
        "reasons": reasons,
        "failures": failures,
        "uncounted": _uncounted(board, rows),
        "best": _best(board, rows),
        "questions": _question_data(board, questions),
        "sheet": {
            key: [answer_text(row.submission.fact_sheet.get(key)) for row in rows]
            for key in questions
        },
        "claims": {
            one.key: claims
            for one in board.benchmark.board_questions
            if (claims := dict(_claims(board, rows, one.key)))
        },
        "facts": _facts(board, rows),
        "resources": [filled(schema.ViewResource, one) for one in resources],
        "near": near.key if near else None,
        "goals": [
            filled(schema.ViewGoal, line, column=line.column.key) for line in goal_lines(board)
        ],
        "intervals": _intervals(board, rows),
        "marks": _some(row_marks(row, board, vouched) for row in rows),
        "aside": [index for index, row in enumerate(rows) if not row.counts],
        "code": {
            "folder": code.folder,
            "rows": [index for index, row in enumerate(rows) if code.has(row.submission)],
        },
        "details": _some(detailed_task(row, board, details) for row in rows) if details else {},
        "numbers": [described for described, _ in files],
    }
    packed_files = {described["file"]: content for described, content in files}
    return {"view.json": msgspec.json.encode(data), **packed_files}


def _some(of_rows: Iterable[T]) -> dict[int, T]:
    """What is said of those rows of which anything is."""
    return {index: one for index, one in enumerate(of_rows) if one}


def _ranking(rules: Leaderboard) -> schema.ViewRanking:
    ranking, has_missing = rules.ranking, rules.rule.fills_missing
    return {
        "ties": ranking.ties,
        "missing": ranking.missing if has_missing else None,
        "decimals": ranking.decimals,
    }


def _tasks(board: PublicBoard, task_boards: Mapping[str, PublicBoard]) -> list[schema.ViewTask]:
    concluded = {slug: insight().conclusions(one) for slug, one in task_boards.items()}
    return [
        filled(
            schema.ViewTask, task, name=task.heading, weight=task.extension.weight,
            conclusion=concluded.get(task.slug, ""),
        )
        for task in board.tasks
    ]  # fmt: skip


def _columns(board: PublicBoard) -> list[schema.ViewColumn]:
    rules = board.benchmark.leaderboard
    return [
        filled(
            schema.ViewColumn, column, primary=column.key == rules.primary.key,
            breaks_ties=column in rules.sorting_columns[1:], derived=column.derived is not None,
        )
        for column in board.columns
    ]  # fmt: skip


def _rows(rows: Sequence[Row]) -> schema.ViewRows:
    return {
        "participant": [row.submission.participant for row in rows],
        "submission": [row.submission.name for row in rows],
        "title": [row.submission.title for row in rows],
        "rank": [row.rank for row in rows],
        "submitted": [row.submitted for row in rows],
        "status": [row.state for row in rows],
        "kind": [row.submission.kind_name for row in rows],
    }


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


def _best(board: PublicBoard, rows: Sequence[Row]) -> schema.ViewBest:
    best, columns, transposed = bests(board), board.task_columns, board.benchmark.ranks_datasets
    if transposed and len(board.tasks) > 1:
        methods = {
            column.key: [best_method(row, column) if row.counts else None for row in rows]
            for column in columns
        }
        return {"overall": {}, "tasks": {}, "methods": methods}
    overall = {
        key: value
        for (slug, key), value in best.items()
        if slug is None and key != "coverage" and not transposed
    }
    tasks = {
        column.key: [best.get((task.slug, column.key)) for task in board.tasks]
        for column in columns
    }
    return {"overall": overall, "tasks": tasks, "methods": {}}


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


def _facts(board: PublicBoard, rows: Sequence[Row]) -> list[schema.ViewFact]:
    return [
        filled(
            schema.ViewFact, column, number=column.is_number,
            values=[fact(row, column, board) for row in rows],
            texts=[fact_text(fact(row, column, board)) for row in rows],
        )
        for column in fact_columns(board)
    ]  # fmt: skip


def _intervals(board: PublicBoard, rows: Sequence[Row]) -> dict[int, RankSpan]:
    spans = insight().rank_spans(board)
    return {
        index: span
        for index, row in enumerate(rows)
        if row.rank is not None and (span := spans.get(row.submission.id))
    }
