"""``pullbench init --from BENCHMARK --data FOLDER``: programs stay, data go."""

from pathlib import Path

import pytest

from tests.repository import Repository

OLD, NEW = "benchmarks/echo", "benchmarks/other"
TRUTH = "id,value\n1,0.5\n2,7.0\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Other data for the benchmark ``echo``."""
    folder = tmp_path / "data"
    (folder / "reference_data").mkdir(parents=True)
    (folder / "reference_data/answers.csv").write_text(TRUTH)
    return folder


def files(repo: Repository, path: str) -> dict[str, bytes]:
    root = repo.path / path
    return {
        found.relative_to(root).as_posix(): found.read_bytes()
        for found in root.rglob("*")
        if found.is_file()
    }


def test_only_data_and_title_are_others(small: Repository, data: Path) -> None:
    (data / "overview.md").write_text("# Other\n")
    done = small.pullbench("init", "other", "--from", "echo", "--data", str(data))
    assert done.returncode == 0, done.stderr
    assert "copy of benchmarks/echo, with other data and without its submissions" in done.stdout
    old, new = files(small, OLD), files(small, NEW)
    # A file of the old data under a name that the new do not have is gone.
    assert set(old) - set(new) == {"reference_data/predictions.csv"}
    assert set(new) - set(old) == {"reference_data/answers.csv"}
    changed = {name for name in set(old) & set(new) if old[name] != new[name]}
    assert changed == {"competition.yaml", "overview.md"}
    assert new["competition.yaml"] == old["competition.yaml"].replace(b"Echo", b"Other", 1)
    assert not small.problems()


def test_all_that_is_wrong_is_said_at_once_and_nothing_is_written(
    small: Repository, data: Path
) -> None:
    (data / "reference_data/answers.csv").rename(data / "answers.csv")
    (data / "scoring_program").mkdir()
    (data / "scoring_program/scoring.py").write_text("print('mine')\n")
    (data / "competition.yaml").write_text("version: 2\n")
    done = small.pullbench("init", "other", "--from", "echo", "--data", str(data))
    assert done.returncode == 1
    said = done.stderr
    assert "data/reference_data: is missing, and competition.yaml names it" in said
    for name in ("answers.csv", "scoring_program/scoring.py", "competition.yaml"):
        assert f"data/{name}: is neither data of a task nor a page" in said
    assert not (small.path / NEW).exists()


def test_links_are_refused(small: Repository, data: Path) -> None:
    (data / "reference_data/link.csv").symlink_to("/etc/hostname")
    done = small.pullbench("init", "other", "--from", "echo", "--data", str(data))
    assert done.returncode == 1
    assert "reference_data/link.csv: is a link" in done.stderr
    assert not (small.path / NEW).exists()


def test_private_data_stay_pinned_and_are_named(small: Repository, data: Path) -> None:
    small.replace(
        f"{OLD}/competition.yaml",
        "pullbench:\n",
        "pullbench:\n  private: [{task: 0, file: reference_data, path: a/b,"
        f" sha256: {'a' * 64}}}]\n",
    )
    small.commit()
    done = small.pullbench("init", "other", "--from", "echo", "--data", str(data))
    assert done.returncode == 2
    assert "has no data in its bundle" in done.stderr
    # Beside another task, whose data are in the bundle.
    small.replace(
        f"{OLD}/competition.yaml",
        "phases:\n",
        "  - {index: 1, name: More, scoring_program: scoring_program, reference_data: more}\n\n"
        "phases:\n",
    )
    small.write(f"{OLD}/more/answers.csv", TRUTH)
    small.commit()
    (data / "reference_data").rename(data / "more")
    done = small.pullbench("init", "other", "--from", "echo", "--data", str(data))
    assert done.returncode == 0, done.stderr
    assert "note: private data of 'Echo' are pinned as in echo; pin your own" in done.stdout


def test_wrong_use(small: Repository, data: Path) -> None:
    for options in (
        ("--template", "code", "--data", str(data)),
        ("--from", "echo", "--data", str(data / "absent")),
    ):
        assert small.pullbench("init", "other", *options).returncode == 2
    assert not (small.path / NEW).exists()
