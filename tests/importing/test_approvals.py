"""approvals.yaml and baselines in a repository: what they do, and what they name."""

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.cells import cells
from tests.records import cells_of, record_of
from tests.repository import Repository

BUNDLE = "benchmarks/adding/competition.yaml"
FILE = "benchmarks/adding/approvals.yaml"
YES = "decisions:\n- {submission: alice/right, decision: approved, date: 2026-01-02}\n"


def require(repo: Repository) -> None:
    repo.replace(BUNDLE, "\npullbench:\n", "\npullbench:\n  approval: required\n")


def reported(repo: Repository) -> list[tuple[str, str, str, str]]:
    return [(p.file, p.key, p.actor, p.severity) for p in repo.problems()]


def ranks(repo: Repository) -> dict[str, int | None]:
    board = leaderboard(
        repo.snapshot(), "adding", phase=None, task=None, now=utc_now()
    )  # fmt: skip
    return {row.submission.id.partition("/")[2]: row.rank for row in board.rows}


def test_approving_ranks_and_evaluates_nothing_again(small: Repository) -> None:
    for cell in cells_of(small).values():
        small.put(record_of(cell))
    small.commit("Records")
    before = {str(c.id): c.keys.score for c in cells(small.snapshot(), utc_now())}
    require(small)
    assert set(ranks(small).values()) == {None}
    small.write(FILE, YES)
    assert reported(small) == []
    assert {name for name, rank in ranks(small).items() if rank} == {"alice/right"}
    assert {str(c.id): c.keys.score for c in cells(small.snapshot(), utc_now())} == before
    assert small.reasons() == {}


def test_a_decision_about_nothing_is_the_organisers_to_mend(small: Repository) -> None:
    require(small)
    small.write(FILE, YES.replace("alice/right", "alice/rihgt"))
    assert reported(small) == [(FILE, "decisions[0].submission", "organiser", "error")]
    small.write(FILE, "decisions: {}\n")
    ((file, _, actor, severity),) = reported(small)
    assert (file, actor, severity) == (FILE, "organiser", "error")
    assert set(ranks(small).values()) == {None}


def test_a_file_that_decides_nothing_is_said(small: Repository) -> None:
    small.write(FILE, YES)
    assert reported(small) == [(FILE, "", "organiser", "warning")]


@pytest.mark.parametrize("name", ["alice/wrong-name", "nobody/right"])
def test_a_baseline_must_be_there(small: Repository, name: str) -> None:
    small.replace(BUNDLE, "\npullbench:\n", f"\npullbench:\n  baseline: {name}\n")
    (problem,) = small.problems()
    assert (problem.file, problem.key) == (BUNDLE, "pullbench.baseline")
    assert str(problem) == (
        f"{BUNDLE}: pullbench.baseline: names '{name}', which is no submission to this benchmark. "
        "Name one as participant/submission, or enter it. [organiser must act]"
    )
    small.replace(BUNDLE, name, "alice/right")
    assert small.problems() == []


def test_a_column_that_becomes_optional_makes_old_failures_stale(small: Repository) -> None:
    before = {str(c.id): c.keys.score for c in cells(small.snapshot(), utc_now())}

    def changed() -> set[str]:
        now = {str(c.id): c.keys for c in cells(small.snapshot(), utc_now())}
        assert all(c.parts["columns"] for c in now.values())
        return {name.split("/")[0] for name, keys in now.items() if keys.score != before[name]}

    text = (small.path / BUNDLE).read_text()
    columns = "\npullbench:\n  columns: {distance: {optional: %s}}\n"
    small.write(BUNDLE, text.replace("\npullbench:\n", columns % "true"))
    assert changed() == {"adding"}
    small.write(BUNDLE, text.replace("\npullbench:\n", columns % "false"))
    assert changed() == set()
