"""`pullbench enter` begins a submission to any benchmark."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.repository import Repository
from tests.sharing import one_in

ROOT = Path(__file__).parents[3]
BENCHMARKS = sorted(path.parent.name for path in ROOT.glob("benchmarks/*/competition.yaml"))
UNFINISHED = (
    "is alone: the submission has no other file",
    "must be answered",
    "names no host",
    # Boards of published results take scores that are stated elsewhere.
    "is missing. Give each task its columns' values",
    "is missing. Say where the scores are stated",
)
"""What `validate` says of a form that waits for its answers."""


@pytest.fixture(scope="module")
def fork(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A fork of this repository, with the upstream's branch and no submission of ours."""
    repo = Repository(tmp_path_factory.mktemp("fork"))
    for name in ("benchmarks", "submissions"):
        listed = subprocess.run(
            ["git", "ls-files", "-z", name], cwd=ROOT, check=True, capture_output=True
        ).stdout.decode()
        for path in filter(None, listed.split("\0")):
            if not re.match(r"submissions/.*/scores/", path):
                (repo.path / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / path, repo.path / path)
    repo.commit("All benchmarks")
    repo.git("update-ref", "refs/remotes/upstream/main", "HEAD")
    return repo


@pytest.mark.parametrize("benchmark", one_in(4, BENCHMARKS))
def test_every_board_can_be_entered_by_one_verb(fork: Repository, benchmark: str) -> None:
    """What it copies is complete, or `validate` says which answers are missing and no more."""
    folder = f"submissions/{benchmark}/you"
    done = fork.pullbench("enter", benchmark, "--as", "you/first")
    assert done.returncode == 0, done.stderr
    assert (fork.path / folder / "first/submission.yaml").is_file()
    assert not (fork.path / folder / "first/README.md").exists()
    assert done.stdout.startswith(f"{folder}/first: ")
    for command in (f"pullbench validate {folder}", f"pullbench run {benchmark}/you --output",
                    f"git add {folder}", "git push"):  # fmt: skip
        assert command in done.stdout
    judged = fork.pullbench("validate", folder)
    errors = [line for line in judged.stdout.splitlines() if line.startswith("error: ")]
    assert (judged.returncode == 1) == bool(errors)
    assert all(any(words in line for words in UNFINISHED) for line in errors), judged.stdout
    if (ROOT / "benchmarks" / benchmark / "starting_kit/sample_submission").exists():
        assert errors == []
    again = fork.pullbench("enter", benchmark, "--as", "you/first")
    assert again.returncode == 2
    assert "is there already" in again.stderr


def test_the_samples_of_a_kit_and_who_one_is(fork: Repository) -> None:
    def enter(*arguments: str) -> tuple[int, str]:
        done = fork.pullbench("enter", *arguments)
        return done.returncode, done.stdout + done.stderr

    code, said = enter("deconbench", "--as", "me/r")
    assert (code, "there is also --kit sample_submission_python" in said) == (0, True)
    assert enter("deconbench", "--as", "me/python", "--kit", "sample_submission_python")[0] == 0
    assert (fork.path / "submissions/deconbench/me/python/program.py").is_file()
    code, said = enter("deconbench", "--as", "me/x", "--kit", "sample_submission_pyton")
    assert (code, "Did you mean 'sample_submission_python'?" in said) == (2, True)
    code, said = enter("open-tabular", "--as", "me/x")
    assert "a copy of benchmarks/open-tabular/starting_kit/sample_submission" in said
    code, said = enter("tabular-clasics", "--as", "me/x")
    assert (code, "Did you mean 'tabular-classics'?" in said) == (2, True)
    for bad in ("../x", "me/../y", "me/.git", "index.html/x"):
        assert enter("autograph", "--as", bad)[0] == 2
    code, said = enter("autograph", "--as", "Nina Müller/x")
    assert (code, "ASCII letters, digits, '.', '_' and '-'" in said) == (2, True)
    fork.git("config", "user.name", "Ada Lovelace")
    assert enter("autograph")[0] == 0
    assert (fork.path / "submissions/autograph/ada-lovelace/first/model.py").is_file()


def test_only_questions_are_to_be_answered(fork: Repository) -> None:
    def next_of(benchmark: str) -> str:
        said = fork.pullbench("enter", benchmark, "--as", "next/first").stdout
        return next(line for line in said.splitlines() if line.startswith("Next: "))

    place = "submissions/autograph/next/first/submission.yaml"
    assert next_of("agents") == "Next: replace its files with your work, and then"
    assert next_of("autograph") == (
        f"Next: replace its files with your work, and the answers in {place}, and then"
    )


@pytest.mark.parametrize("page", ["README.md", "site/participants/index.md"])
def test_the_five_lines_begin_with_it(page: str) -> None:
    text = (ROOT / page).read_text()
    lines = re.search(r"five lines\n.*?```sh\n(.*?)```", text, re.DOTALL)
    assert lines is not None
    assert len(lines[1].splitlines()) == 5
    assert lines[1].startswith("pullbench enter tabular-classics --as you/first")


def test_no_page_tells_to_copy_a_kit_by_hand() -> None:
    pages = [ROOT / "README.md", *(ROOT / "site").rglob("*.md"),
             *(ROOT / "evaluator/site/pages/templates").glob("*.html")]  # fmt: skip
    told = re.compile(r"cp -r \S*starting_kit|copy (a benchmark's|the) starting kit"
                      r"|begin with the starting kit", re.IGNORECASE)  # fmt: skip
    assert [path.name for path in pages if told.search(path.read_text())] == []
