"""Cells that are evaluated again."""

from evaluator.plugins.reproduce.comparing import compare
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
