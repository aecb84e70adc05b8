"""What a season has to leave: told from git, from the ledger and from the site, not from memory."""

import datetime as dt
import json
import math
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import product
from operator import mul
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from evaluator.ci.ledger.ledger_notes import POLICY
from evaluator.core.formats.scores_file import decode
from tests.chaos.golf_entries import (
    ALTERNATE_MARGIN,
    ALTERNATE_P,
    BENCHMARK,
    MARGIN,
    MINUTES,
    OPEN_ENTRIES,
    REPEATS,
    TWINS,
    P,
)
from tests.chaos.landed import git
from tests.ci.steps.conftest import LEDGER

DAY = dt.timedelta(days=1)
_SLACK = dt.timedelta(minutes=2)
"""Between the beginning of a job and what it does."""


class Arrived(NamedTuple):
    """An entry, in the order of arrival."""

    at: dt.datetime
    submission: str
    scores: tuple[float, ...]
    """Of its repeats."""


def contents(origin: Path, revision: str, *places: str) -> dict[str, bytes]:
    """Return files by path, all of them read at once."""
    listed = git(origin, "ls-tree", "-r", "-z", revision, "--", *places)
    blobs = {
        path: head.split()[2] for head, _, path in (
            line.partition("\t") for line in listed.split("\0") if line
        )
    }  # fmt: skip
    read = subprocess.run(
        ["git", "-C", str(origin), "cat-file", "--batch"], check=True, capture_output=True,
        input="".join(f"{blob}\n" for blob in blobs.values()).encode(),
    ).stdout  # fmt: skip
    found, start = {}, 0
    for path in blobs:
        end = read.index(b"\n", start)
        size = int(read[start:end].split()[2])
        found[path] = read[end + 1 : end + 1 + size]
        start = end + size + 2
    return found


def notes(origin: Path, folder: str) -> dict[str, dict[str, Any]]:
    """Return the ledger's notes below a folder."""
    return {path: json.loads(text) for path, text in contents(origin, LEDGER, folder).items()}


def moment(note: Mapping[str, Any]) -> dt.datetime:
    return dt.datetime.fromisoformat(note["at"])


def arrivals(origin: Path) -> dict[int, tuple[dt.datetime, str]]:
    """Return when each pull request first came with something that was not refused, and its head.

    What is refused has not arrived: who mends it arrives with what is pushed then.
    """
    came: dict[int, tuple[dt.datetime, str]] = {}
    for path, note in notes(origin, "pulls").items():
        _, number, kind, *_ = path.split("/")
        if kind == "heads":
            this = (moment(note), note["head"])
            came[int(number)] = min(this, came.get(int(number), this))
    return came


def head_arrivals(origin: Path) -> dict[tuple[int, str], dt.datetime]:
    """Return when each head of a pull request came, by its number and the head.

    Who mends an entry that crashed arrives with what is scored, and not with what crashed.
    """
    return {
        (int(path.split("/")[1]), note["head"]): moment(note)
        for path, note in notes(origin, "pulls").items() if path.split("/")[2] == "heads"
    }  # fmt: skip


class Approved(NamedTuple):
    """That the policy approved a pull request."""

    at: dt.datetime
    number: int


def approvals(origin: Path) -> list[Approved]:
    """Return what the policy approved, by time; nothing that a person did."""
    found = {
        Approved(moment(note), int(path.split("/")[1]))
        for path, note in notes(origin, "pulls").items()
        if "/approved/" in path and note["approver"] == POLICY
    }
    return sorted(found)


def over_limits(
    origin: Path, approved: Iterable[Approved], ended: Mapping[int, tuple[str, dt.datetime]]
) -> set[int]:
    """Return pull requests that the policy approved beyond a limit of their party.

    ``ended`` has each pull request's party and its end.
    """
    over: set[int] = set()
    before: dict[str, list[Approved]] = defaultdict(list)
    for one in approved:
        party, _ = ended[one.number]
        begun = {other.number for other in before[party]} - {one.number}
        if sum(ended[number][1] > one.at + _SLACK for number in begun) >= OPEN_ENTRIES:
            over.add(one.number)
        before[party].append(one)
    spent = sorted((moment(note), path, note) for path, note in _used(origin).items())
    for at, path, _ in spent:
        window = [
            (other.split("/")[3], note["minutes"])
            for when, other, note in spent if at - DAY < when <= at
        ]  # fmt: skip
        party = _party(path.split("/")[3])
        of_party = sum(minutes for who, minutes in window if _party(who) == party)
        every = sum(minutes for _, minutes in window)
        if of_party > MINUTES["participant"] or every > MINUTES["benchmark"]:
            over |= {one.number for one in approved if one.at == at}
    return over


def _used(origin: Path) -> dict[str, dict[str, Any]]:
    """Return what the policy's approvals took, else what is still reserved for them."""
    every = notes(origin, "spent")
    return {
        path: note
        for path, note in every.items()
        if note["by_policy"]
        and (path.endswith("used.json") or path.replace("-reserved", "-used") not in every)
    }


def _party(participant: str) -> str:
    return "twins" if participant in TWINS else participant


def values_on_main(origin: Path) -> dict[str, list[float]]:
    """Return the scores of each submission's repeats, as main has them."""
    files = contents(origin, "main", f"submissions/{BENCHMARK}")
    return {
        "/".join(path.split("/")[2:4]): [
            cell.scores["val_bpb"] for cell in decode(text).cells if cell.scores
        ]
        for path, text in files.items()
        if path.endswith("/scores/final.json")
    }  # fmt: skip


def records_by_rule(entries: Iterable[Arrived]) -> dict[str, tuple[float, float]]:
    """Return margin and p of each record, by what the entries' own programs say."""
    best: Arrived | None = None
    records = {}
    for one in sorted(entries):
        mean = sum(one.scores) / REPEATS
        if best is None:
            records[one.submission], best = (0.0, 0.0), one
            continue
        margin = sum(best.scores) / REPEATS - mean
        leads = [b - a - MARGIN for a, b in zip(one.scores, best.scores, strict=True)]
        turned = [sum(map(mul, signs, leads)) for signs in product((1, -1), repeat=REPEATS)]
        p = sum(value >= sum(leads) - 1e-12 for value in turned) / len(turned)
        if margin > MARGIN and p <= 0.4 * P:
            records[one.submission] = (margin, p)
        if margin > 0:
            best = one
    return records


class InTurn(NamedTuple):
    """A race of two entries, by the runs that main has of it."""

    at: dt.datetime
    challenger: str
    best: str
    leads: tuple[float, ...]
    """Logs of ratios, above 0 where the challenger has the lower score."""

    @property
    def margin(self) -> float:
        return 1 - math.exp(-median(self.leads))

    @property
    def p(self) -> float:
        """By bets as ../shared/reference/race-test.md has them, all pairs at once."""
        ahead = np.array(self.leads) + math.log(1 - ALTERNATE_MARGIN)
        sizes = np.abs(ahead)
        typical = [np.median(sizes[: count + 1]) for count in range(len(sizes))]
        stakes = np.minimum(np.tanh(np.outer((0.5, 1, 2, 4), sizes / typical)), 0.9)
        wealth = np.cumprod(1 + stakes * np.sign(ahead), axis=1).mean(axis=0)
        return float(min(1, 1 / wealth.max()))


def races_in_turn(origin: Path) -> list[InTurn]:
    """Return the races whose runs are on main, by time."""
    races = []
    for path, text in contents(origin, "main", f"submissions/{BENCHMARK}").items():
        if not path.endswith(".race.jsonl"):
            continue
        lines = [json.loads(line) for line in text.splitlines()]
        heads = [number for number, line in enumerate(lines) if isinstance(line, dict)]
        for start, end in zip(heads, [*heads[1:], len(lines)], strict=True):
            leads = [math.log(one["best"] / one["challenger"]) for (one,) in lines[start + 1 : end]]
            at = dt.datetime.fromisoformat(lines[start]["started"])
            name = "/".join(path.split("/")[2:4])
            races.append(InTurn(at, name, lines[start]["best"], tuple(leads)))
    return sorted(races)


def holders_by_rule(first: str, races: Iterable[InTurn]) -> tuple[list[str], dict[str, InTurn]]:
    """Return who held the record, in that order, and the last race of each entry that counts."""
    holders, last = [first], {}
    tries: dict[tuple[str, str], list[InTurn]] = defaultdict(list)
    for race in races:
        before = tries[race.challenger, race.best]
        again = not before or (
            len(before) == 1 and before[0].p <= ALTERNATE_P and race.at >= before[0].at + DAY
        )
        if race.best != holders[-1] or race.challenger in holders or not again:
            continue
        before.append(race)
        last[race.challenger] = race
        if len(before) == 2 and race.p <= ALTERNATE_P:
            holders.append(race.challenger)
    return holders, last


def entries_shown(pages: Path) -> list[dict[str, Any]]:
    """Return all entries of the page of records."""
    file = pages / f"benchmarks/{BENCHMARK}/records/records.json"
    (phase,) = json.loads(file.read_text())["phases"]
    found: list[dict[str, Any]] = phase["entries"]
    return found


def records_shown(pages: Path) -> dict[str, tuple[float | None, float | None]]:
    """Return margin and p of each record, by the site."""
    return {
        one["submission"]: (one["margin"], one["p"])
        for one in entries_shown(pages)
        if one["record"]
    }
