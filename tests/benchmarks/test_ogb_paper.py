"""The paper's tables and the challenges' boards, with the ranks of their sources."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.site.boards.comparison import row_marks
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
    best_first = sorted(tests, reverse=more_is_better)
    order = sorted(range(len(tests)), key=lambda at: (best_first.index(tests[at]), at))
    assert [(row.rank, row.submission.title) for row in board.rows] == [
        (best_first.index(tests[at]) + 1, paper[at][0]) for at in order
    ]
    for row in board.rows:
        assert row.submission.reported is not None
        assert row.submission.reported.source.endswith(f", Table {table}")
        assert row.submission.reported.url == "https://arxiv.org/abs/2103.09430"


DIFFERENT = {
    ("mag240m", "kdd-cup-2021"): ["HUNGraphs"],
    ("pcqm4m", "kdd-cup-2021"): ["NTT DOCOMO LABS", "ADVERSARIES"],
}


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
def test_boards_of_the_challenges_have_the_ranks_of_their_pages(
    name: str, phase: str, teams: int, first: tuple[str, float], last: tuple[str, float]
) -> None:
    """The whole test of 2021, and test-challenge of 2022.

    Their pages' ranks are stated. The page of 2021 gives teams with equal scores different ones:
    those that share one here are marked.
    """
    board = leaderboard_at(ROOT, f"ogb-lsc-paper-{name}", phase=phase, task=None, at=None)
    score = board.columns[0].key
    rows = [(row.submission.title, row.overall[score]) for row in board.rows]
    assert (len(rows), rows[0], rows[-1]) == (teams, first, last)
    others = []
    for row in board.rows:
        reported = row.submission.reported
        assert reported is not None
        assert reported.rank == int(str(row.submission.fact_sheet["row"]))
        if reported.rank != row.rank:
            others.append(row.submission.title)
            assert (
                f"rank {reported.rank} at its source",
                "This board ranks by its own rules.",
            ) in row_marks(row, board)
            (before,) = (
                one for one in board.rows
                if one.submission.reported and one.submission.reported.rank == reported.rank - 1
            )  # fmt: skip
            assert before.overall == row.overall
        else:
            assert len(row_marks(row, board)) == 1
    assert others == DIFFERENT.get((name, phase), [])
    for row in board.rows:
        assert row.submission.reported is not None
        year = phase.rsplit("-", 1)[1]
        assert f" {year}, " in row.submission.reported.source
        slug = phase.replace("-cup-", "cup").replace("-", "")
        assert row.submission.reported.url == f"https://ogb.stanford.edu/{slug}/results/"


def test_a_team_whose_name_is_chinese_has_an_address_of_its_own() -> None:
    """It had that of the competition."""
    board = leaderboard_at(
        ROOT, "ogb-lsc-paper-wikikg90m", phase="kdd-cup-2021", task=None, at=None
    )
    (row,) = (row for row in board.rows if row.submission.title == "迷路的小叮当")
    assert (row.rank, row.submission.name) == (18, "kdd-cup-2021-line-19")


def test_the_one_tie_shares_a_rank() -> None:
    board = leaderboard_at(ROOT, "ogb-lsc-paper-wikikg90m", phase="table-11", task=None, at=None)
    assert [row.rank for row in board.rows] == [1, 1, 3, 4, 5, 6]


def test_the_goal_stands_on_the_page() -> None:
    page = (ROOT / "benchmarks/ogb-lsc-paper-pcqm4m/overview.md").read_text()
    goal: float = TABLES["chemical_accuracy_goal"]
    assert f"The goal is {goal} eV" in page
    for table, best in (("6", 0.1208), ("12", 0.1084)):
        rows = next(rows for key, rows in TABLES.items() if key.startswith(f"table{table}_"))
        assert min(test for *_, test in rows) == best
        assert f"{best}, {best / goal:.1f} times" in page


@pytest.mark.parametrize("table", ["7", "13"])
def test_the_tables_of_model_sizes_are_boards(table: str) -> None:
    board = leaderboard_at(
        ROOT, "ogb-lsc-paper-pcqm4m-sizes", phase=f"table-{table}", task=None, at=None
    )
    (paper,) = (rows for key, rows in TABLES.items() if key.startswith(f"table{table}_"))
    rows = sorted(board.rows, key=lambda row: str(row.submission.fact_sheet["row"]))
    assert [
        (
            *(row.submission.fact_sheet[key] for key in ("width", "depth", "params")),
            row.overall["validation"],
        )
        for row in rows
    ] == [(str(width), str(depth), params, error) for _, width, depth, params, error in paper]
    for row, (model, *_) in zip(rows, paper, strict=True):
        assert row.submission.title.startswith(f"{model}, ")
        assert row.rank == 1 + sum(error < row.overall["validation"] for *_, error in paper)


def test_the_other_tables_are_on_the_pages_whole() -> None:
    """Table 3 with MAG240M, each line of Table 8 with its data."""
    pages = {
        name: (ROOT / f"benchmarks/ogb-lsc-paper-{name}/overview.md").read_text()
        for name in ("mag240m", "wikikg90m", "pcqm4m")
    }
    for table, rows in TABLES.items():
        for row in rows if table.startswith(("table3_", "table8_")) else ():
            name = next((n for n in pages if row[0].lower().startswith(n)), "mag240m")
            cells = [f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row]
            cells = ["\N{EN DASH}" if cell == "None" else cell for cell in cells]
            assert f"| {' | '.join(cells)} |\n" in pages[name]
    assert not [page for page in pages.values() if "could not be read" in page]
