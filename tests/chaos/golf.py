"""A race as Parameter Golf was: thousands of pull requests in 46 days, and hardly a person.

``python -m tests.chaos.golf N`` lets N pull requests come in bursts, half of them with honest
mistakes, one of 40 illegal in one of ten ways. It prints what the season came to, and fails if an
illegal one landed, a person had too much to do, a verdict took too long, or records are not those
that the rule gives. With ``--alternate`` (`ALTERNATE=1`) an entry and the record run in turn, and a
second race confirms whoever wins. For a whole season: `make golf N=2000`; with ``--faults``
(`FAULTS=1`) requests to the forge break and jobs are killed and run again, and it has to come to
the same.
"""

import argparse
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from tests.chaos.golf_cheats import WAYS, changed_scorer, is_forged
from tests.chaos.golf_checks import (
    Arrived,
    approvals,
    arrivals,
    contents,
    entries_shown,
    head_arrivals,
    holders_by_rule,
    notes,
    over_limits,
    races_in_turn,
    records_by_rule,
    records_shown,
    values_on_main,
)
from tests.chaos.golf_entries import DAYS, MISTAKES, REPEATS, scores_of
from tests.chaos.golf_season import Golf, Racing
from tests.chaos.landed import check_ledger
from tests.commands import end as end_commands
from tests.workflows.forge import Asked, loopback_forge

MOST_ACTS, MOST_MINUTES = 0.1, 10.0
_LITTLE = 1e-6
_BY_NOISE = 0.05
"""Share of a score that no noise of a run explains."""
FAULTS, KILL_ONE_OF = 0.02, 50
"""Share of requests that meet with a fault, and of how many jobs one is killed, with --faults."""
_KINDS = ("reset", "lost reset", "500", "lost 500", "limit")


class Figures:
    """What a season came to."""

    def __init__(self, golf: Golf) -> None:
        origin, pulls = golf.origin, golf.pulls
        self.golf, self.pulls = golf, pulls
        self.merged = [pull for pull in pulls if pull.merged]
        self.values = values_on_main(origin)
        self.records = records_shown(golf.jobs.pages)
        self.entries = entries_shown(golf.jobs.pages)
        self.races = races_in_turn(origin) if golf.alternate else []
        self.arrivals = arrivals(origin)
        self.approvals = approvals(origin)
        self.over = over_limits(origin, self.approvals, golf.ends())
        self.asked = [
            (int(path.split("/")[1]), note["word"], note["by"])
            for path, note in notes(origin, "pulls").items() if "/commands/" in path
        ]  # fmt: skip
        self.landed = [pull for pull in pulls if pull.entry.illegal and self._has_landed(pull)]

    def _has_landed(self, pull: Racing) -> bool:
        """Whether an illegal entry reached what its way is after, see WAYS."""
        entry = pull.entry
        name = f"{pull.participant}/{entry.name}"
        match entry.way:
            case "timer" | "peek":
                honest = scores_of(pull.model)
                little = _BY_NOISE if self.golf.alternate else _LITTLE
                return any(
                    value < level - little
                    for value, level in zip(self.values.get(name, honest), honest, strict=True)
                )
            case "record":
                return is_forged(self.values)
            case "scorer":
                return pull.merged or changed_scorer(
                    contents(self.golf.origin, "main", "benchmarks")
                )
            case "between":
                # By races in turn it may come first: whom a second race confirms first.
                return name in self.records and not self.golf.alternate
            case "push":
                return pull.merged and pull.merged_head not in pull.finished
            case "budget":
                return pull.number in self.over
            case "comment":
                return self.golf.is_broken_into() or any(
                    by == pull.participant and (word == "evaluate" or number != pull.number)
                    for number, word, by in self.asked
                )
            case _:  # a copy, and what is in a folder of another
                return pull.merged

    def faults(self) -> Iterator[str]:
        """Say what is not as it has to be."""
        if self.golf.faults:
            yield f"{len(self.golf.faults)} commands broke"
        if self.acts_per_landed > MOST_ACTS:
            yield f"a person had to act {self.acts_per_landed:.2f} times for each that landed"
        if self.landed:
            yield f"{len(self.landed)} illegal entries landed"
        if self.minutes_p95 > MOST_MINUTES:
            yield f"a verdict took {self.minutes_p95:.1f} minutes of runners"
        lenient = {pull.first_way for pull in self.pulls if pull.first_way in MISTAKES
                   and pull.verdict == "success"}  # fmt: skip
        if lenient:
            yield f"mistakes that nothing found: {sorted(lenient)}"
        undecided = [pull.number for pull in self.pulls if self.golf.is_undecided(pull)]
        if undecided:
            yield f"still open without a verdict: {undecided}"
        yield from self._faults_of_turns() if self.golf.alternate else self._faults_of_records()
        order = sorted(self.arrivals, key=lambda number: self.arrivals[number])
        if order != sorted(order, key=lambda number: self.golf.pushed[self.arrivals[number][1]]):
            yield "the ledger has another order of arrival than the forge of pushes"

    def _faults_of_records(self) -> Iterator[str]:
        by_rule = records_by_rule(self._arrived())
        if by_rule.keys() != self.records.keys():
            yield f"records by the rule alone: {by_rule.keys() ^ self.records.keys()} differ"
        for name in list(self.records)[1:]:
            if any(
                shown is None or abs(shown - own) > _LITTLE
                for shown, own in zip(self.records[name], by_rule.get(name, (0, 0)), strict=True)
            ):
                yield f"{name}: margin and p are {self.records[name]}, not {by_rule.get(name)}"

    def _faults_of_turns(self) -> Iterator[str]:
        holders, last = holders_by_rule(min(self._arrived()).submission, self.races)
        if {*holders} != self.records.keys():
            yield f"records by the rule alone: {holders}, not {[*self.records]}"
        for one in self.entries:
            name, race = one["submission"], last.get(one["submission"])
            own = (race.margin, race.p) if race else (None, None)
            shown = (one["margin"], one["p"])
            if (None in shown) != (race is None) or (
                race and not np.allclose(shown, own, rtol=1e-5)  # type: ignore[arg-type]
            ):
                yield f"{name}: margin and p are {shown}, not {own}"

    def _arrived(self) -> Iterator[Arrived]:
        came = head_arrivals(self.golf.origin)
        for pull in self.merged:
            name = f"{pull.participant}/{pull.entry.name}"
            if len(self.values.get(name, ())) == REPEATS:
                yield Arrived(came[pull.number, pull.merged_head], name, tuple(self.values[name]))

    @property
    def acts_per_landed(self) -> float:
        return self.golf.acts.total() / max(1, len(self.merged))

    @property
    def minutes_p95(self) -> float:
        minutes = sorted(pull.minutes for pull in self.pulls if pull.verdict)
        return minutes[int(0.95 * (len(minutes) - 1))] if minutes else 0

    @property
    def hours_p95(self) -> float:
        hours = sorted((pull.decided - pull.opened) / 3600 for pull in self.pulls if pull.verdict)
        return hours[int(0.95 * (len(hours) - 1))] if hours else 0

    def lines(self) -> Iterator[str]:
        """Print the figures, and what became of each kind."""
        illegal = sum(pull.entry.illegal for pull in self.pulls)
        with_margin = sum(None not in pair for pair in list(self.records.values())[1:])
        yield f"pull requests: {len(self.pulls)} in {DAYS} days, {len(self.merged)} landed"
        yield f"acts: {dict(self.golf.acts)}"
        yield f"acts_per_landed {self.acts_per_landed:.3f}"
        yield f"illegal_landed {len(self.landed)} of {illegal}"
        yield f"verdict_minutes_p95 {self.minutes_p95:.1f} (hours since the opening: " \
              f"{self.hours_p95:.1f})"  # fmt: skip
        if self.golf.alternate:
            claims = sum(one["claim"] for one in self.entries)
            pairs = sum(len(race.leads) for race in self.races)
            yield f"races {len(self.races)} of {pairs} pairs; to be confirmed: {claims}"
        yield f"records_with_margin {with_margin} of {len(self.records) - 1}, and the first"
        yield "| way | tried | landed | what became of them |"
        yield "|---|---|---|---|"
        for way in WAYS:
            yield self._row(way, [pull for pull in self.pulls if pull.entry.way == way])
        for way in ("", *MISTAKES):
            yield self._row(way, [pull for pull in self.pulls if pull.first_way == way])

    def _row(self, way: str, pulls: list[Racing]) -> str:
        ends = Counter(self.golf.end_of(pull) for pull in pulls)
        landed = sum(pull in self.landed if pull.entry.illegal else pull.merged for pull in pulls)
        said = "; ".join(f"{count} x {end}" for end, count in ends.most_common(4))
        return f"| {way or 'fine'} | {len(pulls)} | {landed} | {said} |"


def breaking(seed: int, count: Counter[str]) -> Callable[[Asked], str]:
    """Return what breaks requests by chance, and counts it."""
    chance = random.Random(seed)  # noqa: S311 - faults

    def fault(_: Asked) -> str:
        kind = chance.choice(_KINDS) if chance.random() < FAULTS else ""
        count.update(filter(None, [kind]))
        return kind

    return fault


def main() -> None:
    """Let a season pass, and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pulls", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))  # noqa: S311
    parser.add_argument("--alternate", action="store_true", help="run in turn with the record")
    parser.add_argument("--faults", action="store_true", help="break requests, and kill jobs")
    chosen = parser.parse_args()
    print(f"{chosen.pulls} pull requests, seed {chosen.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="golf-") as folder, loopback_forge() as forge:
        golf = Golf(Path(folder), forge, chosen.pulls, chosen.seed, alternate=chosen.alternate)
        faults = Counter[str]()
        if chosen.faults:
            forge.fault, golf.kill_one_of = breaking(chosen.seed, faults), KILL_ONE_OF
        golf.pass_by()
        took = time.monotonic() - began
        end_commands()
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        cpu = sum(one.ru_utime + one.ru_stime for one in used)
        print(f"{took:.0f} s, {cpu:.0f} s of processors; {golf.costs()}")
        print(f"{len(forge.asked) / chosen.pulls:.1f} requests to the forge for each", flush=True)
        if chosen.faults:
            print(f"{golf.kills} jobs were killed; requests: {dict(faults)}", flush=True)
        check_ledger(golf.origin, golf.tips)
        figures = Figures(golf)
        print(*figures.lines(), sep="\n")
        wrong = list(figures.faults())
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
