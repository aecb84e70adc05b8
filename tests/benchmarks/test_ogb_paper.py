"""The paper's tables replay in its order, with the ranks of OGB's rule."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from evaluator.leaderboard.select_board import leaderboard_at
from tests.benchmarks.ogb import ROOT

TABLES = json.loads(Path(__file__).with_name("ogb_lsc_paper_tables.json").read_text())
BOARDS = {  # table: bundle, column, unit, whether more is better
    "2": ("mag240m", "acc", 100, True),
    "9": ("mag240m", "acc", 100, True),
    "5": ("wikikg90m", "mrr", 1, True),
    "11": ("wikikg90m", "mrr", 1, True),
    "6": ("pcqm4m", "mae", 1, False),
    "12": ("pcqm4m", "mae", 1, False),
}


@pytest.mark.parametrize("table", BOARDS)
def test_order_ranks_and_values(table: str) -> None:
    name, column, unit, more_is_better = BOARDS[table]
    (paper,) = (rows for key, rows in TABLES.items() if key.startswith(f"table{table}_"))
    board = leaderboard_at(
        ROOT, f"ogb-lsc-paper-{name}", phase=f"table-{table}", task=None, at=None
    )
    found = [
        (
            row.submission.title,
            row.submission.fact_sheet.get("params"),
            row.overall.get("validation"),
            row.overall[column],
        )
        for row in sorted(board.rows, key=lambda row: str(row.submission.fact_sheet["row"]))
    ]
    wanted: list[Any] = [
        (
            title,
            None if params == "Ensemble" else params,  # which is no number
            None if validation is None else pytest.approx(validation / unit, abs=1e-12),
            pytest.approx(test / unit, abs=1e-12),
        )
        for title, params, validation, test in paper
    ]
    assert found == wanted
    # Four decimals are what OGB ranks by; the paper's own order decides between equal ones.
    tests = [round(test / unit, 4) for *_, test in paper]
    best_first = sorted(set(tests), reverse=more_is_better)
    order = sorted(range(len(tests)), key=lambda at: (best_first.index(tests[at]), at))
    assert [(row.rank, row.submission.title) for row in board.rows] == [
        (best_first.index(tests[at]) + 1, paper[at][0]) for at in order
    ]
    for row in board.rows:
        assert row.submission.reported is not None
        assert row.submission.reported.source.endswith(f", Table {table}")
        assert row.submission.reported.url == "https://arxiv.org/abs/2103.09430"


@pytest.mark.parametrize(
    ("name", "phase", "teams", "first", "last"),
    [
        ("mag240m", "kdd-cup-2021", 46, ("BD-PGL", 0.7549), ("BU-LISP", 0.0009)),
        ("wikikg90m", "kdd-cup-2021", 28, ("BD-PGL", 0.9727), ("SUFE-OXAI", 0.0029)),
        ("pcqm4m", "kdd-cup-2021", 49, ("MachineLearning", 0.12), ("GraLITIS", 0.9393)),
        ("mag240m", "neurips-2022", 8, ("ComeAgain", 0.757), ("Team Park", 0.7293)),
        ("wikikg90m", "neurips-2022", 10, ("wikiwiki", 0.2562), ("Big Smarted", 0.0167)),
        ("pcqm4m", "neurips-2022", 13, ("WeLoveGraphs", 0.0719), ("GraFactored", 0.2224)),
    ],
)
def test_boards_of_the_challenges_keep_their_order(
    name: str, phase: str, teams: int, first: tuple[str, float], last: tuple[str, float]
) -> None:
    """Issue 20, 4.2: the whole-test boards of 2021, and those of test-challenge of 2022."""
    board = leaderboard_at(ROOT, f"ogb-lsc-paper-{name}", phase=phase, task=None, at=None)
    score = board.columns[0].key
    rows = [(row.submission.title, row.overall[score]) for row in board.rows]
    assert (len(rows), rows[0], rows[-1]) == (teams, first, last)
    page = [int(str(row.submission.fact_sheet["row"])) for row in board.rows]
    ranks = [row.rank for row in board.rows]
    # Teams with equal scores share a rank here; on the page of 2021 they do not.
    for before, after in itertools.pairwise(zip(ranks, page, rows, strict=True)):
        assert (before[2][1] == after[2][1]) == (before[0] == after[0])
        assert before[1] <= after[1] or before[0] == after[0]
    for row in board.rows:
        assert row.submission.reported is not None
        year = phase.rsplit("-", 1)[1]
        assert f" {year}, " in row.submission.reported.source
        slug = phase.replace("-cup-", "cup").replace("-", "")
        assert row.submission.reported.url == f"https://ogb.stanford.edu/{slug}/results/"


def test_the_one_tie_shares_a_rank() -> None:
    board = leaderboard_at(ROOT, "ogb-lsc-paper-wikikg90m", phase="table-11", task=None, at=None)
    assert [row.rank for row in board.rows] == [1, 1, 2, 3, 4, 5]


def test_the_goal_stands_on_the_page() -> None:
    page = (ROOT / "benchmarks/ogb-lsc-paper-pcqm4m/overview.md").read_text()
    goal: float = TABLES["chemical_accuracy_goal"]
    assert f"The goal is {goal} eV" in page
    for table, best in (("6", 0.1208), ("12", 0.1084)):
        rows = next(rows for key, rows in TABLES.items() if key.startswith(f"table{table}_"))
        assert min(test for *_, test in rows) == best
        assert f"{best}, {best / goal:.1f} times" in page
