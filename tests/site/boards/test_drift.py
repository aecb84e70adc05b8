"""How scores of one phase hold in the next one, whose labels nobody was scored on before."""

from dataclasses import replace

import pytest

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.drift import drift
from tests.core.leaderboard.boards import ONE_COLUMN, Entries, make_benchmark

HIDDEN = (
    "pullbench:\n  private:\n"
    f"    - {{task: 0, file: reference_data, path: labels, sha256: {'a' * 64}}}\n"
)


def boards(
    *scores: tuple[float, float], extra: str = HIDDEN, sorting: str = "desc", migrates: bool = True
) -> tuple[PublicBoard, PublicBoard]:
    """Boards of two phases; each entry has a score in both."""
    made = []
    for index in (0, 1):
        benchmark = make_benchmark(ONE_COLUMN.replace("desc", sorting), extra=extra)
        entries = Entries(benchmark)
        for number, both in enumerate(scores):
            entries.enter(f"p{number}", "one", {"a": both[index]})
        phase = replace(benchmark.phases[0], index=index, auto_migrate=migrates and index == 1)
        made.append(replace(entries.board(), phase=phase))
    return made[0], made[1]


@pytest.mark.parametrize(("sorting", "word"), [("desc", "better"), ("asc", "worse")])
def test_the_mean_difference_and_the_moves_are_said(sorting: str, word: str) -> None:
    before, after = boards((0.5, 0.5), (0.625, 0.75), (0.75, 1), sorting=sorting)
    assert drift((before, after), after) == [
        f"3 entries are in both phases: here A is 0.125 {word} on average.",
        "Among them, 0 changed their rank, by 0 at most.",
    ]
    assert drift((before, after), before) == []


def test_moves_are_counted_by_entries() -> None:
    before, after = boards((0.75, 0.25), (0.5, 0.5), (0.125, 0.125), (0, 0))
    assert drift((before, after), after) == [
        "4 entries are in both phases: here A is 0.125 worse on average.",
        "Among them, 2 changed their rank, by 1 at most.",
    ]


def test_nothing_is_said_of_phases_that_cannot_be_compared() -> None:
    scores = ((0.5, 0.5), (0.75, 0.25))
    for others in (
        boards(*scores, extra=""),
        boards(*scores, migrates=False),
        boards(scores[0]),
    ):
        assert drift(others, others[1]) == []
