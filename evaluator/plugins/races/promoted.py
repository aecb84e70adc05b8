"""Who may enter a phase that takes only the best of an earlier one.

The earlier phase's board decides, as the same commit has it: nothing that came after that phase's
end is evaluated in it, and what was late to be evaluated still counts.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pydantic import Field

from evaluator.core.clock import moment_text
from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import Submission
from evaluator.core.git.tree import Tree
from evaluator.core.planning.plan import Admission, Refusal
from evaluator.core.planning.snapshot import Snapshot, read_snapshot

if TYPE_CHECKING:
    from evaluator.core.leaderboard.published import PublicBoard
    from evaluator.core.leaderboard.rows import Row


class Promote(Strict):
    """``promote:`` of a phase."""

    phase: str = Field(alias="from", min_length=1)
    """Name, slug or index of an earlier phase."""
    best: int = Field(ge=1)
    """Participants that it takes, with all who tie for the last place."""


_PROMOTED: WeakKeyDictionary[Tree, dict[tuple[str, str], frozenset[str]]] = WeakKeyDictionary()
"""Of each tree: names of benchmark and phase -> who is promoted; a plan asks many times."""


def promoted(
    snapshot: Snapshot, benchmark: Benchmark, phase: Phase, now: dt.datetime
) -> Collection[str] | None:
    """Participants that may enter a phase; None is everybody."""
    rule = phase.of_plugins.get("promote")
    if rule is None:
        return None
    before = _earlier(benchmark, phase)
    if before is None or not _has_ended(before, now):
        return ()
    known = _PROMOTED.setdefault(snapshot.tree, {})
    key = benchmark.name, phase.slug
    if key not in known:
        # Loaded here, for each plan asks, and few benchmarks promote anybody.
        from evaluator.core.leaderboard.snapshot_boards import leaderboard

        # The snapshot may have read one participant alone.
        whole = read_snapshot(snapshot.tree, only=benchmark.name)
        board = leaderboard(whole, benchmark.name, phase=before.slug, task=None, now=now)
        known[key] = best_of(board.ranked, rule.best)
    return known[key]


def best_of(ranked: Iterable["Row"], best: int) -> frozenset[str]:
    """Whose best entry has one of the first places among participants.

    The organiser's solutions and scores from elsewhere take no place.
    """
    ranks: dict[str, int] = {}
    for row in ranked:
        if row.submission.kind.is_evaluated and not row.submission.solution:
            ranks.setdefault(row.submission.participant, row.rank or 0)
    last = max(sorted(ranks.values())[:best], default=0)
    return frozenset(name for name, rank in ranks.items() if rank <= last)


def _earlier(benchmark: Benchmark, phase: Phase) -> Phase | None:
    before = benchmark.phase(phase.of_plugins["promote"].phase)
    return before if before is not None and before.index < phase.index else None


def _has_ended(phase: Phase, now: dt.datetime) -> bool:
    return phase.end is not None and phase.end <= now


def policy(_: Snapshot) -> Admission:
    return _judge


def _judge(
    snapshot: Snapshot, candidates: Sequence[Submission], now: dt.datetime
) -> dict[str, Refusal]:
    refused: dict[str, Refusal] = {}
    for one in candidates:
        benchmark = snapshot.benchmarks[one.benchmark]
        phase = benchmark.phase(one.phase)
        if phase is None or snapshot.tree.is_changed(one.path):
            continue
        names = promoted(snapshot, benchmark, phase, now)
        if names is None or one.participant in names:
            continue
        reason = f"is for {_rule(benchmark, phase)}; '{one.participant}' is not among them"
        hint = "The page of the phase names them. Withdraw it, or enter another phase."
        before = _earlier(benchmark, phase)
        if before is not None and before.end is not None and not _has_ended(before, now):
            reason = f"is for {_rule(benchmark, phase)}, which ends on {moment_text(before.end)}"
            hint = f"Enter phase '{before.name}' now, and this one once that has ended."
        refused[one.id] = Refusal(submission=one, reason=reason, hint=hint)
    return refused


def _rule(benchmark: Benchmark, phase: Phase) -> str:
    rule = phase.of_plugins["promote"]
    before = benchmark.phase(rule.phase)
    name = before.name if before else rule.phase
    who = f"the best {rule.best}" if rule.best > 1 else "the best"
    return f"phase '{phase.name}', which takes {who} of phase '{name}'"


def note(boards: Sequence["PublicBoard"], board: "PublicBoard", now: dt.datetime) -> str:
    """Say on a phase's page who is promoted to it, or when that will be known."""
    rule, benchmark = board.phase.of_plugins.get("promote"), board.benchmark
    before = _earlier(benchmark, board.phase) if rule else None
    if rule is None or before is None:
        return ""
    who = f"The best {rule.best} participants" if rule.best > 1 else "The best participant"
    rules = f"{who} of phase {before.name} may enter; all who tie for the last place may, too."
    if not _has_ended(before, now):
        end = f"; it ends on {moment_text(before.end)}" if before.end else ""
        return f"{rules} Its board decides when it has ended{end}."
    (earlier,) = [one for one in boards if one.phase.slug == before.slug]
    names = sorted(best_of(earlier.ranked, rule.best), key=str.casefold)
    return f"{rules} Promoted: {', '.join(names) or 'nobody yet'}."


def check_phases(snapshot: Snapshot, prefixes: tuple[str, ...]) -> Iterator[Problem]:
    for benchmark in snapshot.benchmarks.values():
        if prefixes and not f"{benchmark.path}/".startswith(prefixes):
            continue
        for phase in benchmark.phases:
            message = _fault(benchmark, phase) if "promote" in phase.of_plugins else ""
            if message:
                yield Problem(
                    file=f"{benchmark.path}/{FILE_NAME}", key="pullbench.phases.promote.from",
                    message=f"of phase '{phase.name}' names {message}", actor=Actor.ORGANISER,
                    hint="Name a phase that ends before this one starts and has ranks.",
                )  # fmt: skip


def _fault(benchmark: Benchmark, phase: Phase) -> str:
    named = phase.of_plugins["promote"].phase
    before = _earlier(benchmark, phase)
    if before is None:
        return f"'{named}', which is no earlier phase."
    if before.end is None:
        return f"'{named}', which never ends."
    if before.shows == "status" or before.only_reported:
        return f"'{named}', on whose board nobody has a rank of an evaluated entry."
    return ""
