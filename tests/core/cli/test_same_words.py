"""`run` and `validate` refuse the same, in words that say what to do."""

from pathlib import Path

import pytest

from tests.repository import Repository

MINE = "submissions/adding/zoe/first"


def enter(repo: Repository, program: str, folder: str = MINE) -> None:
    repo.write(f"{folder}/submission.yaml", "kind: code\n")
    repo.write(f"{folder}/main.py", program)


def call(repo: Repository, *arguments: str) -> tuple[int, str]:
    done = repo.pullbench(*arguments)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("committed", [False, True])
def test_run_takes_no_submission_that_validate_refuses_for_its_size(
    small: Repository, environments: Path, committed: bool
) -> None:
    small.share_environments(environments)
    small.write("pyproject.toml", '[tool.pullbench]\nmax_bytes = "1 MiB"\n')
    small.commit("A limit")
    small.git("update-ref", "refs/remotes/origin/main", "HEAD")
    enter(small, "print(1)\n")
    small.write(f"{MINE}/weights.bin", b"x" * (3 << 20))
    if committed:
        small.commit("Enter")
    limit = f"{MINE} has 3.0 MiB; the limit is 1.0 MiB"
    code, said = call(small, "validate", MINE)
    assert (code, limit.replace(" has", ": has") in said) == (1, True), said
    code, said = call(small, "run", "adding/zoe", "--engine", "subprocess")
    assert f"left out: 2 cells of adding, phase 'Main': {limit}. Leave out what is not" in said
    assert not (small.path / MINE / "scores").exists()
    # What the base branch has was accepted, such as what an organiser let in.
    if not committed:
        small.commit("Enter")
    small.git("update-ref", "refs/remotes/origin/main", "HEAD")
    code, said = call(small, "run", "adding/zoe", "--engine", "subprocess")
    assert "left out" not in said
    assert (small.path / MINE / "scores").exists()


@pytest.mark.parametrize("name", ["adding/first", "submissions/adding/first"])
def test_a_missing_level_of_folders_is_named(small: Repository, name: str) -> None:
    enter(small, "print(1)\n", "submissions/adding/first")
    code, said = call(small, "run", name)
    assert code == 1
    assert "submissions/adding/first/main.py: is in no submission's folder" in said
    assert "submissions/<benchmark>/<participant>/<name>/" in said
    assert "no cell called" not in said


def test_validate_says_which_benchmark_was_meant(small: Repository) -> None:
    enter(small, "print(1)\n", "submissions/ading/zoe/first")
    for verb in ("validate", "run"):
        code, said = call(small, verb, "ading/zoe")
        assert code == 1
        assert "is for the benchmark 'ading', which is not there or cannot be read" in said
        assert "Did you mean 'adding'?" in said


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("kind: code\n  name: x\n", 2, "a key is indented too far, or a value holds ': '"),
        ("fact_sheet:\n  a: 1\n b: 2\n", 3, "the line is indented otherwise than those above it"),
        ("  kind: code\nname: x\n", 2, "the line is indented otherwise than those above it"),
        ("kind: code\n\tname: x\n", 2, "the line is indented with a tab"),
        ("folds:\n- 1\nkind: [1\n", 4, "a '[' or '{' is not closed"),
        ("name: 'x\n", 2, "a quote is not closed"),
        ("name: @x\n", 1, "a value begins with a sign of YAML's"),
        ("- a\nb: 1\n", 2, "the line is in a list and does not begin with '-'"),
        ("kind: code\nname\nphase: x\n", 3, "a line before this one is neither a key"),
    ],
)
def test_indentation_is_said_in_plain_words(
    small: Repository, text: str, line: int, said: str
) -> None:
    enter(small, "print(1)\n")
    small.write(f"{MINE}/submission.yaml", text)
    code, output = call(small, "validate", MINE)
    assert code == 1
    assert f"{MINE}/submission.yaml:{line}: is not valid YAML: {said}" in output, output
    for word in ("mapping", "block", "token", "scalar", "document start", "scanning", "parsing"):
        assert word not in output


@pytest.mark.slow
def test_a_missing_package_says_what_the_image_has(small: Repository, tmp_path: Path) -> None:
    """The list is that of the bundle's requirements.txt; without one the image alone is named."""
    small.share_environments(tmp_path)
    enter(small, "import torch.nn\n")
    hint = "The image python:3.11-slim has no package 'torch'"
    said = call(small, "run", "adding/zoe/first/main/one", "--engine", "subprocess")[1]
    assert f"{hint}. Do without it, or ask the organisers to add it." in said
    small.write("benchmarks/adding/requirements.txt", "pip  # brings itself\n# no-such-thing\n")
    said = call(small, "run", "adding/zoe/first/main/one", "--engine", "subprocess")[1]
    assert f"{hint}; its requirements.txt lists pip. Do without it" in said, said


def test_nothing_of_it_is_said_where_logs_are_hidden(small: Repository, environments: Path) -> None:
    small.share_environments(environments)
    small.replace(
        "benchmarks/adding/competition.yaml", "tasks: [0, 1],", "tasks: [0, 1], hide_output: true,"
    )
    enter(small, "import torch\n")
    said = call(small, "run", "adding/zoe", "--engine", "subprocess")[1]
    assert "failed" in said
    assert "torch" not in said
