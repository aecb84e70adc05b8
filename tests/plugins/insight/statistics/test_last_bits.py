"""Values that differ in their last bits alone are equal, on every page that compares them."""

import random

import pytest

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.insight.statistics.conclusions import conclusions
from evaluator.plugins.insight.statistics.confidence import Confidence, confidence
from evaluator.plugins.insight.statistics.sentences import basis, findings
from evaluator.plugins.insight.statistics.study import Study, make_study
from evaluator.plugins.insight.study_files import study_files
from tests.core.leaderboard.tables import LOWER, Cell, table_board
from tests.plugins.insight.statistics.test_intervals import MEAN_RANK, random_table

Table = dict[str, list[Cell]]
RULES = ("", MEAN_RANK % 1, "pullbench: {aggregate: win_rate}\n")


def with_twins(seed: int, rows: int, tasks: int) -> Table:
    """Make a table in which several rows are equal on some tasks, or on all."""
    table = random_table(seed, rows, tasks)
    names = list(table)
    table["q/twin"] = list(table[names[0]])
    table["q/near"] = [*table[names[1]][: tasks // 2], *table[names[2]][tasks // 2 :]]
    return table


def moved(table: Table, seed: int) -> Table:
    """Move every value by up to 1e-15 of itself."""
    source = random.Random(seed)  # noqa: S311

    def move(value: Cell) -> Cell:
        assert isinstance(value, float)
        return value * (1 + source.uniform(-1e-15, 1e-15))

    return {name: [move(value) for value in cells] for name, cells in table.items()}


def shown(board: PublicBoard) -> dict[str, object]:
    """Return what the pages show of the board's order, its certainty and its analysis."""
    certain, study = confidence(board), make_study(board)
    assert isinstance(certain, Confidence)
    assert isinstance(study, Study)
    return {
        "ranks": {row.submission.id: row.rank for row in board.rows},
        "conclusions": conclusions(board),
        "lines": {
            line.row.submission.id: (
                line.low, line.high, line.group,
            )
            for line in certain.lines
        },
        "weightings": repr(certain.stable),
        "files": study_files(study),
    }  # fmt: skip


@pytest.mark.parametrize("columns", ["      - {title: A, key: a, index: 0}\n", LOWER])
@pytest.mark.parametrize("extra", RULES, ids=["mean", "mean rank", "win rate"])
def test_no_page_changes_when_every_value_moves_by_a_last_bit(columns: str, extra: str) -> None:
    for seed in range(6):
        table = with_twins(seed, 5, 7)
        expected = shown(table_board(table, columns=columns, extra=extra))
        for change in range(3):
            board = table_board(moved(table, change), columns=columns, extra=extra)
            assert shown(board) == expected


def contradictions(study: Study, board: PublicBoard) -> list[str]:
    """Return sentences of the analysis that claim another verdict than the board's."""
    said = [*findings(study), *basis(study)]
    assert said[0] == conclusions(board)
    words = ("significant", "told apart", "better than", "too few")
    return [
        one
        for one in said[1:]
        if any(word in one for word in words) and not one.startswith("No other method is both")
    ]


@pytest.mark.parametrize(
    "boards", [90, pytest.param(900, marks=pytest.mark.slow)], ids=["90 boards", "900 boards"]
)
def test_board_and_analysis_never_contradict_each_other(boards: int) -> None:
    for seed in range(boards):
        table = random_table(seed, 3 + seed % 6, 3 + seed % 9)
        board = table_board(table, extra=RULES[seed % 2])
        study = make_study(board)
        assert isinstance(study, Study)
        assert contradictions(study, board) == []
