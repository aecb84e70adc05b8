"""What a race in turn leaves beside the challenger's record; whoever reads it decides anew."""

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.columns import SortOrder
from evaluator.core.formats.json_reader import form_reader
from evaluator.plugins.races.accept import is_alternate

SUFFIX = "race.jsonl"
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
    """Who ran against whom; the pairs follow, a line each."""

    best: str
    """``participant/name`` of the entry that held the record."""
    content: str
    """Digest of its files."""
    started: str
    """ISO time."""
    void: int
    """Pairs that do not count, since the best failed or the machine did."""


_read_head = form_reader(RaceHead, max_bytes=2**12)
_read_pair = form_reader(list[Turns], max_bytes=2**16)


def encode_race(race: RaceHead, pairs: Sequence[Pair]) -> bytes:
    return msgspec.json.Encoder().encode_lines([race, *pairs])


def read_race(content: bytes) -> tuple[RaceHead, list[list[Turns]]]:
    """Raises ValueError."""
    if not content:
        raise ValueError("is empty")
    head, *lines = content.splitlines()
    race = _read_head(head)
    pairs = [_read_pair(line) for line in lines]
    turns = [turn for pair in pairs for turn in pair]
    values = [value for turn in turns for value in (turn.best, turn.challenger)]
    if not all(pairs) or any(value is not None and not 0 < value < math.inf for value in values):
        raise ValueError("has a pair without values above 0")
    return race, pairs


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
    max_bytes = 2**20

    def takes(self, benchmark: Benchmark) -> bool:
        return is_alternate(benchmark)

    def read(self, _output: Path, _columns: Collection[str]) -> bytes | None:
        return None


RACE_ATTACHMENT = RaceAttachment()
