from pathlib import Path

import pytest

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.record_lines import to_json
from evaluator.core.planning.rules import check_tree, validate
from evaluator.core.planning.typed_names import is_within
from tests.records import cells_of, record_of, write_records
from tests.repository import Repository

RIGHT = "submissions/adding/alice/right"
RECORD = f"{RIGHT}/scores/main.json"


def only(repo: Repository) -> Problem:
    (problem,) = repo.problems()
    return problem


def test_records_of_a_run_are_accepted(small: Repository) -> None:
    write_records(small)
    assert small.problems() == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (f"{RIGHT}/a\x1b[31mred", "control"),
        (f"{RIGHT}/a\\b", "backslash"),
        (f"{RIGHT}/MAIN.py", "differs from"),
        (f"{RIGHT}/scores/free.txt", "no place for scores"),
        (f"{RIGHT}/scores/main/one.00.json", "no place for scores"),
        (f"{RIGHT}/scores/main/one.json", "no place for scores"),
        ("benchmarks/adding/Terms.md", "differs from"),
    ],
)
def test_names(small: Repository, path: str, message: str) -> None:
    small.write(path, "x")
    problem = only(small)
    assert message in problem.message
    assert problem.hint
    assert problem.file.isprintable()
    wanted = Actor.PARTICIPANT if path.startswith("submissions/") else Actor.ORGANISER
    assert problem.actor is wanted


@pytest.mark.parametrize("other", ["submissions/adding/alice/RIGHT", "submissions/adding/Alice/x"])
def test_one_submission_is_compared_with_folders_of_all(small: Repository, other: str) -> None:
    small.write(f"{other}/submission.yaml", "")
    small.write(f"{other}/add.py", "")
    every, near = (
        [problem for problem in found if "differs from" in problem.message]
        for found in (small.problems(), validate(small.snapshot(), [other, RIGHT]))
    )
    assert len(every) == 1
    assert near == (every if other.endswith("RIGHT") else [])


def test_links(small: Repository) -> None:
    (small.path / RIGHT / "link").symlink_to("../../../..")
    assert only(small).message == "is a link or a submodule"


def test_a_submodule(small: Repository) -> None:
    head = small.git("rev-parse", "HEAD")
    small.git("update-index", "--add", "--cacheinfo", f"160000,{head},{RIGHT}/module")
    small.git("commit", "--quiet", "--message", "Add a submodule")
    assert only(small).file == f"{RIGHT}/module"


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 100_000, b'{"version": 3}', b"\xff"])
def test_forged_records(small: Repository, content: bytes) -> None:
    small.write(RECORD, content)
    assert only(small).file == RECORD


def test_forged_logs(small: Repository) -> None:
    small.write(f"{RIGHT}/scores/main.logs.json", '{"version": 2, "logs": {"one": {"run": "x"}}}')
    assert "not a file of logs" in only(small).message


def test_the_record_of_another_cell(small: Repository) -> None:
    other = cells_of(small)["adding/bob/wrong/main/one"]
    small.write(RECORD, to_json(record_of(other)))
    assert only(small).message == "is no scores file: is the file of adding/bob/wrong/main"


def test_a_bundle_without_competition_yaml(small: Repository) -> None:
    small.write("benchmarks/empty/notes.txt", "x")
    assert (only(small).file, only(small).message) == (
        "benchmarks/empty/competition.yaml",
        "is missing",
    )


@pytest.mark.parametrize("name", ["a b", "ünï", ".hidden", "x" * 65, "end."])
def test_names_that_cannot_be_part_of_an_address(small: Repository, name: str) -> None:
    small.write(f"submissions/echo/{name}/one/submission.yaml", "kind: results\n")
    messages = [problem.message for problem in small.problems()]
    assert f"the name '{name}' is not accepted" in messages


@pytest.mark.parametrize(
    "bundle", ["small", "bad-submissions", "ten-mistakes", "faulty-scorer", "malformed-results"]
)
def test_a_pull_request_is_told_of_a_folder_what_all_is_told_of_it(
    tmp_path: Path, bundle: str
) -> None:
    repo = Repository(tmp_path / "repo").with_bundle(bundle)
    for file in (repo.path / "benchmarks").glob("*/competition.yaml"):
        path = file.relative_to(repo.path).as_posix()
        if bundle == "small":  # what no entry can be, a control that is none, a column that is not
            repo.replace(
                path, "pullbench:\n", "pullbench:\n  accept: {beats: record, p: 0.001}\n"
                "  controls: [{submission: nowhere, of: empty, expect: failed}]\n"
                "  tolerance: {rihgt: {absolute: 1, why: So.}}\n"
            )  # fmt: skip
            repo.commit()
    snapshot = repo.snapshot()
    whole = [*check_tree(snapshot)]
    assert whole or bundle != "small"
    folders = [f"benchmarks/{name}" for name in snapshot.benchmarks]
    folders += [submission.path for submission in snapshot.submissions]
    for folder in folders:
        there = {one for one in whole if is_within(one.file, folder)}
        assert there == {
            one for one in check_tree(snapshot, [folder]) if is_within(one.file, folder)
        }
