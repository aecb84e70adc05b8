"""A failed cell shows why, at once and again later."""

from pathlib import Path

import pytest

from tests.repository import Repository

MINE = "submissions/adding/alice/right"
CELL = "adding/alice/right"


@pytest.mark.parametrize(
    ("program", "last"),
    [
        ("raise ValueError('the answer is 42')\n", "ValueError: the answer is 42"),
        ("import no_such_package\n", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("if True print()\n", "SyntaxError: invalid syntax"),
        ("import sys\nsys.exit('no data for me')\n", "no data for me"),
        ("open('nowhere.csv')\n", "FileNotFoundError: [Errno 2] No such file or directory"),
    ],
)
def test_a_failed_cell_shows_the_end_of_its_log(
    small: Repository, environments: Path, program: str, last: str
) -> None:
    small.share_environments(environments)
    small.write(f"{MINE}/main.py", program)
    done = small.pullbench("run", CELL, "--engine", "subprocess")
    assert (
        "failed, exited with an error: ended with exit code 1 [participant must act]" in done.stdout
    )
    assert f"    | {last}" in done.stdout
    name = next(line for line in done.stdout.splitlines() if "More: pullbench log" in line)
    again = small.pullbench("log", name.split()[-1])
    assert again.returncode == 0
    assert f"    | {last}" in again.stdout
    assert f"record: {MINE}/scores/" in again.stdout


def test_what_the_organiser_hides_is_in_no_log(small: Repository, environments: Path) -> None:
    small.share_environments(environments)
    small.replace(
        "benchmarks/adding/competition.yaml", "tasks: [0, 1],", "tasks: [0, 1], hide_output: true,"
    )
    small.write(f"{MINE}/main.py", "raise ValueError('the answer is 42')\n")
    small.commit("Hide")
    done = small.pullbench("run", CELL, "--engine", "subprocess")
    assert "failed" in done.stdout
    again = small.pullbench("log", CELL)
    assert "the answer is 42" not in done.stdout + again.stdout


def test_a_cell_without_a_record_is_named(small: Repository) -> None:
    done = small.pullbench("log", "adding/alice/wrong")
    assert done.returncode == 2
    assert "there is no record of 'adding/alice/wrong'" in done.stderr
    assert "`pullbench run` makes records." in done.stderr


def test_what_is_handed_over_prints_no_score_where_attempts_are_limited(
    small: Repository, environments: Path, tmp_path: Path
) -> None:
    """As CI runs it, before a record is checked, kept and shown."""
    small.share_environments(environments)
    small.replace(
        "benchmarks/adding/competition.yaml", "tasks: [0, 1],", "tasks: [0, 1], max_submissions: 1,"
    )
    small.write("submissions/adding/bob/wrong/main.py", "raise ValueError('the answer is 42')\n")
    small.commit("Limit")
    summary = tmp_path / "summary"
    done = small.pullbench(
        "run", "adding", "--engine", "subprocess", "--output", str(tmp_path / "records"),
        environment={"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)},
    )  # fmt: skip
    said = done.stdout + done.stderr + (summary.read_text() if summary.exists() else "")
    assert f"{CELL}/main/one: finished; more is said when its record is accepted" in said
    assert "adding/bob/wrong/main/one: failed [participant must act]" in said
    for text in ("right 1", "distance 0", "the answer is 42"):
        assert text not in said
    assert "right 1" in small.pullbench("run", CELL, "--engine", "subprocess").stdout
