from pathlib import Path

import pytest

from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.git.tree import WORKING_TREE, Tree, open_repository, read_tree
from tests.repository import Repository

MAIN = "submissions/adding/alice/right/main.py"
PROGRAM = "benchmarks/adding/scoring_program"


def tree(repo: Repository, revision: str | None = None) -> Tree:
    return read_tree(open_repository(repo.path), revision)


def test_a_clean_working_tree_has_the_ids_of_its_commit(small: Repository) -> None:
    here, there = tree(small), tree(small, "HEAD")
    assert here.entries == there.entries
    assert not here.dirty
    assert here.commit == there.commit == small.git("rev-parse", "HEAD")
    assert here.entries[MAIN].blob == small.git("rev-parse", f"HEAD:{MAIN}")


def test_uncommitted_files_have_the_ids_that_a_commit_gives_them(small: Repository) -> None:
    small.write(MAIN, "def add(numbers):\n    return 0\n")
    small.write("submissions/adding/alice/new/main.py", "x")
    (small.path / PROGRAM / "scoring.py").unlink()
    (small.path / PROGRAM / "metadata.yaml").chmod(0o755)
    before = tree(small)
    assert before.dirty == {
        MAIN,
        "submissions/adding/alice/new/main.py",
        f"{PROGRAM}/metadata.yaml",
        f"{PROGRAM}/scoring.py",
    }
    small.commit()
    after = tree(small)
    assert before.entries == after.entries
    assert not after.dirty
    assert f"{PROGRAM}/scoring.py" not in after.entries


def test_staged_and_unstaged_changes_are_both_seen(small: Repository) -> None:
    small.write(MAIN, "one")
    small.git("add", MAIN)
    small.write(MAIN, "two")
    assert tree(small).read([MAIN]) == {MAIN: b"two"}


def test_a_repository_without_commits(repo: Repository) -> None:
    repo.copy_bundle("small")
    found = tree(repo)
    assert found.commit is None
    assert MAIN in found.dirty
    assert found.last_change([MAIN]) is None
    assert found.added(MAIN) is None


def test_ignored_files_and_other_folders_are_not_seen(small: Repository) -> None:
    small.write(".gitignore", "/build/\n*.log\n")
    small.write("submissions/adding/alice/right/a.log", "x")
    small.write("build/predictions/x", "x")
    small.write("elsewhere/x", "x")
    assert not tree(small).dirty
    small.commit()
    assert not {"elsewhere/x", ".gitignore"} & set(tree(small).entries)


def test_links_are_entries_but_not_regular(small: Repository) -> None:
    link = "submissions/adding/alice/right/link"
    (small.path / link).symlink_to("/etc/passwd")
    before = tree(small)
    assert not before.entries[link].is_regular
    assert before.read([link]) == {link: b"/etc/passwd"}
    small.commit()
    assert tree(small).entries[link] == before.entries[link]


@pytest.mark.parametrize("committed", [False, True])
def test_links_and_submodules_are_not_exported(
    small: Repository, tmp_path: Path, committed: bool
) -> None:
    (small.path / "submissions/adding/alice/right/link").symlink_to("main.py")
    if committed:
        small.commit()
    with pytest.raises(UsageError, match="link or a submodule"):
        tree(small).export("submissions/adding/alice/right", tmp_path / "out")


def test_submodules_are_not_exported(small: Repository, tmp_path: Path) -> None:
    head = small.git("rev-parse", "HEAD")
    path = "submissions/adding/alice/right/module"
    small.git("update-index", "--add", "--cacheinfo", f"160000,{head},{path}")
    small.git("commit", "--quiet", "--message", "Add a submodule")
    found = tree(small, "HEAD")
    assert not found.entries[path].is_regular
    with pytest.raises(UsageError, match="link or a submodule"):
        found.export("submissions/adding/alice/right", tmp_path / "out")


def test_no_attribute_or_filter_acts_on_what_is_exported(small: Repository, tmp_path: Path) -> None:
    """A filter that shouts on the way out, end-of-line rules, and $Id$: the blob is what counts."""
    small.git("config", "filter.shout.smudge", "tr a-z A-Z")
    small.git("config", "filter.shout.clean", "tr A-Z a-z")
    small.git("config", "filter.shout.required", "true")
    raw = b"quiet words $Id$\n"
    loud = "submissions/adding/alice/right/loud.txt"
    small.write(
        "submissions/adding/alice/right/.gitattributes", "*.txt filter=shout eol=crlf ident\n"
    )
    small.write(loud, raw)
    small.git("add", "--all")
    small.git("commit", "--quiet", "--message", "Shout")
    (small.path / loud).unlink()
    small.git("checkout", "--", loud)
    stored = small.git("cat-file", "blob", f"HEAD:{loud}").encode() + b"\n"
    assert (small.path / loud).read_bytes().startswith(b"QUIET WORDS")
    for revision in (None, "HEAD"):
        found = tree(small, revision)
        assert found.entries[loud].blob == small.git("rev-parse", f"HEAD:{loud}")
        found.export("submissions/adding/alice/right", tmp_path / str(revision))
        assert (tmp_path / str(revision) / "loud.txt").read_bytes() == stored


def test_export_keeps_the_executable_bit_and_leaves_out(small: Repository, tmp_path: Path) -> None:
    (small.path / PROGRAM / "scoring.py").chmod(0o755)
    tree(small).export("benchmarks/adding", tmp_path / "out", frozenset({"input_data"}))
    assert (tmp_path / "out/scoring_program/scoring.py").stat().st_mode & 0o100
    assert not (tmp_path / "out/overview.md").stat().st_mode & 0o100
    assert not (tmp_path / "out/input_data").exists()


def test_digest(small: Repository) -> None:
    found = tree(small)
    whole = found.digest(PROGRAM)
    assert found.digest(PROGRAM, frozenset({"metadata.yaml"})) not in {whole, ""}
    assert found.digest("benchmarks/absent") == ""
    assert found.digest("benchmarks/add") == ""  # a prefix of a name is no folder
    (small.path / PROGRAM / "scoring.py").chmod(0o755)
    assert tree(small).digest(PROGRAM) != whole
    (small.path / PROGRAM / "scoring.py").chmod(0o644)
    (small.path / PROGRAM / "scoring.py").rename(small.path / PROGRAM / "scorer.py")
    assert tree(small).digest(PROGRAM) != whole


def test_a_file_that_changes_while_it_is_read(small: Repository) -> None:
    small.write(MAIN, "one")
    found = tree(small)
    small.write(MAIN, "two")
    with pytest.raises(PlatformError, match="changed while it was read"):
        found.read([MAIN])


def test_names_that_are_not_utf8(small: Repository) -> None:
    raw = b"submissions/adding/alice/right/\xff.txt"
    (Path(str(small.path)) / raw.decode("utf-8", "surrogateescape")).write_bytes(b"x")
    name = raw.decode("utf-8", "surrogateescape")
    before = tree(small)
    assert before.read([name]) == {name: b"x"}
    small.commit()
    after = tree(small)
    assert after.read([name]) == {name: b"x"}
    assert after.digest("submissions/adding") == before.digest("submissions/adding")


def test_last_change_and_added(small: Repository) -> None:
    first = small.git("rev-parse", "HEAD")
    small.write(f"{PROGRAM}/scoring.py", "print(1)\n")
    second = small.commit()
    found = tree(small)
    assert second.startswith(found.last_change([PROGRAM]) or "?")
    assert first.startswith(found.last_change([MAIN]) or "?")
    small.write(f"{PROGRAM}/scoring.py", "print(2)\n")
    assert tree(small).last_change([PROGRAM]) is None
    moment = small.git("log", "-1", "--format=%cI", first)
    assert (found.added(MAIN) or "")[:13] == moment[:13].replace("Z", "")
    assert found.added("submissions/absent") is None


@pytest.mark.parametrize("revision", ["absent", "--all", "HEAD:README", "-x", "a\x1b[31m"])
def test_revisions_that_do_not_exist(small: Repository, revision: str) -> None:
    with pytest.raises(UsageError, match="there is no commit called") as caught:
        tree(small, revision)
    assert "\x1b" not in str(caught.value)


def test_not_a_repository(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not in a git repository"):
        open_repository(tmp_path)


def test_a_bare_repository_is_read_at_a_commit(small: Repository, tmp_path: Path) -> None:
    small.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare"))
    bare = open_repository(tmp_path / "bare")
    assert read_tree(bare).entries == tree(small).entries
    assert WORKING_TREE
