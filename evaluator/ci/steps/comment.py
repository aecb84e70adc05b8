"""The one comment that a pull request gets: data -> Markdown.

Pure functions. A stranger's text is written as formats.inert_markdown leaves it, and a record's as
scores.redaction discloses it.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from evaluator.ci.forge.inert_markdown import block, number, prose, quoted
from evaluator.ci.forge.sticky import MARKER
from evaluator.ci.policy.case import State
from evaluator.core.clock import moment_text
from evaluator.core.errors import Actor, Problem, counted, errors_in, some_of
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.scores.redaction import disclose

if TYPE_CHECKING:
    from evaluator.ci.steps.board_changes import BoardChange

MAX_CHARACTERS = 65_000
"""A forge takes 65,536."""


@dataclass(frozen=True, kw_only=True)
class CellLine:
    """The public part of one cell; ``cell_line`` makes one of a record."""

    cell: CellId
    queue: str
    status: str
    """``queued``, ``running``, ``finished`` or ``failed``."""
    reason: str = ""
    """Why it is planned, or why it failed."""
    message: str = ""
    hint: str = ""
    actor: Actor | None = None
    """Who must act; None where nobody must."""
    scores: Mapping[str, str] | None = field(default_factory=dict)
    """Column title -> value as it is shown; None where the leaderboard is hidden."""
    wall_seconds: float | None = None
    """Of all steps; None before it ran, and where it is hidden."""
    log: str = ""
    """End of the log of the step that failed, where it may be shown."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that the comment on a pull request says."""

    state: State
    reason: str
    head: str
    tree: str
    """Its tree, to which an approval is bound."""
    changed: Sequence[tuple[str, str]] = ()
    """What becomes of each path that its merge changes, and the path."""
    problems: Sequence[Problem] = ()
    cells: Sequence[CellLine] = ()
    boards: Sequence["BoardChange"] = ()
    records: Sequence[str] = ()
    """Markdown: of each entry of a race, whether it is a record."""
    next_steps: tuple[str, ...]
    """Sentences: first who does what next, then what plugins say; empty where nobody acts."""
    tip: str = ""
    """Digest of the last signed statement of the ledger; empty where nobody signs."""
    at: dt.datetime

    @property
    def next_step(self) -> str:
        return " ".join(filter(None, self.next_steps))


@dataclass(frozen=True, kw_only=True)
class _Size:
    """How much of each list is shown."""

    paths: int
    problems: int
    cells: int
    boards: int
    rows: int
    columns: int


_SIZES = (
    _Size(paths=100, problems=50, cells=200, boards=20, rows=60, columns=12),
    _Size(paths=50, problems=30, cells=60, boards=10, rows=40, columns=8),
    _Size(paths=20, problems=10, cells=20, boards=4, rows=20, columns=6),
    _Size(paths=3, problems=3, cells=3, boards=1, rows=8, columns=3),
)
_LOG_LINES = 20
_LOGS = 5
_FAILURES = 20
_SCORES = 12


def cell_line(record: Record, benchmark: Benchmark) -> CellLine:
    disclosure = disclose(record, benchmark)
    scores: dict[str, str] | None = None
    if disclosure.scores is not None:
        columns = {column.key: column for column in benchmark.leaderboard.columns}
        scores = {
            columns[key].title: number(value, columns[key].precision)
            for key, value in disclosure.scores.items()
        }
    log = disclosure.logs.get(record.error.step or "", "") if record.error else ""
    return CellLine(
        cell=record.cell, queue=record.provenance.queue, status=disclosure.status,
        reason=disclosure.reason, message=disclosure.message, hint=disclosure.hint,
        actor=disclosure.actor, scores=scores, wall_seconds=disclosure.wall_seconds, log=log,
    )  # fmt: skip


def to_markdown(report: Report) -> str:
    """The comment; it begins with the marker and has at most MAX_CHARACTERS."""
    sealed = {change.after.benchmark.name for change in report.boards if change.hidden}
    cells = [
        replace(line, scores=None, wall_seconds=None) if line.cell.benchmark in sealed else line
        for line in report.cells
    ]
    report = replace(report, cells=cells)
    for size in _SIZES:
        text = "\n".join([*_head(report), *_body(report, size)]) + "\n"
        if len(text) <= MAX_CHARACTERS:
            return text
    return "\n".join([*_head(report), "", "There is more than a comment may hold."]) + "\n"


def _head(report: Report) -> Iterator[str]:
    yield MARKER
    yield f"### pullbench: {report.state}"
    yield ""
    yield f"**{report.state.capitalize()}.** {prose(report.reason)}".rstrip()
    if report.next_step:
        yield ""
        yield f"**Next:** {prose(report.next_step)}"
    yield ""
    at = moment_text(report.at)
    yield f"Commit {quoted(report.head[:10])}, tree {quoted(report.tree, 64)}, {at}."
    if report.tip:
        yield f"Signed until then: `pullbench verify --tip {report.tip}`."


def _body(report: Report, size: _Size) -> Iterator[str]:
    if report.problems:
        title = "What is wrong" if errors_in(report.problems) else "What to look at"
        yield from ("", f"#### {title}", "")
        yield from map(_problem, report.problems[: size.problems])
        yield from _more(len(report.problems) - size.problems, "problems")
    if report.changed:
        yield from _paths(report.changed, size.paths)
    failed = [line for line in report.cells if line.reason and line.status == "failed"]
    if failed:
        yield from ("", "#### What failed", "")
        shown = min(size.cells, _FAILURES)
        yield from map(_failure, failed[:shown])
        yield from _more(len(failed) - shown, "cells")
    if report.records:
        yield from ("", "#### Record", "")
        yield from (f"- {sentence}" for sentence in report.records[: size.boards])
        yield from _more(len(report.records) - size.boards, "entries")
    for change in report.boards[: size.boards]:
        from evaluator.ci.steps.change_table import board_section

        yield ""
        yield from board_section(change, rows=size.rows, columns=size.columns)
    if len(report.boards) > size.boards:
        yield from ("", "#### Other boards", "")
        yield from _more(len(report.boards) - size.boards, "boards")
    if report.cells:
        yield from _folded(report.cells, size.cells)
    for line in [line for line in failed if line.log][: min(_LOGS, size.cells)]:
        # Nothing of a stranger's in the summary: a renderer takes it as HTML.
        yield from ("", "<details><summary>End of the log of a failed cell</summary>", "")
        yield from (f"{quoted(str(line.cell))}:", "", *block(line.log, _LOG_LINES), "")
        yield "</details>"


def _paths(changed: Sequence[tuple[str, str]], limit: int) -> Iterator[str]:
    count = counted(len(changed), "paths")
    yield from ("", f"<details><summary>The merge changes {count}</summary>", "")
    yield from (f"- {quoted(path, 300)} is {fate}" for fate, path in changed[:limit])
    yield from _more(len(changed) - limit, "paths")
    yield from ("", "</details>")


def _more(count: int, nouns: str) -> Iterator[str]:
    if count > 0:
        yield f"- {counted(count, f'more {nouns}')}, left out here."


def _problem(problem: Problem) -> str:
    file = f"{problem.file}:{problem.line}" if problem.line else problem.file
    key = f", key {quoted(problem.key)}" if problem.key else ""
    severity = problem.severity.capitalize()
    says = _joined(problem.message, problem.hint)
    return f"- {severity} in {quoted(file, 300)}{key}: {says} {_actor_line(problem.actor)}"


def _failure(line: CellLine) -> str:
    says = _joined(line.message, line.hint)
    act = f" {_actor_line(line.actor)}" if line.actor else ""
    return f"- {quoted(str(line.cell))} failed, {prose(line.reason)}: {says}{act}"


def _joined(message: str, hint: str) -> str:
    message = message.strip()
    if message and message[-1] not in ".!?":
        message += "."
    return " ".join(filter(None, (prose(message), prose(hint))))


def _actor_line(actor: Actor) -> str:
    return f"*The {actor} must act.*"


def _folded(cells: Sequence[CellLine], limit: int) -> Iterator[str]:
    counts = Counter(line.status for line in cells)
    statuses = ("queued", "running", "finished", "failed")
    summary = ", ".join(f"{counts[status]:,} {status}" for status in statuses if counts[status])
    yield ""
    yield f"<details><summary>Cells: {summary or len(cells)}</summary>"
    yield ""
    yield "| Cell | Queue | Status | Scores | Wall clock | Why |"
    yield "| :-- | :-- | :-- | :-- | --: | :-- |"
    for line in cells[:limit]:
        time = "" if line.wall_seconds is None else f"{line.wall_seconds:,.2f} s"
        shown = (
            quoted(str(line.cell)), quoted(line.queue, 40), prose(line.status, 40), _scores(line),
            time, prose(line.reason, 200),
        )  # fmt: skip
        yield f"| {' | '.join(shown)} |"
    if len(cells) > limit:
        yield ""
        yield from _more(len(cells) - limit, "cells")
    yield from ("", "</details>")


def _scores(line: CellLine) -> str:
    if line.scores is None:
        return "hidden"
    shown = [f"{quoted(key, 40)} {prose(value, 40)}" for key, value in line.scores.items()]
    return some_of(shown, _SCORES)
