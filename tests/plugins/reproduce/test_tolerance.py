"""Scores that may differ from run to run, as their bundle says."""

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.plugins.reproduce.comparing import compare
from evaluator.plugins.reproduce.ties import note, tie_marks
from evaluator.site.boards.comparison import row_marks
from tests.core.cli.test_actions import COMPETITION
from tests.records import cells_of, record_of
from tests.repository import Repository

WHY = "The budget is a clock."


def allow(small: Repository, amounts: dict[str, float], key: str = "right", more: str = "") -> None:
    parts = "".join(f"{name}: {amount}, " for name, amount in amounts.items())
    line = f"  tolerance: {{{key}: {{{parts}why: {WHY}}}}}\n{more}"
    small.replace(COMPETITION, "\npullbench:\n", f"\npullbench:\n{line}")


@pytest.mark.parametrize(
    ("amounts", "scores", "verdict"),
    [
        ({"absolute": 0.01}, {"right": 0.51, "distance": 0.5}, "tolerated"),
        ({"absolute": 0.01}, {"right": 0.52, "distance": 0.5}, "differs"),
        ({"absolute": 0.01}, {"right": 0.51, "distance": 0.51}, "differs"),
        ({"absolute": 0.01}, {"right": 0.5 + 1e-12, "distance": 0.5}, "close"),
        ({"absolute": 0.01}, {"right": 0.51}, "differs"),
    ],
)
def test_verdicts(
    small: Repository, amounts: dict[str, float], scores: dict[str, float], verdict: str
) -> None:
    allow(small, amounts)
    cell = cells_of(small)["adding/alice/right/main/one"]
    before = record_of(cell, scores={"right": 0.5, "distance": 0.5})
    (found,) = compare(
        {cell.id: before}, {cell.id: record_of(cell, scores=scores)}, small.snapshot().benchmarks
    )
    assert found.verdict == verdict


def shown(small: Repository, **right: tuple[float, float]) -> str:
    """Return the note of a board on which participants have these values on two tasks."""
    for name, values in right.items():
        folder = f"submissions/adding/{name}/one"
        small.write(f"{folder}/submission.yaml", "kind: code\n")
        small.write(f"{folder}/main.py", f"print({values[0]})\n")
    small.git("rm", "-rq", "--ignore-unmatch", "submissions/adding/alice", "submissions/adding/bob")
    small.commit("Entries")
    for cell in cells_of(small).values():
        if (name := cell.id.participant) in right:
            value = right[name][cell.id.task == "two"]
            small.put(record_of(cell, scores={"right": value, "distance": 0.5}))
    small.commit("Records")
    board = board_of(small)
    return note([board], board, utc_now())


def board_of(small: Repository) -> PublicBoard:
    snapshot = small.snapshot()
    return publish(leaderboard(snapshot, "adding", phase=None, task=None, now=utc_now()))


FAR = {"ann": (0.1, 0.9), "ben": (0.9, 0.108), "cid": (0.51, 0.515), "dan": (0.9, 0.9)}


def test_means_that_are_near_are_tied(small: Repository) -> None:
    allow(small, {"absolute": 0.01})
    assert shown(small, **FAR) == (
        f"Two runs may differ by 0.01 in Right: {WHY} Tied within that: ranks 2 to 3."
    )
    board = board_of(small)
    mark = ("tied: 2 to 3", "These ranks are no further apart in Right than two runs may be.")
    marks = {row.submission.participant: row_marks(row, board) for row in board.rows}
    assert marks == {"dan": [], "cid": [mark], "ben": [mark], "ann": []}


def test_ranks_of_tasks_are_tied_if_all_values_are(small: Repository) -> None:
    allow(small, {"absolute": 0.01}, more="  aggregate: mean_rank\n")
    assert shown(small, **FAR).endswith("No ranks are tied within that.")
    near = {"ann": (0.1, 0.9), "ben": (0.105, 0.891), "cid": (0.2, 0.3)}
    assert "Tied within that: ranks" in shown(small, **near)


def test_without_a_tolerance_or_for_another_column_nothing_is_said(small: Repository) -> None:
    assert shown(small, ann=(0.1, 0.2)) == ""
    assert not tie_marks(board_of(small))


def test_of_a_hidden_board_nothing_is_said(small: Repository) -> None:
    allow(small, {"absolute": 0.01})
    small.replace(COMPETITION, "    columns:\n", "    hidden: true\n    columns:\n")
    assert shown(small, **FAR) == ""


def test_what_is_wrong_is_named(small: Repository) -> None:
    allow(small, {"absolute": 0.01}, key="rihgt")
    (problem,) = small.problems()
    assert problem.key == "pullbench.tolerance.rihgt"
    assert "right" in problem.hint


def test_a_tolerance_of_nothing_is_refused(small: Repository) -> None:
    allow(small, {"absolute": 0})
    keys = [problem.key for problem in small.problems()]
    assert "pullbench.tolerance.right.absolute" in keys, keys
