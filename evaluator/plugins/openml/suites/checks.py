"""Suites in ``suites/``: what is wrong with them."""

import posixpath
import re
from collections.abc import Iterator, Sequence

from evaluator.core.errors import Actor, Problem, some_of
from evaluator.core.formats.names import name_problem
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.openml.suites.format import FOLDER, read_suite_file

_SUFFIX = ".yaml"
_ELSEWHERE = re.compile(r"pypi:|package:|https?://|t/[0-9]+$")


def _is_of_one_machine(source: str, snapshot: Snapshot) -> bool:
    path = posixpath.normpath(source.partition("!")[0])
    return path.startswith(("/", "..")) or snapshot.tree.is_ignored(path)


def check_suites(snapshot: Snapshot, prefixes: Sequence[str] = ()) -> Iterator[Problem]:
    """Report suites that cannot be read; ``prefixes`` as for all rules of a tree."""
    files = [
        path
        for path in snapshot.tree.under(FOLDER)
        if not prefixes or path.startswith(tuple(prefixes))
    ]
    contents = snapshot.tree.read(files)
    for path in files:
        name = path.removeprefix(f"{FOLDER}/").removesuffix(_SUFFIX)
        if not path.endswith(_SUFFIX):
            yield Problem(
                file=path, message="is no suite, since its name does not end in .yaml",
                hint="`pullbench suite create` writes suites/<name>.yaml.",
                actor=Actor.ORGANISER, severity="warning",
            )  # fmt: skip
            continue
        bad_name = name_problem(name, path, Actor.ORGANISER)
        if bad_name:
            yield bad_name
        suite, problems = read_suite_file(contents.get(path, b""), path)
        yield from problems
        here = [
            member.source
            for member in (suite.members if suite else ())
            if not _ELSEWHERE.match(member.source) and _is_of_one_machine(member.source, snapshot)
        ]
        if here:
            yield Problem(
                file=path, key="members",
                message=f"has sources of one machine alone: {some_of(here)}",
                hint="Put the files into the repository, or name a release "
                "(pypi:NAME==VERSION!FILE) or an address; the digest stays.",
                actor=Actor.ORGANISER, severity="warning",
            )  # fmt: skip
