import pytest

from evaluator.errors import Problem
from evaluator.formats.submission import Submission, parse_submission
from tests.repository import Repository


def read(
    repo: Repository,
    text: str,
    benchmark: str = "echo",
    files: tuple[str, ...] = ("predictions.csv",),
) -> tuple[Submission | None, list[Problem]]:
    found = repo.snapshot().benchmarks[benchmark]
    return parse_submission((benchmark, "alice", "entry"), text.encode(), files, found)


def test_the_least(small: Repository) -> None:
    found, problems = read(small, "kind: results\n")
    assert problems == []
    assert found is not None
    assert (found.id, found.title, found.phase) == ("echo/alice/entry", "entry", "main")
    assert found.leaderboard
    assert found.fact_sheet == {}


@pytest.mark.parametrize("phase", ["main", "Main", "0", "'0'"])
def test_a_phase_by_slug_name_or_index(small: Repository, phase: str) -> None:
    found, problems = read(small, f"kind: results\nphase: {phase}\nname: My entry\ndescription:\n")
    assert problems == []
    assert found is not None
    assert (found.title, found.phase, found.description) == ("My entry", "main", "")


@pytest.mark.parametrize(
    ("text", "files", "key"),
    [
        ("kind: magic\n", ("predictions.csv",), "kind"),
        ("kind: code\n", ("main.py",), "kind"),
        ("kind: results\n", ("other.csv",), ""),
        ("kind: results\nphase: last\n", ("predictions.csv",), "phase"),
        ("kind: results\nname: " + "x" * 200, ("predictions.csv",), "name"),
        ("kind: results\nfact_sheet: [a]\n", ("predictions.csv",), "fact_sheet"),
        ("kind: results\nfact_sheet: {a: b}\n", ("predictions.csv",), "fact_sheet.a"),
        ("name: x\n", ("predictions.csv",), "kind"),
    ],
)
def test_refused(small: Repository, text: str, files: tuple[str, ...], key: str) -> None:
    found, problems = read(small, text, files=files)
    assert found is None
    assert [problem.key for problem in problems] == [key]
    assert problems[0].file == "submissions/echo/alice/entry/submission.yaml"
    assert problems[0].actor == "participant"


@pytest.mark.parametrize("text", ["", "[]", "kind: [", "\x00", "kind: &a [*a]"])
def test_hardly_a_submission(small: Repository, text: str) -> None:
    found, problems = read(small, text)
    assert found is None
    assert problems


def test_a_name_may_come_alone_where_there_is_nothing_else(small: Repository) -> None:
    found, problems = read(small, "kind: code\n", benchmark="adding", files=())
    assert found is None
    assert "stands alone" in problems[0].message


def test_a_phase_that_takes_results_alone(small: Repository) -> None:
    small.replace(
        "benchmarks/adding/competition.yaml", "execution_time_limit: 3}",
        "execution_time_limit: 3, accepts_only_result_submissions: true}",
    )  # fmt: skip
    found = [str(problem) for problem in small.problems()]
    assert len(found) == 2
    assert all("kind: is 'code', but phase 'Main' takes results alone" in item for item in found)
