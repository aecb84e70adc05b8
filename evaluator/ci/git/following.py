"""A clone that stands on a branch which was moved: its index and its files keep up.

What is about to be moved is noted first, so that the next command ends what a killed one began.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evaluator.ci.git.advice import what_to_do
from evaluator.ci.git.remote import contains
from evaluator.ci.git.watching import own_file
from evaluator.core.errors import PlatformError
from evaluator.core.git.commands import Repo, ask_about, read_blobs
from evaluator.core.git.listing import TreeEntry

Files = Mapping[str, bytes | TreeEntry | None]
"""Path -> content, or what git has already; None takes the path away."""
Replaceable = Mapping[str, Sequence[bytes]]
"""Path -> contents that were handed in for it; a file that holds one of them may be replaced."""
_SECONDS = 5
_EXECUTABLE = "100755"
_PLAIN = {"100644", _EXECUTABLE, "000000"}
"""Modes of files, and of what is not there."""
NOTHING = "0" * 40
"""git's name for an object that is not there."""


class _Difference(NamedTuple):
    mode: str
    old: str
    new: str
    """Blob ids; NOTHING where the path is not there."""
    path: str


def note_move(repo: Repo, branch: str, tip: str | None, commit: str) -> None:
    """Note a move that is about to be made, where the clone will have to keep up."""
    if tip is not None and _stands_on(repo, branch):
        note = _note(repo)
        unfinished = note.with_suffix(".part")
        unfinished.write_text(json.dumps([branch, tip, commit]))
        unfinished.replace(note)


def forget_move(repo: Repo) -> None:
    _note(repo).unlink(missing_ok=True)


def end_move(repo: Repo, branch: str, tip: str | None, replaceable: Replaceable) -> None:
    """Follow a move of a branch, now at ``tip``, after which a command was killed."""
    if not _note(repo).exists():
        return
    of_branch, before, commit = json.loads(_note(repo).read_text())
    if of_branch == branch:
        if tip is not None and contains(repo, tip, commit):
            follow(repo, branch, before, commit, replaceable)
        forget_move(repo)


def _note(repo: Repo) -> Path:
    return own_file(repo, "move.json")


def await_index(repo: Repo, branch: str) -> None:
    """Wait for another git command. Raises PlatformError if the clone could not keep up."""
    if not _stands_on(repo, branch):
        return
    lock = Path(repo.git_dir, "index.lock")
    end = time.monotonic() + _SECONDS
    while lock.exists():
        if time.monotonic() > end:
            raise PlatformError(
                f"the index of this clone is locked by {lock}; nothing was committed",
                hint=what_to_do(f"'{lock}': File exists"),
            )
        time.sleep(0.1)


def _stands_on(repo: Repo, branch: str) -> bool:
    return not repo.bare and repo.branch == branch


def follow(repo: Repo, branch: str, tip: str, commit: str, replaceable: Replaceable) -> None:
    """Update a clone that is on the branch, if it was at the old tip; else its owner pulls."""
    if not _stands_on(repo, branch):
        return
    here = str(repo.git.rev_parse("--verify", f"refs/heads/{branch}"))
    if here == tip:
        repo.git.update_ref("-m", "pullbench commit", f"refs/heads/{branch}", commit, tip)
    elif here != commit:
        return
    differences = list(_differences(repo, tip, commit))
    _lay_out(repo, differences, replaceable)
    # Mode 0 takes a path out of the index.
    lines = (
        f"{difference.mode.lstrip('0') or '0'} {difference.new}\t{difference.path}\0"
        for difference in differences
    )
    ask_about(repo, "".join(lines), "update-index", "--add", "-z", "--index-info")


def _differences(repo: Repo, tip: str, commit: str) -> Iterator[_Difference]:
    output: str = repo.git.diff_tree("-r", "-z", "--no-renames", tip, commit)
    fields = iter(output.split("\0"))
    # ":<old mode> <new mode> <old id> <new id> <status>\0<path>\0"
    for head, path in zip(fields, fields, strict=False):
        _, mode, old, new, _ = head.split(" ")
        yield _Difference(mode, old, new, path)


def _lay_out(repo: Repo, differences: Sequence[_Difference], replaceable: Replaceable) -> None:
    """Write the files of a new commit; what somebody changed, and did not hand in, stays."""
    root = Path(str(repo.working_tree_dir))

    @cache
    def is_folder(folder: Path) -> bool:
        return folder == root or (
            not folder.is_symlink() and not folder.is_file() and is_folder(folder.parent)
        )

    def is_safe(file: Path) -> bool:
        """Whether neither a link nor something of another kind is in the file's place."""
        is_other = file.is_symlink() or (file.exists() and not file.is_file())
        return is_folder(file.parent) and not is_other

    safe = [one for one in differences if one.mode in _PLAIN and is_safe(root / one.path)]
    present = [difference.path for difference in safe if (root / difference.path).is_file()]
    ids = ask_about(repo, "\n".join(present), "hash-object", "--no-filters", "--stdin-paths")
    present_ids = dict(zip(present, ids.decode().split(), strict=True))
    contents = read_blobs(repo, [item.new for item in safe if item.new != NOTHING])
    for difference in safe:
        file = root / difference.path
        content = None if difference.new == NOTHING else next(contents)
        is_as_before = present_ids.get(difference.path, NOTHING) == difference.old
        was_handed_in = difference.path in present_ids and (
            file.read_bytes() in replaceable.get(difference.path, ())
        )
        if not is_as_before and not was_handed_in:
            continue
        if content is None:
            file.unlink(missing_ok=True)
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_name(f".{file.name}.part")
        unfinished.write_bytes(content)
        unfinished.chmod(0o755 if difference.mode == _EXECUTABLE else 0o644)
        unfinished.replace(file)
