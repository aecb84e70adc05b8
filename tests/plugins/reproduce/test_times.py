"""Times never repeat, and everything else does."""

import pytest

from evaluator.plugins.reproduce.comparing import compare
from tests.core.cli.test_actions import COMPETITION
from tests.records import cells_of, record_of
from tests.repository import Repository


@pytest.mark.parametrize(
    ("title", "exclusive", "scores", "verdict"),
    [
        ("Seconds", True, {"right": 0.5, "distance": 7.0}, "timed"),
        ("Seconds", False, {"right": 0.5, "distance": 7.0}, "differs"),
        ("Seconds", True, {"right": 0.75, "distance": 7.0}, "differs"),
        ("Distance", True, {"right": 0.5, "distance": -99.0}, "differs"),
        ("Sometimes", True, {"right": 0.5, "distance": -99.0}, "differs"),
        ("elapsedTime (s)", True, {"right": 0.5, "distance": 7.0}, "timed"),
        ("Seconds", True, {"right": 0.5}, "differs"),
    ],
)
def test_only_times_may_differ_and_only_where_cells_run_alone(
    small: Repository, title: str, exclusive: bool, scores: dict[str, float], verdict: str
) -> None:
    small.replace(COMPETITION, "title: Distance", f"title: {title}")
    if exclusive:
        small.replace(COMPETITION, "\npullbench:\n", "\npullbench:\n  exclusive: true\n")
    cell = cells_of(small)["adding/alice/right/main/one"]
    before, after = record_of(cell), record_of(cell).replace(scores=scores)
    benchmarks = small.snapshot().benchmarks
    (compared,) = compare({cell.id: before}, {cell.id: after}, benchmarks)
    assert compared.verdict == verdict
