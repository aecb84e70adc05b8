"""The page *Records* of a benchmark, and the same as JSON: a function of its published boards."""

import datetime as dt
import json
from collections.abc import Iterator, Sequence

from typing_extensions import TypedDict

from evaluator.core.errors import counted
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.races.accept import CHALLENGER, Accept, is_alternate
from evaluator.plugins.races.contender import Contender
from evaluator.plugins.races.contenders import compare
from evaluator.site.boards.comparison import shown_number
from evaluator.site.boards.wording import moment
from evaluator.site.content.insight import BoardPage, PageTable

MAX_ATTEMPTS = 500
"""Lines of the page, the latest; the file has all."""


class EntryData(TypedDict):
    """An entry when it arrived."""

    submission: str
    """``participant/name``."""
    arrived: str | None
    """ISO time; null for what has been there from the start."""
    value: float
    best: str | None
    """The best that arrived before it; null for the first."""
    margin: float | None
    """How much better it is than that; negative if it is worse. A share where they ran in turn."""
    p: float | None
    """One-sided p-value of a lead no larger than asked for; null if nothing tells."""
    record: bool
    claim: bool
    """Whether it is a record as soon as a second race says so."""


class PhaseData(TypedDict):
    """A phase, and its entries in order of arrival."""

    phase: str
    column: str
    by: float
    p: float | None
    entries: list[EntryData]


class RecordsData(TypedDict):
    """``records.json`` beside the page."""

    benchmark: str
    phases: list[PhaseData]


def records_page(boards: Sequence[PublicBoard], _file: object = None) -> BoardPage | None:
    benchmark = boards[0].benchmark
    accept: Accept | None = benchmark.of_plugins.get("accept")
    if accept is None or benchmark.leaderboard.hidden:
        return None
    shown = [(board, compare(board)) for board in boards if board.columns]
    data = RecordsData(
        benchmark=benchmark.name, phases=[_phase_data(board, every) for board, every in shown]
    )
    return BoardPage(
        name="Records",
        sentences=[*_rule(accept, benchmark.leaderboard.primary.title)],
        tables=[
            table
            for board, every in shown
            for table in _tables(board, every, f", {board.phase.name}" if len(shown) > 1 else "")
        ],
        files={"records.json": (json.dumps(data, indent=2, sort_keys=True) + "\n").encode()},
    )


def _rule(accept: Accept, column: str) -> Iterator[str]:
    if accept.rerun:
        chance, by = accept.p or 1, f"{100 * accept.by:g}% better"
        yield (
            f"An entry and the holder of the record run in pairs on one machine. Who is {by} has a "
            "claim, and who is so again a day later or more holds the record. A program that is "
            f"not gets there with a chance of at most {chance**2:g}."
        )
        yield (
            "Margin is the lead in the pairs of its last race, with limits that hold at 95%; p is "
            f"of these pairs, too. {column} is of one run alone, perhaps at a slower hour."
        )
        yield (
            "In each pair a coin decides who runs first. We bet on the challenger, with a stake "
            f"that depends on the size of the gap and not on who won. If it is not {by}, each bet "
            f"is fair or worse. So a stake of 1 reaches {1 / chance:g} with a chance of at most "
            f"{chance:g}, whenever we stop. race.jsonl beside the scores has all runs."
        )
        return
    p = f", with p of at most {CHALLENGER * accept.p:g}" if accept.p is not None else ""
    yield (
        f"An entry is a record if it beats every entry that arrived before it by more than "
        f"{accept.by:g}{p}. What arrived later never takes a record back."
    )
    if accept.p is not None:
        yield (
            "p is the chance of such a lead if the true lead were what is asked for. It says that "
            "the programs differ on these tasks. Only an entry ahead of all before it is asked for "
            f"p, and for {CHALLENGER:g} of {accept.p:g}: so in a season of 200 equal entries a "
            f"false record has a chance of at most about {2 * accept.p:.0%}."
        )


def _tables(board: PublicBoard, every: Sequence[Contender], of: str) -> Iterator[PageTable]:
    column = board.benchmark.leaderboard.primary.title
    value, margin, p = (column, True), ("Margin", True), ("p", True)
    records = sorted((one for one in every if not one.fault), key=_since)
    attempts = [one for one in reversed(every) if one.fault]
    ends = [*(one.since for one in records[1:]), None]
    yield PageTable(
        title=f"Who held the record{of}",
        sentences=[] if records else ["No entry has a value yet."],
        heads=[("Entry", False), ("From", False), ("Until", False), value, margin, p],
        lines=[
            [
                one.row,
                _moment(one.since),
                moment(until.isoformat()) if until else "now",
                *one.numbers(shown_number),
            ]
            for one, until in [*zip(records, ends, strict=False)][::-1]
        ],
    )
    left_out = len(attempts) - MAX_ATTEMPTS
    more = f" The file has {left_out} more." if left_out > 0 else ""
    yield PageTable(
        title=f"Attempts{of}",
        sentences=[f"No records: {counted(len(attempts), 'submissions')}, the latest first.{more}"],
        heads=[("Entry", False), ("Arrived", False), value, margin, p, ("Best before it", False),
               ("Why not", False)],
        lines=[
            [one.row, _moment(one.arrived), *one.numbers(shown_number), one.best.row, one.fault]
            for one in attempts[:MAX_ATTEMPTS]
            if one.best
        ],
    )  # fmt: skip


def _moment(at: dt.datetime | None) -> str:
    return moment(at.isoformat()) if at else "the start"


def _since(one: Contender) -> dt.datetime:
    return one.since or dt.datetime.min.replace(tzinfo=dt.UTC)


def claim_marks(board: PublicBoard) -> dict[str, tuple[str, str]]:
    """Mark the rows of records that are to be confirmed."""
    if not is_alternate(board.benchmark):
        return {}
    claims = [one for one in compare(board) if one.is_claim]
    return {one.row.submission.id: ("to be confirmed", f"It is {one.fault}.") for one in claims}


def _phase_data(board: PublicBoard, every: Sequence[Contender]) -> PhaseData:
    accept: Accept = board.benchmark.of_plugins["accept"]
    return PhaseData(
        phase=board.phase.slug, column=board.benchmark.leaderboard.primary.key,
        by=accept.by, p=accept.p, entries=[_entry_data(one) for one in every],
    )  # fmt: skip


def _entry_data(one: Contender) -> EntryData:
    return EntryData(
        submission=_id(one.row),
        arrived=one.arrived.isoformat() if one.arrived else None,
        value=one.value,
        best=_id(one.best.row) if one.best else None,
        margin=one.margin,
        # Libraries differ in the last digits, and the file is to be the same everywhere.
        p=None if one.p is None else float(f"{one.p:.6g}"),
        record=not one.fault,
        claim=one.is_claim,
    )


def _id(row: Row) -> str:
    return f"{row.submission.participant}/{row.submission.name}"
