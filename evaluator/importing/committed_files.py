"""Private data that git has in the clear, and files that a bundle names and git has not."""

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from evaluator.core.errors import Actor, Problem, UsageError, some_of
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import read_yaml
from evaluator.core.git.commands import Repo, ask_about
from evaluator.core.git.repository import GitFailedError
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot
from evaluator.importing.folder import is_skipped
from evaluator.importing.pinned import content_digest


def check_leaks(tree: Tree, benchmark: Benchmark) -> Iterator[Problem]:
    """Report data that a bundle pins as private where git has the same content in the clear."""
    plain: dict[str, set[str]] = defaultdict(set)
    for path, sha256 in _plain(benchmark):
        plain[path].add(sha256)
    checked = {(path, tree.digest(path)) for path in plain}
    leaked = {path for path in plain if _holds(tree, path, plain[path])}
    for path in sorted(leaked):
        yield benchmark.problem(
            "pullbench.private",
            f"keeps data private that lie in the clear at {shown(path)}",
            "Move them out of the repository, and take the path out of the task; "
            "`git rm -r --cached` leaves them on your disk.",
        )
    for commit in _commits_of(tree.repository, tree.commit, plain) if plain and tree.commit else ():
        earlier = tree.at_commit(commit, benchmark.path)
        for path in sorted(plain.keys() - leaked):
            version = (path, earlier.digest(path))
            if version not in checked and _holds(earlier, path, plain[path]):
                leaked.add(path)
                yield benchmark.problem(
                    "pullbench.private",
                    f"keeps data private that commit {commit[:10]} has in the clear at "
                    f"{shown(path)}: all who can clone can read them, for ever",
                    "Make other data, and pin those. If nobody else has a clone yet, take them "
                    f"out of every commit: `git filter-repo --invert-paths --path {shown(path)}`.",
                    severity="warning",
                )
            checked.add(version)


def _commits_of(repo: Repo, commit: str, paths: Iterable[str]) -> list[str]:
    """The commits up to one that changed any of the paths, on side branches, too."""
    asked = "\n".join([commit, "--", *paths])
    options = ("--full-history", "--format=%H", "--stdin")
    return ask_about(repo, asked, "log", *options).decode().split()


def _plain(benchmark: Benchmark) -> Iterator[tuple[str, str]]:
    """Yield where pinned data, or what was encrypted, may lie in the clear, each with a digest."""
    for task in benchmark.tasks:
        for item in task.private:
            named = getattr(task, item.file, None) or item.file
            for name in (named, (item.encrypted or "").removesuffix(".age").removesuffix(".zip")):
                if name:
                    yield f"{benchmark.path}/{name.strip('/')}", item.sha256


def _holds(tree: Tree, path: str, digests: set[str]) -> bool:
    if path not in tree.entries and not tree.under(path):
        return False
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "data")
        try:
            tree.export(path, target)
        except UsageError:  # a link, and no private data are made of links
            return False
        return content_digest(next(target.iterdir()) if path in tree.entries else target) in digests


def check_unstored(snapshot: Snapshot, folder: str = "benchmarks") -> Iterator[Problem]:
    """Warn of files of the working tree that runs here see, and runs of a commit do not."""
    tree = snapshot.tree
    named: dict[str, set[str]] = {}
    groups: dict[tuple[str, str], list[str]] = {}
    for path, reason in sorted(_altered(tree, folder).items()):
        bundle = "/".join(path.split("/")[:2])
        if bundle not in named:
            place = tree.root / bundle / FILE_NAME
            content = place.read_bytes() if place.is_file() else b""
            data = read_yaml(content, FILE_NAME, Actor.ORGANISER, lenient=True).data
            named[bundle] = {FILE_NAME, *_texts(data)}
        relative = PurePosixPath(path.removeprefix(f"{bundle}/"))
        if is_skipped(path):
            continue
        if any(relative.is_relative_to(name) for name in named[bundle]):
            groups.setdefault((bundle, reason), []).append(shown(str(relative)))
    for (bundle, reason), paths in groups.items():
        yield Problem(
            file=f"{bundle}/{FILE_NAME}",
            message=f"names {some_of(paths)}, which {shown(reason)}: a commit differs",
            hint=f"`git add --force {bundle}` takes what is ignored; take the line away where it "
            "changes files.",
            actor=Actor.ORGANISER, severity="warning",
        )  # fmt: skip


def _altered(tree: Tree, folder: str) -> dict[str, str]:
    """Files below a folder that `git add` leaves out or changes, each with the reason."""
    repo = tree.repository
    if repo.bare:
        return {}
    new = {path: tree.entries[path] for path in tree.under(folder) if path in tree.dirty}
    blobs = {path: entry.blob for path, entry in new.items() if entry.is_regular}
    listed = repo.git.ls_files("-z", "--others", "--ignored", "--exclude-standard", "--", folder)
    answer = ask_about(repo, listed, "check-ignore", "--verbose", "-z", "--stdin")
    words = os.fsdecode(answer).split("\0")
    reasons = {
        path: f"is ignored by line {line} of {source}, '{pattern}'"
        for source, line, pattern, path in zip(*(words[at:-1:4] for at in range(4)), strict=True)
    }
    paths = [path for path in blobs if "\n" not in path]
    try:
        stored = ask_about(repo, "\n".join(paths), "hash-object", "--stdin-paths").decode().split()
    except GitFailedError as error:  # a program is not here that .gitattributes ask for
        return reasons | dict.fromkeys(paths, f"cannot be added: {error.message}")
    for path, blob in zip(paths, stored, strict=True):
        if blob != blobs[path]:
            reasons[path] = "is changed by git: by core.autocrlf, or by a line of .gitattributes"
    return reasons


def _texts(data: Any) -> Iterator[str]:
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    for value in values:
        if isinstance(value, str) and value.strip("./"):
            yield value.removeprefix("./").rstrip("/")
        yield from _texts(value)
