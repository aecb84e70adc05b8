import pytest

from evaluator.core.errors import Problem
from evaluator.core.formats.submission import Submission, parse_submission
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
    ],
)
def test_refused(small: Repository, text: str, files: tuple[str, ...], key: str) -> None:
    found, problems = read(small, text, files=files)
    assert found is None
    assert [problem.key for problem in problems] == [key]
    assert problems[0].file == "submissions/echo/alice/entry/submission.yaml"
    assert problems[0].actor == "participant"


@pytest.mark.parametrize("text", ["[]", "kind: [", "\x00", "kind: &a [*a]"])
def test_hardly_a_submission(small: Repository, text: str) -> None:
    found, problems = read(small, text)
    assert found is None
    assert problems


def test_a_name_may_come_alone_where_there_is_nothing_else(small: Repository) -> None:
    found, problems = read(small, "kind: code\n", benchmark="adding", files=())
    assert found is None
    assert "is alone" in problems[0].message


def test_a_phase_that_takes_results_alone(small: Repository) -> None:
    small.replace(
        "benchmarks/adding/competition.yaml", "execution_time_limit: 3}",
        "execution_time_limit: 3, accepts_only_result_submissions: true}",
    )  # fmt: skip
    found = [str(problem) for problem in small.problems()]
    assert len(found) == 2
    assert all("kind: is 'code', but phase 'Main' takes results alone" in item for item in found)


CODE = ("main.py",)
RESULTS = ("predictions.npy",)


@pytest.mark.parametrize("text", ["", "\n", "{}", "kind:\n", "name: Mine\n"])
def test_the_kind_need_not_be_given(small: Repository, text: str) -> None:
    found, problems = read(small, text)
    assert problems == []
    assert found is not None
    assert found.kind.name == "results"
    found, problems = read(small, text, "adding", CODE)
    assert problems == []
    assert found is not None
    assert found.kind.name == "code"


@pytest.mark.parametrize(
    ("benchmark", "files", "kind"),
    [
        ("echo", ("metadata", "predictions.csv"), "code"),
        ("echo", ("metadata.yaml", "main.py", "predictions.csv"), "code"),
        ("echo", ("model.py", "predictions.csv"), "results"),
        ("adding", ("metadata", "weights.bin"), "code"),
        ("adding", ("src/Model.R",), "code"),
        ("adding", ("README", "notebook.IPYNB"), "code"),
        ("adding", ("sub/metadata", "main.py"), "code"),
    ],
)
def test_the_kind_as_the_files_tell(
    small: Repository, benchmark: str, files: tuple[str, ...], kind: str
) -> None:
    found, problems = read(small, "", benchmark, files)
    assert problems == []
    assert found is not None
    assert found.kind.name == kind


@pytest.mark.parametrize("files", [RESULTS, (".py",), ("sub/metadata", "x.csv"), ("model.pkl",)])
def test_a_kind_that_could_be_either_is_said(small: Repository, files: tuple[str, ...]) -> None:
    found, problems = read(small, "name: Mine\n", "adding", files)
    assert found is not None
    assert found.kind.name == "results"
    (problem,) = problems
    assert (problem.severity, problem.key, problem.actor) == ("warning", "kind", "participant")
    assert "'kind: code' where the ingestion program is to read these files" in problem.hint


@pytest.mark.parametrize("kind", ["code", "results"])
@pytest.mark.parametrize("files", [CODE, RESULTS, ("metadata", "main.py")])
def test_a_declared_kind_wins(small: Repository, kind: str, files: tuple[str, ...]) -> None:
    found, problems = read(small, f"kind: {kind}\n", "adding", files)
    assert problems == []
    assert found is not None
    assert found.kind.name == kind


def test_an_executable_is_code(small: Repository) -> None:
    small.write("submissions/adding/dave/entry/solve", "#!/bin/sh\n").chmod(0o755)
    small.write("submissions/adding/dave/entry/submission.yaml", "")
    small.commit()
    found = {item.id: item.kind.name for item in small.snapshot().submissions}
    assert found["adding/dave/entry"] == "code"
    assert small.problems() == []


def test_declared_predictions_are_results(small: Repository) -> None:
    small.write(
        "benchmarks/adding/competition.yaml",
        (small.path / "benchmarks/adding/competition.yaml").read_text()
        + "  predictions: [{file: predictions.npy, columns: {y: number}}]\n",
    )
    found, problems = read(small, "", "adding", RESULTS)
    assert problems == []
    assert found is not None
    assert found.kind.name == "results"


def test_the_phase_that_takes_results_alone_tells_the_kind(small: Repository) -> None:
    small.replace(
        "benchmarks/adding/competition.yaml", "execution_time_limit: 3}",
        "execution_time_limit: 3, accepts_only_result_submissions: true}",
    )  # fmt: skip
    found, problems = read(small, "", "adding", ("notes.py", "predictions.csv"))
    assert problems == []
    assert found is not None
    assert found.kind.name == "results"


def test_an_agent_is_code(small: Repository) -> None:
    small.replace(
        "benchmarks/adding/competition.yaml", "ingestion_program: ingestion_program\n",
        "ingestion_program: ingestion_program\n    ingestion_only_during_scoring: true\n",
    )  # fmt: skip
    found, problems = read(small, "", "adding", ("weights.bin",))
    assert problems == []
    assert found is not None
    assert found.kind.name == "code"


def test_a_key_is_the_same_whether_the_kind_is_declared_or_found(small: Repository) -> None:
    before = {str(item.cell.id): item.cell.keys for item in small.plan().missing}
    small.write("submissions/adding/alice/right/submission.yaml", "")
    after = {str(item.cell.id): item.cell.keys for item in small.plan().missing}
    assert before == after
