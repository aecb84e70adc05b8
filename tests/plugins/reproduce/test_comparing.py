"""Cells that are evaluated again."""

from dataclasses import replace
from random import Random

from msgspec import structs

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.extension import Ladder
from evaluator.core.formats.record import Record
from evaluator.core.planning.plan import PlannedCell
from evaluator.plugins.reproduce.comparing import compare, sample
from tests.core.cli.test_actions import COMPETITION
from tests.core.cli.test_actions import anywhere as anywhere
from tests.records import cells_of, record_of
from tests.repository import Repository


def test_a_reproduction_does_not_tell_hidden_scores(small: Repository, anywhere: None) -> None:
    cell = cells_of(small)["adding/alice/right/main/one"]
    before = record_of(cell, scores={"right": 0.125, "distance": 0.875})
    small.replace(COMPETITION, "key: distance,", "key: distance, hidden: true,")
    benchmarks = small.snapshot().benchmarks

    def detail(**scores: float) -> str:
        again = record_of(cell, scores=scores)
        (found,) = compare({cell.id: before}, {cell.id: again}, benchmarks)
        assert found.verdict == "differs"
        return found.detail

    assert detail(right=0.25, distance=0.75) == "right was 0.125, now 0.25"
    assert detail(right=0.125, distance=0.75) == "in scores that are hidden"


def test_a_phase_that_shows_few_digits_is_compared_by_them(
    small: Repository, anywhere: None
) -> None:
    small.replace(COMPETITION, "pullbench:\n", "pullbench:\n  phases: {0: {feedback_digits: 2}}\n")
    cell = cells_of(small)["adding/alice/right/main/one"]
    before = record_of(cell, scores={"right": 0.12, "distance": 0.88})
    verdicts = []
    for right in (0.1249, 0.1251):
        again = record_of(cell, scores={"right": right, "distance": 0.8751})
        (found,) = compare({cell.id: before}, {cell.id: again}, small.snapshot().benchmarks)
        verdicts.append((found.verdict, found.detail))
    assert verdicts == [("identical", "finished"), ("differs", "right was 0.12, now 0.13")]


def test_behind_a_ladder_a_record_may_show_another_one_of_the_same_participant(
    small: Repository,
) -> None:
    """If the score itself does not beat that; a number that nobody had differs."""
    cell = cells_of(small)["adding/alice/right/main/one"]
    phase = replace(cell.phase, feedback_digits=2, ladder=Ladder(labels=25))
    benchmarks = {"adding": replace(cell.benchmark, phases=(phase,))}
    best = record_of(cell, scores={"right": 0.5, "distance": 0.1})
    other = CellId(**{**structs.asdict(cell.id), "submission": "other"})
    committed = {cell.id: best, other: best.replace(cell=other)}

    def verdict(right: float, others: dict[CellId, Record]) -> str:
        again = record_of(cell, scores={"right": right, "distance": 0.2})
        (found,) = compare(others, {cell.id: again}, benchmarks)
        return found.verdict

    assert verdict(0.4, committed) == "tolerated"
    assert verdict(0.69, committed) == "tolerated"
    assert verdict(0.71, committed) == "differs"
    assert verdict(0.4, {cell.id: best}) == "differs"


def test_a_random_sample_draws_every_cell_that_takes_minutes(small: Repository) -> None:
    cells = cells_of(small)
    chosen = [PlannedCell(cell=cell, state="asked", reason="") for cell in cells.values()]
    committed = {cell.id: record_of(cell) for cell in cells.values()}
    long = cells["adding/alice/right/main/one"].id
    steps = [step.replace(wall_seconds=5000.0) for step in committed[long].steps]
    committed[long] = committed[long].replace(steps=steps)
    failed = cells["adding/alice/right/main/two"].id
    del committed[failed]
    rng = Random(1)  # noqa: S311 - the same in each test
    drawn = {
        item.cell.id
        for _ in range(40)
        for item in sample(small.snapshot(), chosen, committed, 1, rng)
    }
    assert drawn == committed.keys() - {long}
    assert len(sample(small.snapshot(), chosen, committed, 9)) == len(committed)
