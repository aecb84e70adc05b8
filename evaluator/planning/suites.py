"""Suites in ``suites/``: what is wrong with them."""

from collections.abc import Iterator, Sequence

from evaluator.errors import Actor, Problem
from evaluator.formats.names import name_problem
from evaluator.formats.suite import FOLDER, read_suite_file
from evaluator.planning.snapshot import Snapshot

_SUFFIX = ".yaml"


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
        yield from read_suite_file(contents.get(path, b""), path)[1]
