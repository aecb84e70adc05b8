"""What a season has to leave: told from git, from the ledger and from the site, not from memory."""

import datetime as dt
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import product
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from evaluator.ci.ledger.ledger_notes import POLICY
from evaluator.core.formats.scores_file import decode
from tests.chaos.golf_entries import BENCHMARK, MARGIN, MINUTES, OPEN_ENTRIES, REPEATS, TWINS, P
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


def records_shown(pages: Path) -> dict[str, tuple[float | None, float | None]]:
    """Return margin and p of each record, by the site."""
    file = pages / f"benchmarks/{BENCHMARK}/records/records.json"
    (phase,) = json.loads(file.read_text())["phases"]
    return {
        one["submission"]: (one["margin"], one["p"]) for one in phase["entries"] if one["record"]
    }
