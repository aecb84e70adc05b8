"""Files as git lists them, whatever strangers call them."""

import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from evaluator.core.git.listing import Listing, TreeEntry, parse

OWN = "submissions/b/p/s"
NASTY = (
    "pyproject.toml",
    "benchmarks/b/competition.yaml",
    "submissions/readme",
    "submissions/b/readme",
    "submissions/b/p/readme",
    f"submissions/b/p/r\t{OWN}/readme",
    f"{OWN}-file",
    f"{OWN}.x/main.py",
    f"{OWN}/a\t{OWN}/scores/final/one.json",
    f"{OWN}/main.py",
    f"{OWN}/package/deep/file",
    f"{OWN}/scores/final/one.json",
    f"{OWN}/scores/final/two.json",
    f"{OWN}/scores-mine/final/one.json",
    f"{OWN}/submission.yaml",
    f"{OWN}/z\n040000 tree 0\tsubmissions/b/p/t",
    f"submissions/b/p/z\t{OWN}/main.py",
    "submissions/b/q/\t/ /file",
    "submissions/c/p/scores/scores/scores/scores",
    "suites/one.yaml",
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("listed")
    subprocess.run(["git", "init", "-q", folder], check=True)
    return folder


def commit(root: Path, paths: Collection[str]) -> None:
    """Commit files that hold their own names, and nothing else."""
    lines = [b"commit refs/heads/made\ncommitter A <a@localhost> 0 +0000\ndata 0\n", b"deleteall\n"]
    for path in paths:
        name = path.encode("utf-8", "surrogateescape")
        quoted = name
        for raw, shown in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
            quoted = quoted.replace(raw, shown)
        mode = b"120000" if name.endswith(b"link") else b"100644"
        lines.append(b'M %b inline "%b"\ndata %d\n%b\n' % (mode, quoted, len(name), name))
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"], input=b"".join(lines), cwd=root, check=True
    )


def listed(root: Path, *options: str) -> bytes:
    command = ["git", "ls-tree", "-r", "-z", "--full-tree", *options, "made"]
    return subprocess.run(command, cwd=root, check=True, capture_output=True).stdout


def submission_of(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:4]) if len(parts) > 4 and parts[0] == "submissions" else ""


def check(root: Path) -> Listing:
    """Compare a listing with what git says file by file."""
    plain: dict[str, TreeEntry] = parse(listed(root))
    made = Listing(listed(root))
    assert dict(made) == plain
    assert len(made) == len(plain)
    assert all(made[path] == entry and path in made for path, entry in plain.items())
    assert "submissions/b/p/s/none" not in made
    assert {*made.folders} == {*map(submission_of, plain)} - {""}
    for name, folder in made.folders.items():
        own = [path for path in plain if submission_of(path) == name]
        scores = [path for path in own if path.startswith(f"{name}/scores/")]
        assert [*folder.entries] == own
        assert sorted(folder.records) == sorted(scores)
        assert sorted(folder.submitted) == sorted({*own} - {*scores})
        # What is laid over a commit tells the same as the commit that it becomes.
        other = Listing()
        for path in reversed(own):
            other.put(path, plain[path])
        assert other.folders[name].digest() == folder.digest()
        for path in scores:
            other.put(path, None)
        assert (name in other.folders) == (len(own) > len(scores))
        if name in other.folders:
            assert other.folders[name].digest() == folder.submitted_digest()
    assert [*made.outside] == [path for path in plain if not submission_of(path)]
    folders = {path.rpartition("/")[0] for path in plain} | {"submissions", "benchmarks", "none"}
    for one in {parent for path in folders if path for parent in (path, path.rpartition("/")[0])}:
        if one:
            assert made.below(one) == sorted(path for path in plain if path.startswith(f"{one}/"))
    return made


@settings(max_examples=40)
@given(before=st.sets(st.sampled_from(NASTY)), after=st.sets(st.sampled_from(NASTY)))
def test_changes_make_what_git_lists(empty: Path, before: set[str], after: set[str]) -> None:
    """A commit's listing, made of another's and what differs, is as git's own."""
    commit(empty, before)
    earlier = Listing(listed(empty))
    was = {name: folder.digest() for name, folder in earlier.folders.items()}
    commit(empty, after)
    made = Listing(listed(empty))
    gone: dict[str, TreeEntry | None] = dict.fromkeys(before - after)
    changed = earlier.with_changes(gone | {path: made[path] for path in sorted(after - before)})
    assert [*changed.items()] == [*made.items()]
    assert [*changed.folders] == [*made.folders] and [*changed.outside] == [*made.outside]
    for name, folder in made.folders.items():
        assert changed.folders[name].digest() == folder.digest()
    assert {name: folder.digest() for name, folder in earlier.folders.items()} == was


def test_names_that_look_like_lines_of_git(empty: Path) -> None:
    commit(empty, NASTY)
    made = check(empty)
    assert {*made.folders} == {
        OWN, f"{OWN}.x", "submissions/b/q/\t", "submissions/c/p/scores",
        "submissions/b/p/r\tsubmissions", "submissions/b/p/z\tsubmissions",
    }  # fmt: skip
    assert len(made) == len(NASTY)


names = st.text(st.sampled_from("as.-\t\n 0"), min_size=1, max_size=4).filter(
    lambda name: name not in (".", "..")
)
parts = st.one_of(names, st.sampled_from(["s", "scores", "link"]))
paths = st.lists(parts, min_size=1, max_size=7).map(
    lambda found: "/".join(["submissions", *found] if len(found) > 1 else found)
)


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(found=st.sets(paths, min_size=1, max_size=25))
def test_any_names(empty: Path, found: set[str]) -> None:
    folders = {path[:place] for path in found for place, one in enumerate(path) if one == "/"}
    assume(not folders & found)
    commit(empty, sorted(found))
    check(empty)
