"""A board as the public may see it: ranked by everything, showing what disclosure lets through."""

from dataclasses import replace
from operator import attrgetter

from evaluator.board.disclosure import Disclosure, disclose
from evaluator.board.leaderboard import Board, Row
from evaluator.board.results import TaskResult
from evaluator.formats.bundle import Benchmark
from evaluator.formats.record import CellError, Reason, Record, withheld


def published(board: Board) -> Board:
    """Return the board without anything that is hidden; of one that is published, the same.

    A hidden leaderboard keeps its submissions and their states, and neither values nor the order
    that they make.
    """
    benchmark = board.benchmark
    if not benchmark.leaderboard.hidden:
        return replace(
            board,
            rows=tuple(_row(row, benchmark) for row in board.rows),
            unlisted=tuple(_row(row, benchmark) for row in board.unlisted),
        )
    rows = sorted((*board.rows, *board.unlisted), key=attrgetter("submission.id"))
    return replace(board, rows=tuple(_row(row, benchmark) for row in rows), unlisted=())


def published_record(record: Record, benchmark: Benchmark) -> Record:
    """Return a record with nothing in it that may not be said."""
    phase = benchmark.phase(record.cell.phase)
    if phase is not None and phase.shows == "status":
        return withheld(record)
    said = disclose(record, benchmark)
    shown = {c.key for c in benchmark.leaderboard.columns if not c.hidden}
    hidden = said.scores is None
    return record.model_copy(
        update={
            "scores": dict(said.scores or {}),
            "extra": dict(said.extra),
            "error": _error(record.error, said),
            "earlier": []
            if hidden
            else [
                item.model_copy(
                    update={"scores": {k: v for k, v in item.scores.items() if k in shown}}
                )
                for item in record.earlier
            ],
            # What a step took may be the score.
            "steps": []
            if said.wall_seconds is None
            else [
                step.model_copy(update={"log": said.logs.get(step.step, "")})
                for step in record.steps
            ],
            "detailed_results": record.detailed_results if said.detailed_results else None,
        }
    )


def _error(error: CellError | None, said: Disclosure) -> CellError | None:
    if error is None:
        return None
    told = {"reason": Reason(said.reason), "message": said.message, "hint": said.hint}
    return error.model_copy(update=told)


def _row(row: Row, benchmark: Benchmark) -> Row:
    hidden = benchmark.leaderboard.hidden
    shown = {c.key for c in benchmark.leaderboard.columns if not c.hidden and not hidden}
    return replace(
        row,
        rank=None if hidden else row.rank,
        overall={key: value for key, value in row.overall.items() if key in shown},
        tasks={slug: _result(result, benchmark, shown) for slug, result in row.tasks.items()},
        variants={slug: _result(result, benchmark, shown) for slug, result in row.variants.items()},
    )


def _result(result: TaskResult, benchmark: Benchmark, shown: set[str]) -> TaskResult:
    records = tuple(published_record(record, benchmark) for record in result.records)
    return TaskResult(
        state=result.state,
        values={key: value for key, value in result.values.items() if key in shown},
        deviations={key: value for key, value in result.deviations.items() if key in shown},
        # What is reported has no records, and nothing in it is hidden.
        error=next((record.error for record in records if record.error), None)
        if records
        else result.error,
        records=records,
    )
