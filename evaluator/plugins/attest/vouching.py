"""What the site says of who vouches for the numbers of a board: one sentence, and a mark by row."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import get_args

from evaluator.core.errors import UsageError, counted
from evaluator.core.formats.cell import place_of
from evaluator.core.git.repository import GitFailedError
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.attest.checking import State, verify
from evaluator.plugins.attest.history import CommitHistory
from evaluator.plugins.attest.settings import Attest
from evaluator.site.content.content import Vouched

_MONTH = dt.timedelta(days=30)
_NO_KEY = "Not signed."
_GONE = "Nobody signs these numbers since {}, which took the keys away. "
_BEST_FIRST: tuple[State, ...] = get_args(State)
_MEANING: dict[State, str] = {
    "attested": "CI signed {}.",
    "re-derived": "Somebody evaluated {} again, and signed that it agrees.",
    "unattested": "Nobody signed {}: no key was listed then.",
    "removed": "CI signed {}, and the submission is gone.",
    "altered": "CI signed something else than {}.",
    "forged": "Nobody signed {}, and the repository lists keys.",
}


def vouch(snapshot: Snapshot, now: dt.datetime) -> Callable[[PublicBoard], Vouched]:
    """What says it of each board; nothing if this clone lacks the ledger or the history."""
    gone = ""
    lists = snapshot.settings.of_plugins.get("attest", Attest()) != Attest()

    def unsigned(board: PublicBoard) -> Vouched:
        return Vouched("" if board.phase.only_reported else _NO_KEY)

    try:
        history = CommitHistory(snapshot.tree.repository, snapshot.tree.commit or "")
        if not lists and not history.present.asks:
            return unsigned
        if history.unlisted_since:
            gone = _GONE.format(history.unlisted_since[:12])
        report = verify(snapshot)
    except (GitFailedError, UsageError):
        return (lambda _board: Vouched(gone)) if lists or gone else unsigned
    tallies: dict[str, Counter[State]] = defaultdict(Counter)  # by submission and phase
    for cell, proof in report.proofs.items():
        tallies[cell.rpartition("/")[0]][proof.state] += 1

    def say(board: PublicBoard) -> Vouched:
        every: Counter[State] = Counter()
        marks: dict[str, tuple[str, str]] = {}
        for row in (*board.rows, *board.unlisted):
            name = row.submission.id
            if row.submission.reported:
                every["reported"] += 1
            elif tally := tallies.get(f"{name}/{board.phase.slug}"):
                every += tally
                marks[name] = _mark(tally)
        last = max(
            (at for place, at in report.checked.items() if _is_of(place, board)), default=None
        )
        signed = every["attested"] + every["re-derived"]
        chips = (
            *([f"{signed} of {every.total() - every['reported']} attested"] if signed else []),
            *([f"checked {last:%Y-%m-%d}"] if last else []),
        )
        return Vouched(f"{gone}{_sentences(every, last, now)}", marks, report.tip, chips)

    return say


def _mark(tally: Counter[State]) -> tuple[str, str]:
    """The worst of a row, and of how many of its numbers it is true."""
    state = max(tally, key=_BEST_FIRST.index)
    some = "" if tally[state] == tally.total() else f"{tally[state]} of "
    return state, _MEANING[state].format(f"{some}{counted(tally.total(), 'numbers')}")


def _sentences(every: Counter[State], last: dt.datetime | None, now: dt.datetime) -> str:
    counts = [f"{every[state]} {state}" for state in _BEST_FIRST if every[state]]
    if not counts:
        return ""
    which = counts if len(counts) > 1 else [f"all {next(iter(every))}"]
    numbers = f"{counted(every.total(), 'numbers')}: {', '.join(which)}."
    if every.keys() == {"reported"}:
        return numbers
    if last is None:
        return f"{numbers} Nobody has checked this board again."
    if now - last > _MONTH:
        return f"{numbers} Nobody has checked this board for a month, since {last:%Y-%m-%d}."
    return f"{numbers} Somebody checked a part of them again on {last:%Y-%m-%d}."


def _is_of(path: str, board: PublicBoard) -> bool:
    place, of = place_of(path), (board.benchmark.name, board.phase.slug)
    return place is not None and (place.benchmark, place.phase) == of
