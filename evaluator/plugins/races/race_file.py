"""Races in turn, as a file beside the challenger's record: its readers compute who won."""

import datetime as dt
import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.columns import SortOrder
from evaluator.core.formats.json_reader import form_reader
from evaluator.plugins.races.accept import is_alternate

Side = Literal["challenger", "best"]
SIDES: tuple[Side, ...] = get_args(Side)


class Turns(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One task of a pair: a run of each side."""

    task: str
    first: Side
    """Whose turn a coin put first."""
    challenger: float | None
    """Value of the column that ranks, above 0; None if the run failed."""
    best: float


Pair = Sequence[Turns]


class RaceHead(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who ran against whom; the pairs follow, a line each, and then perhaps another race."""

    best: str
    """``participant/name`` of the entry that held the record."""
    content: str
    """Digest of its files."""
    started: Annotated[dt.datetime, msgspec.Meta(tz=True)]
    void: int
    """Pairs that do not count, since the best failed or the machine did."""


_read_head = form_reader(RaceHead, max_bytes=2**12)
_read_pair = form_reader(list[Turns], max_bytes=2**16)


def encode_race(race: RaceHead, pairs: Sequence[Pair]) -> bytes:
    return msgspec.json.Encoder().encode_lines([race, *pairs])


def read_races(content: bytes) -> list[tuple[RaceHead, list[Pair]]]:
    """The races of a file, one after the other. Raises ValueError."""
    races: list[tuple[RaceHead, list[Pair]]] = []
    for line in content.splitlines():
        if line.startswith(b"{"):
            races.append((_read_head(line), []))
            if not 2000 <= races[-1][0].started.year <= 2999:  # a day is added to it
                raise ValueError("has a race at no time that can be")
            continue
        if not races:
            raise ValueError("begins with a pair")
        pair = _read_pair(line)
        values = [value for turn in pair for value in (turn.best, turn.challenger)]
        if not pair or any(value is not None and not 0 < value < math.inf for value in values):
            raise ValueError("has a pair without values above 0")
        races[-1][1].append(pair)
    if not races:
        raise ValueError("is empty")
    return races


def lead_of(pair: Pair, weights: Mapping[str, float], sorting: SortOrder) -> float:
    """Weighted mean of the log ratios of tasks, above 0 if the challenger is better."""
    sign = -1 if sorting == "asc" else 1
    leads = {}
    for turn in pair:
        if turn.challenger is None:
            return -math.inf
        if turn.task in weights:  # others were withdrawn since
            leads[turn.task] = sign * math.log(turn.challenger / turn.best)
    total = math.fsum(weights[task] for task in leads)
    return math.fsum(weights[task] * lead / total for task, lead in leads.items())


class RaceAttachment:
    """Written by ``pullbench run``; what a scoring program writes under its name is not taken."""

    file = ""
    max_file = 0
    max_bytes = 2**22

    def takes(self, benchmark: Benchmark) -> bool:
        return is_alternate(benchmark)

    def read(self, _output: Path, _columns: Collection[str]) -> bytes | None:
        return None


RACE_ATTACHMENT = RaceAttachment()
