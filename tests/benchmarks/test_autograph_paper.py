"""The board of Table 6: its scores, its two mean ranks, and the difficulty of its graphs."""

import json
import statistics
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard, leaderboard_at
from evaluator.core.planning.entries import entries
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.site.boards.difficulty import difficulties

ROOT = Path(__file__).parents[2]
TABLES = "shared/cases/autograph_paper_tables.json"
METHODS = {
    "baseline/starting-kit": "baseline",
    "aister/first": "1_aister",
    "pasanju/second": "2_pasanju",
    "qqerret/third": "3_qqerret",
}


@pytest.fixture(scope="module")
def board() -> PublicBoard:
    taken = load_snapshot(ROOT)
    return publish(leaderboard(taken, "autograph-paper", phase=None, task=None, now=utc_now()))


@pytest.fixture(scope="module")
def table() -> list[dict[str, Any]]:
    found = [parent / TABLES for parent in ROOT.parents if (parent / TABLES).exists()]
    if not found:
        pytest.skip(f"{TABLES} is not on this machine")
    rows: list[dict[str, Any]] = json.loads(found[0].read_text())["table6_scores"]
    return rows


def name(row: Any) -> str:
    return f"{row.submission.participant}/{row.submission.name}"


def test_every_cell_of_the_table_is_on_the_board(
    board: PublicBoard, table: list[dict[str, Any]]
) -> None:
    given = {
        (method, f"dataset-{row['dataset']}", key): row[column][key]
        for row in table
        for method, column in METHODS.items()
        for key in ("acc", "balacc")
    }
    shown = {
        (name(row), slug, key): result.values[key]
        for row in board.rows
        for slug, result in row.tasks.items()
        for key in ("acc", "balacc")
    }
    assert len(given) == 15 * 4 * 2
    assert shown == given


@pytest.mark.parametrize("key", ["acc", "balacc"])
@pytest.mark.parametrize("ties", ["competition", "dense"])
def test_mean_ranks_are_those_of_a_plain_count(
    board: PublicBoard, table: list[dict[str, Any]], key: str, ties: str
) -> None:
    def place(row: dict[str, Any], column: str) -> int:
        better = [
            row[other][key] for other in METHODS.values() if row[other][key] > row[column][key]
        ]
        return 1 + len(better if ties == "competition" else set(better))

    for row in board.rows:
        places = [place(line, METHODS[name(row)]) for line in table]
        assert row.overall[f"{key}_rank_{ties}"] == pytest.approx(statistics.fmean(places))
        shown = [row.tasks[task.slug].values[f"{key}_rank_{ties}"] for task in board.tasks]
        assert shown == places


def test_order_and_mean_ranks_in_figures(board: PublicBoard) -> None:
    figures = [
        (
            name(row), row.rank,
            *(round(15 * row.overall[f"{key}_rank_{ties}"])
              for key in ("acc", "balacc") for ties in ("competition", "dense")),
        )
        for row in board.rows
    ]  # fmt: skip
    # Sums of ranks over the fifteen graphs, counted by hand.
    assert figures == [
        ("qqerret/third", 1, 25, 25, 31, 31),
        ("aister/first", 2, 28, 28, 32, 31),
        ("pasanju/second", 3, 32, 31, 26, 26),
        ("baseline/starting-kit", 4, 60, 56, 60, 59),
    ]


def test_difficulty(board: PublicBoard, table: list[dict[str, Any]]) -> None:
    accuracy, balanced = difficulties(board)
    for found, key in ((accuracy, "acc"), (balanced, "balacc")):
        assert found.column.key == key
        for item, row in zip(found.tasks, table, strict=True):
            best = max(row[column][key] for column in METHODS.values())
            assert item.task.slug == f"dataset-{row['dataset']}"
            assert item.intrinsic == pytest.approx(100 - best)
            assert item.modelling == pytest.approx(best - row["baseline"][key])
    # Dataset a is all but solved by the baseline; o is not.
    first, last = accuracy.tasks[0], accuracy.tasks[-1]
    assert (first.modelling, first.intrinsic) == pytest.approx((2.8, 11.5))
    assert (last.modelling, last.intrinsic) == pytest.approx((41.8, 8.6))


def test_everything_is_reported_and_nothing_is_evaluated() -> None:
    taken = load_snapshot(ROOT)
    found = [entry for entry in entries(taken, utc_now()) if entry.benchmark == "autograph-paper"]
    assert len(found) == 4
    for entry in found:
        assert entry.kind.name == "reported"
        assert entry.reported is not None
        assert entry.reported.source.endswith("Table 6")
        assert entry.reported.url == "https://hal.science/hal-03374222v2"
    planned = make_local_plan(taken, utc_now()).missing
    assert not [item for item in planned if item.cell.id.benchmark == "autograph-paper"]


FIGURE_3 = {
    "3_qqerret": {
        "a": [87.35, 85.6],
        "b": [75.82, 71.6],
        "c": [95.68, 91.86],
        "d": [94.51, 20.09],
        "f": [92.33, 91.06],
        "g": [95.83, 94.2],
    },
    "1_aister": {
        "a": [88.64, 87.98],
        "b": [75.61, 70.7],
        "c": [96.03, 91.92],
        "d": [96.59, 51.18],
        "f": [92.68, 92.07],
        "g": [95.18, 93.3],
    },
    "0_baseline": {
        "a": [85.8, 84.66],
        "b": [71.45, 68.01],
        "c": [86.79, 72.91],
        "d": [93.62, 5],
        "f": [81.34, 53.6],
        "g": [94.58, 92.7],
    },
}


def test_figure_3_is_a_board() -> None:
    """Three rows, accuracy and balanced accuracy on six graphs."""
    board = leaderboard_at(ROOT, "codabench-paper-figure-3", phase=None, task=None, at=None)
    shown = {
        row.submission.title: {
            slug.removeprefix("dataset-"): [result.values["acc"], result.values["balacc"]]
            for slug, result in row.tasks.items()
        }
        for row in board.rows
    }
    assert [row.submission.participant for row in board.rows] == ["xuzhen"] * 3
    assert list(shown) == ["1_aister", "3_qqerret", "0_baseline"]
    assert shown == FIGURE_3
