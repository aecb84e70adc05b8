"""Commits as an attacker writes them: objects of git, whatever git's own commands would refuse."""

import os
from collections.abc import Iterable, Mapping

import pygit2
from pygit2.enums import ObjectType

from tests.hostile.cases import Commit
from tests.repository import Repository

Entry = tuple[str, str, str]
"""Mode, path, id."""


def write_commits(repository: Repository, commits: Iterable[Commit], start: str) -> str:
    """Write commits; the id of the last one."""
    objects = pygit2.Repository(str(repository.path))
    ids = {"main": start, "main~1": repository.git("rev-parse", f"{start}~1")}
    last = start
    for commit in commits:
        parents = [ids[name] for name in commit.parents] or [last]
        entries = changed(objects, _entries(repository, parents[0]), commit)
        tree = write_tree(objects, entries)
        arguments = [part for parent in parents for part in ("-p", parent)]
        last = repository.git("commit-tree", tree, *arguments, "-m", commit.name or "A change")
        ids[commit.name] = last
    return last


def _entries(repository: Repository, commit: str) -> dict[str, tuple[str, str]]:
    listed = repository.git("ls-tree", "-r", "-z", commit).split("\0")
    found = {}
    for line in filter(None, listed):
        facts, _, path = line.partition("\t")
        mode, _, blob = facts.split()
        found[path] = (mode, blob)
    return found


def changed(
    objects: pygit2.Repository, before: Mapping[str, tuple[str, str]], commit: Commit
) -> list[Entry]:
    """Return the files of a commit."""

    def blob(content: str) -> str:
        return str(objects.write(ObjectType.BLOB, os.fsencode(content)))

    found = {
        path: entry
        for path, entry in before.items()
        if not any(path == gone or path.startswith(f"{gone}/") for gone in commit.delete)
    }
    found |= {path: ("100644", blob(text)) for path, text in commit.files.items()}
    found |= {path: ("120000", blob(target)) for path, target in commit.links.items()}
    found |= dict.fromkeys(commit.submodules, ("160000", "1" * 40))
    found |= {path: ("100755", found[path][1]) for path in commit.executable}
    return [
        *((mode, path, blob) for path, (mode, blob) in found.items()),
        *((entry.mode, entry.path, blob(entry.content)) for entry in commit.raw),
    ]


def write_tree(objects: pygit2.Repository, entries: Iterable[Entry]) -> str:
    """Write a tree and those in it. What has the same name twice stands there twice."""
    own: list[Entry] = []
    below: dict[str, list[Entry]] = {}
    for mode, path, blob in entries:
        name, slash, rest = path.partition("/")
        if slash:
            below.setdefault(name, []).append((mode, rest, blob))
        else:
            own.append((mode, name, blob))
    own += [("40000", name, write_tree(objects, found)) for name, found in below.items()]
    own.sort(key=lambda entry: os.fsencode(entry[1]) + (b"/" if entry[0] == "40000" else b""))
    content = b"".join(
        f"{mode.lstrip('0')} ".encode() + os.fsencode(name) + b"\0" + bytes.fromhex(blob)
        for mode, name, blob in own
    )
    return str(objects.write(ObjectType.TREE, content))
