"""Locally `validate PATH` applies the rules of the pull request, too."""

import re
from pathlib import Path

import pytest

from tests.repository import Repository

SETTINGS = """[tool.pullbench]
organisers = ["olga"]
max_files = 3
max_bytes = "1 KiB"

[tool.pullbench.teams]
cats = ["dora", "olga"]
"""
MINE = "submissions/adding/zoe/first"


def enter(repo: Repository, folder: str = MINE) -> None:
    repo.write(f"{folder}/submission.yaml", "kind: code\n")
    repo.write(f"{folder}/main.py", "print(1)\n")


@pytest.fixture(params=["alone", "uncommitted", "committed"])
def clone(request: pytest.FixtureRequest, small: Repository, tmp_path: Path) -> Repository:
    """A repository without a remote; and a branch of a clone, with and without a commit."""
    small.write("pyproject.toml", SETTINGS)
    small.commit("Settings")
    if request.param == "alone":
        return small
    bare = tmp_path / "origin.git"
    small.git("clone", "--quiet", "--bare", ".", str(bare))
    small.git("remote", "add", "origin", str(bare))
    small.git("fetch", "--quiet", "origin")
    small.git("switch", "--quiet", "--create", "enter")
    if request.param == "committed":
        small.git(
            "config",
            "alias.now",
            "!git add --all; git diff --cached --quiet || git commit -qm Enter",
        )
    return small


def validate(repo: Repository, *arguments: str) -> tuple[int, str]:
    if repo.git("config", "--default", "", "--get", "alias.now"):
        repo.git("now")
    done = repo.pullbench("validate", *(arguments or (MINE,)))
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def test_what_is_right_stays_right(clone: Repository) -> None:
    enter(clone)
    code, said = validate(clone)
    assert code == 0, said
    against = ", against origin/main" if clone.git("remote") else ""
    assert said == f"{MINE}: 0 benchmarks, 1 submission{against}: 0 errors, 0 warnings\n"


@pytest.mark.parametrize(
    ("files", "messages"),
    [
        ({"data.bin": "x" * 2000}, [f"{MINE}: has 0.0 MiB; the limit is 0.0 MiB"]),
        ({f"{i}.txt": "" for i in range(9)}, [f"{MINE}: has 11 files; the limit is 3"]),
        (
            {
                ".gitattributes": "* text\n", "MAIN.py": "", "aux.txt": "",
                "big.bin": "version https://git-lfs.github.com/spec/v1\n",
            },
            ["would change how git treats the repository", "is a Git LFS pointer",
             "is the name of a device on Windows", "only by case or letter form"],
        ),
    ],
)  # fmt: skip
def test_sizes_numbers_and_names(
    clone: Repository, files: dict[str, str], messages: list[str]
) -> None:
    enter(clone)
    for name, content in files.items():
        clone.write(f"{MINE}/{name}", content)
    code, said = validate(clone)
    assert code == 1
    for message in messages:
        assert message in said, said


def test_participants_that_pass_for_others(clone: Repository) -> None:
    for name, message in (
        ("Alice", "differs from the participant 'alice' by case alone"),
        ("a1ice", "looks like the participant 'alice'"),
        ("o1ga", "looks like the name 'olga'"),
    ):
        folder = f"submissions/adding/{name}/first"
        enter(clone, folder)
        code, said = validate(clone, folder)
        assert code == 1
        assert message in said, said


def test_who_may_change_what(clone: Repository) -> None:
    """What is committed is refused; what is not may stay at home, and is warned of."""
    enter(clone)
    changed = {
        "submissions/adding/alice/right/main.py": "belongs to the participant 'alice'",
        "benchmarks/adding/overview.md": "is not a participant's to change",
        "README.md": "is not a participant's to change",
    }
    for path in changed:
        clone.write(path, "changed\n")
    code, said = validate(clone)
    committed = clone.status == ""
    assert code == int(committed), said
    for path, message in changed.items():
        # Of a README nothing is known before it is committed.
        if committed or path != "README.md":
            assert f"{'error' if committed else 'warning'}: {path}: {message}" in said
    assert validate(clone, MINE, "--actor", "olga")[0] == 0  # an organiser may


def test_a_teams_folder_is_its_members(clone: Repository) -> None:
    folder = "submissions/adding/cats/first"
    enter(clone, folder)
    clone.write("README.md", "changed\n")
    assert validate(clone, folder)[0] == 0  # an organiser is among them
    assert validate(clone, folder, "--actor", "zoe")[0] == 1


def test_records_that_somebody_committed_are_named(clone: Repository) -> None:
    enter(clone)
    clone.write(f"{MINE}/scores/main.json", "{}")
    code, said = validate(clone)
    assert code == 1
    if clone.status == "":
        assert "Leave scores/ out of the pull request" in said, said
    assert "[participant must act]" in said
    assert "organiser must act" not in said


def test_every_commit_counts(small: Repository, tmp_path: Path) -> None:
    """A later deletion does not undo an earlier commit that breaks a rule."""
    small.write("pyproject.toml", SETTINGS)
    small.commit("Settings")
    small.git("switch", "--quiet", "--create", "enter")
    enter(small)
    small.write("README.md", "changed\n")
    first = small.commit("Too much")
    small.git("rm", "--quiet", "README.md")
    small.commit("Less")
    code, said = validate(small)
    assert code == 1
    assert f"commit {first[:10]}: changes README.md, which no merge of it may change" in said
    assert "against main: 1 error," in said
    # The commands of its hint do what they say, though the base went on.
    hint = re.search(r"`git fetch upstream && (.*) && git push", said)
    assert hint is not None
    small.git("switch", "--quiet", "main")
    small.write("README.md", "of the base\n")
    small.commit("Go on")
    small.git("switch", "--quiet", "enter")
    commands = hint[1].replace("upstream/main", "main").replace("FOLDER", MINE)
    for command in commands.split(" && "):
        small.git(*command.split()[1:])
    assert validate(small)[0] == 0
    assert small.git("log", "--format=%s", "main..").split() == ["Again"]
    assert (small.path / "README.md").read_text() == "of the base\n"


def test_the_remote_upstream_comes_before_the_fork(small: Repository) -> None:
    small.write("pyproject.toml", SETTINGS)
    small.commit("Settings")
    for remote in ("origin", "upstream"):
        small.git("update-ref", f"refs/remotes/{remote}/main", "HEAD")
    enter(small)
    small.write("README.md", "changed\n")
    small.git("update-ref", "refs/remotes/origin/main", small.commit("Enter on main"))
    code, said = validate(small)
    assert (code, "against upstream/main" in said) == (1, True), said
    small.git("update-ref", "-d", "refs/remotes/upstream/main")
    assert validate(small)[0] == 0


def test_an_ended_phase_is_said_before_anybody_opens_a_pull_request(
    clone: Repository,
) -> None:
    start = "start: 2020-01-01,"
    clone.replace("benchmarks/adding/competition.yaml", start, f"{start} end: 2021-01-01,")
    if clone.git("remote"):
        clone.commit("An end")
        clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    enter(clone)
    code, said = validate(clone)
    if clone.status == "":
        assert code == 1
        assert "after phase 'Main' had ended" in said
    else:
        assert "enters phase 'Main', which ended on 2021-01-01 00:00 UTC" in said


@pytest.mark.slow
def test_bare_validate_judges_ownership_as_with_a_path(small: Repository) -> None:
    """What a branch enters says whose it is; then it is judged as with the path of that."""
    small.write("pyproject.toml", SETTINGS)
    small.commit("Settings")
    small.git("update-ref", "refs/remotes/upstream/main", "HEAD")
    small.git("switch", "--quiet", "--create", "enter")
    enter(small)
    small.write("submissions/adding/alice/right/main.py", "changed\n")
    small.write("benchmarks/adding/overview.md", "changed\n")
    faults = ("submissions/adding/alice/right/main.py: belongs to the participant 'alice'",
              "benchmarks/adding/overview.md: is not a participant's to change")  # fmt: skip
    for committed in (False, True):
        if committed:
            small.commit("Enter")
        bare, with_path = (small.pullbench("validate", *path) for path in ((), (MINE,)))
        assert bare.returncode == with_path.returncode == int(committed), bare.stdout
        for fault in faults:
            assert f"{'error' if committed else 'warning'}: {fault}" in bare.stdout, bare.stdout
            assert fault in with_path.stdout
    organiser = small.pullbench("validate", "--actor", "olga")
    assert organiser.returncode == 0, organiser.stdout
    # Records that a participant commits are named, too.
    small.git("reset", "--quiet", "--hard", "main")
    enter(small)
    small.write(f"{MINE}/scores/main.json", "{}")
    small.commit("Enter with scores")
    done = small.pullbench("validate")
    assert (done.returncode, "Leave scores/ out of the pull request" in done.stdout) == (1, True)


def test_who_brings_a_benchmark_is_no_participant(small: Repository) -> None:
    small.write("pyproject.toml", SETTINGS)
    small.commit("Settings")
    small.git("update-ref", "refs/remotes/origin/main", "HEAD")
    done = small.pullbench("init", "mine", "--template", "code")
    assert done.returncode == 0, done.stderr
    for _ in range(2):
        done = small.pullbench("validate")
        assert done.returncode == 0, done.stdout
        assert "warning" not in done.stdout.rpartition(":")[0]
        if small.status:
            small.commit("A benchmark with its first submission")


def test_notes_for_organisers_are_not_for_participants(small: Repository) -> None:
    small.write("pyproject.toml", SETTINGS)
    small.replace(
        "benchmarks/adding/competition.yaml", "tasks: [0, 1],", "tasks: [0, 1], hide_output: true,"
    )
    small.commit("Hide")
    small.git("update-ref", "refs/remotes/origin/main", "HEAD")
    before = small.pullbench("validate").stdout
    assert "note: benchmarks/adding/competition.yaml" in before
    enter(small)
    done = small.pullbench("validate")
    assert done.returncode == 0
    assert "note" not in done.stdout, done.stdout
    assert "note: benchmarks" in small.pullbench("validate", "--actor", "olga").stdout
