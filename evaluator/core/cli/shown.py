"""Plans, records and summaries on a terminal."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.core.errors import errors_in, some_of
from evaluator.core.log import in_ci, say

if TYPE_CHECKING:
    from evaluator.core.formats.cell import CellId, Place
    from evaluator.core.formats.record import Record
    from evaluator.core.planning.plan import Plan, PlannedCell
    from evaluator.core.planning.snapshot import Snapshot
    from evaluator.core.scores.redaction import Disclosure
    from evaluator.core.scores.running import RunSummary

    Show = Callable[[PlannedCell, Record], str]


MAX_STANDINGS = 5
"""Submissions of one run that are looked up on their boards; more would scroll the rest away."""


def problems(snapshot: "Snapshot") -> None:
    for problem in errors_in(snapshot.problems):
        say(f"left out: {problem}", style="yellow")


def uncommitted_files(snapshot: "Snapshot") -> None:
    """Print what of benchmarks no commit has; plan and run see it, and `commit` does not."""
    files = snapshot.tree.changed("benchmarks")
    if files and not in_ci():
        say(
            f"not committed yet: {some_of(files)}. `pullbench commit` takes the scores of "
            "committed files alone: `git add` and `git commit` these first",
            style="yellow",
        )


def plan(planned: "Plan") -> None:
    from evaluator.core.scores.runnable import shortfall

    for refusal in planned.refused:
        say(f"refused: {refusal.submission.id}: {refusal.reason}. {refusal.hint}", style="yellow")
    less: dict[tuple[str, ...], str] = {}
    for item in planned.missing:
        group = (item.cell.benchmark.name, item.cell.task.slug, item.cell.submission.kind_name)
        if group not in less:
            less[group] = shortfall(item)
        note = f" (this machine has {less[group]})" if less[group] else ""
        say(f"{item.cell.id}: {item.reason}{note}")
    waiting = f"; {planned.waiting} wait for their phase to start" if planned.waiting else ""
    if planned.missing:
        say(f"{len(planned.missing)} of {planned.total} cells are missing or stale{waiting}")
    else:
        say(f"nothing is missing: {planned.total} cells have valid records{waiting}")


def refusals(planned: "Plan", names: Sequence[str], chosen: Sequence["PlannedCell"]) -> None:
    from evaluator.core.scores.selection import refusals

    tried = {item.cell.submission.id for item in chosen if item.state == "refused"}
    among = refusals(planned, names)
    for refusal in among[:_REFUSALS]:
        name = refusal.submission.id
        way = (
            "tried all the same; its records count nowhere"
            if name in tried
            else f"to try it: pullbench run --fresh {name} --output build/try"
        )
        say(f"refused: {name}: {refusal.reason}. {refusal.hint}\n    {way}", style="yellow")
    if len(among) > _REFUSALS:
        say(
            f"{len(among) - _REFUSALS} more are refused; `pullbench plan` lists them",
            style="yellow",
        )


_REFUSALS = 10


def record(item: "PlannedCell", result: "Record", place: Path | None = None) -> str:
    """A line for a cell that ended, with no more than the pull request's comment shows.

    Logs may be stored where others read them, and the command cannot know whether this one is.
    A failure is followed by the end of its log and what to do; ``place`` is where records go if
    not into the working tree.
    """
    from evaluator.core.scores.redaction import disclose

    disclosure = disclose(result, item.cell.benchmark)
    if disclosure.status == "failed":
        source = f" --from {place}" if place else ""
        more = f"    {_MORE} {item.cell.id}{source}"
        return "\n".join([failure(result.cell, disclosure), *_end_of_log(disclosure), more])
    scores = "scores are hidden" if disclosure.scores is None else numbers(disclosure.scores)
    reuse = "predictions reused" if result.provenance.reused_predictions else ""
    less = next((f"with {step.less}" for step in result.steps if step.less), "")
    seconds = "" if disclosure.wall_seconds is None else f"{disclosure.wall_seconds:.1f} s"
    details = ", ".join(filter(None, (seconds, reuse, less)))
    return f"{item.cell.id}: {scores}" + (f" ({details})" if details else "")


def uploaded_record(item: "PlannedCell", result: "Record") -> str:
    """A line before a record is accepted: no scores where attempts are limited."""
    if not item.cell.phase.limits_attempts:
        return record(item, result)
    who = f" [{result.error.actor} must act]" if result.error else ""
    return f"{item.cell.id}: {result.status}{who}; more is said when its record is accepted"


def once(
    show: Callable[["PlannedCell", "Record"], str],
) -> Callable[["PlannedCell", "Record"], str]:
    """Shorten the lines of a run that repeat what another cell's line says."""
    printed: set[str] = set()

    def line(item: "PlannedCell", result: "Record") -> str:
        text = show(item, result)
        first, *more = text.splitlines()
        if not more:
            return text
        alike = text.replace(str(item.cell.id), "")
        if alike in printed:
            return f"{first}, as above"
        printed.add(alike)
        return text

    return line


_MORE = "More: pullbench log"
_LINES = 6
"""Lines of a log below a failed cell: a traceback ends with what went wrong."""


def failure(cell: "CellId", disclosure: "Disclosure") -> str:
    because = f": {disclosure.message}" if disclosure.message else ""
    hint = "".join(f"\n    {line}" for line in disclosure.hint.splitlines())
    return f"{cell}: failed, {disclosure.reason}{because} [{disclosure.actor} must act]{hint}"


def _end_of_log(disclosure: "Disclosure") -> list[str]:
    lines = [
        line
        for line in (disclosure.logs.get(disclosure.step or "") or "").splitlines()
        if line.strip()
    ]
    return [f"    | {line}" for line in lines[-_LINES:]]


def numbers(scores: Mapping[str, float]) -> str:
    return ", ".join(f"{key} {value:.6g}" for key, value in scores.items()) or "no visible score"


def summary(done: "RunSummary") -> None:
    finished = len(done.records) - len(done.failed)
    note = "" if done.isolation != "none" else ", WITHOUT isolation: records say so"
    say(f"engine {done.engine}{note}: {finished} finished, {len(done.failed)} failed")
    reasons = Counter(
        (failed.error.actor, failed.error.reason) for failed in done.failed if failed.error
    )
    for (actor, reason), count in sorted(reasons.items()):
        say(f"engine {done.engine}: {count} x {reason}, {actor} must act")


def standings(start: Path, records: "Mapping[CellId, Record]", output: Path | None) -> None:
    """Print where a few submissions stand, or would below ``output``, and what to do next."""
    places = {cell.place for cell in records}
    if len(places) > MAX_STANDINGS:
        return
    for line in _ranks(start, places, output):
        say(line)
    for place in sorted(places):
        say(f"records: {(output or Path()) / place.scores_path}")
    finished = {cell.place.benchmark for cell in records if records[cell].error is None}
    for benchmark in sorted(finished):
        say(f"  pullbench leaderboard {benchmark}{' --from' if output else ''}    shows the board")


def _ranks(start: Path, places: Collection["Place"], source: Path | None) -> list[str]:
    """Say which rank submissions have, or would have with ``source``; nothing of hidden boards."""
    from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
    from evaluator.core.leaderboard.tables import scored

    submissions = {
        (place.benchmark, place.phase, place.participant, place.submission) for place in places
    }
    lines = []
    for benchmark, phase in sorted({one[:2] for one in submissions}):
        board = leaderboard_at(start, benchmark, phase=phase, task=None, at=None, source=source)
        for row in () if board.benchmark.leaderboard.hidden else (*board.rows, *board.unlisted):
            one = row.submission
            if (benchmark, phase, one.participant, one.name) not in submissions:
                continue
            value = f", {text}" if (text := scored(row, board)) else ""
            if row.rank is not None:
                would = "would be " if source else ""
                rank = f"{would}rank {row.rank} of {len(board.ranked)} on the board of"
                lines.append(f"{one.id}: {rank} {board.phase.name}{value}")
            elif row.finished:
                rule = board.benchmark.leaderboard.submission_rule
                why = (
                    f"the rule {rule} lists another submission of {one.participant}"
                    if row in board.unlisted
                    else row.why_unranked
                )
                lines.append(f"{one.id}: no rank: {why}{value}")
    return lines
