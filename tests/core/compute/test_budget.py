"""A budget stops the prediction step from outside, says what was used, and leaves scoring alone."""

import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.facts import fact, fact_columns
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.site.boards.exports.board_json import to_data
from tests.repository import Repository

FILE = "benchmarks/adding/competition.yaml"
ADD = "def add(numbers):\n    return sum(numbers)\n"
WITHIN = f"import time\ntime.sleep(0.5)\n{ADD}"
BEYOND = {
    # what is not prediction proper counts, too
    "import": f"import time\ntime.sleep(60)\n{ADD}",
    "item": "import time\ndef add(numbers):\n    for _ in range(100):\n        time.sleep(0.6)\n",
    # nothing that a program catches or leaves behind outlives it
    "catch": "import signal, time\nfor number in range(1, 65):\n    try:\n"
    "        signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError):\n"
    f"        pass\nwhile True:\n    try:\n        time.sleep(60)\n    except BaseException:\n"
    f"        pass\n{ADD}",
    "fork": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n"
    f"os.wait()\n{ADD}",
}


@pytest.fixture
def budgeted(small: Repository) -> Repository:
    """2 s for one task, 0.02 s for each of 100 items; the phase's own limit is far away."""
    small.git("rm", "-rq", "submissions/adding", "submissions/echo", "benchmarks/echo")
    small.replace(
        FILE, "tasks: [0, 1], execution_time_limit: 3}", "tasks: [0], max_submissions_per_day: 0}"
    )
    small.replace(
        FILE, "\npullbench:\n",
        "\npullbench:\n  phases: {0: {budget: {seconds_per_item: 0.02, items: 100}}}\n",
    )  # fmt: skip
    return small


def enter(repo: Repository, name: str, content: str) -> None:
    repo.write(f"submissions/adding/alice/{name}/submission.yaml", "kind: code\n")
    repo.write(f"submissions/adding/alice/{name}/main.py", content)


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.alone
def test_beyond_the_budget_it_is_stopped_within_a_second(budgeted: Repository) -> None:
    for name, content in BEYOND.items():
        enter(budgeted, name, content)
    enter(budgeted, "within", WITHIN)
    budgeted.commit()
    records = {name.split("/")[2]: record for name, record in budgeted.run(lanes=2).items()}
    for name in BEYOND:
        record, error = records[name], records[name].error
        assert error is not None
        assert (error.reason, error.actor, error.step) == (
            Reason.TIMED_OUT, Actor.PARTICIPANT, "ingestion",
        )  # fmt: skip
        (step,) = record.steps
        assert 2 <= step.wall_seconds < 3
        assert step.exit_code is None
        assert error.message == (
            f"was stopped at its budget: {step.wall_seconds:.2f} s, "
            f"{step.wall_seconds / 100:.4g} s for each of 100 items used; "
            "the budget is 2 s, 0.02 s for each of 100 items"
        )
        assert "constructors count" in error.hint
    assert records["within"].error is None
    budgeted.commit("Records")
    board = leaderboard_at(budgeted.path, "adding", phase=None, task=None, at=None)
    (column,) = fact_columns(board)
    assert (column.key, column.title) == ("seconds_per_item", "s per item")
    row = next(row for row in board.rows if row.submission.name == "within")
    ingestion = records["within"].step("ingestion")
    assert ingestion is not None
    assert fact(row, column, board) == ingestion.wall_seconds / 100
    assert 0.005 <= ingestion.wall_seconds / 100 < 0.02
    (facts,) = (r["facts"] for r in to_data(board)["rows"] if r["submission"] == "within")
    assert facts == {"seconds_per_item": ingestion.wall_seconds / 100}


@pytest.mark.slow
@pytest.mark.docker
def test_a_larger_budget_plans_it_again_and_lets_it_through(budgeted: Repository) -> None:
    enter(budgeted, "slow", f"import time\ntime.sleep(1.2)\n{ADD}")
    budgeted.replace(FILE, "seconds_per_item: 0.02", "seconds_per_item: 0.01")
    budgeted.commit()
    (record,) = budgeted.run().values()
    assert record.error is not None and "the budget is 1 s" in record.error.message
    budgeted.replace(FILE, "seconds_per_item: 0.01", "seconds_per_item: 0.05")
    budgeted.commit("More time")
    (reason,) = budgeted.reasons().values()
    assert reason.startswith("limits changed in ")
    (record,) = budgeted.run().values()
    assert record.error is None


@pytest.mark.slow
@pytest.mark.docker
def test_the_time_limit_of_the_phase_names_itself(budgeted: Repository) -> None:
    """A budget of 2 s is not blamed for what the scoring step does."""
    enter(budgeted, "quick", ADD)
    budgeted.write(
        "benchmarks/adding/scoring_program/metadata.yaml", "command: sleep 3\n"
    )  # fmt: skip
    budgeted.replace(FILE, "tasks: [0], ", "tasks: [0], execution_time_limit: 2, ")
    budgeted.commit()
    (record,) = budgeted.run().values()
    assert record.error is not None
    assert record.error.message == "was stopped after 2 s, the limit of the phase"
    assert record.error.step == "scoring"
