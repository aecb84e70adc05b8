"""Refuses participants and benchmarks whose folder on the site would be a file of the site."""

from collections.abc import Iterator, Sequence

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.names import BENCHMARKS, PARTICIPANTS, is_reserved
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.planning.snapshot import Snapshot


def check_site_names(snapshot: Snapshot, paths: Sequence[str], *, new: bool) -> Iterator[Problem]:
    """Report names that the site needs itself; what is committed already is warned of alone.

    ``new`` says that all of the paths are proposed.
    """
    clashes: dict[tuple[str, str, Actor], bool] = {}
    for path in paths:
        parts = path.split("/", 4)
        fresh = new or path in snapshot.tree.dirty
        if parts[0] == "submissions" and len(parts) == 5 and is_reserved(parts[2], PARTICIPANTS):
            key = ("/".join([*parts[:4], FILE_NAME]), parts[2], Actor.PARTICIPANT)
        elif parts[0] == "benchmarks" and len(parts) > 2 and is_reserved(parts[1], BENCHMARKS):
            key = (f"benchmarks/{parts[1]}/{BUNDLE_FILE}", parts[1], Actor.ORGANISER)
        else:
            continue
        # What changes in a folder that is there is not a new name.
        clashes[key] = clashes.get(key, True) and fresh
    for (file, name, actor), fresh in clashes.items():
        kind = "participant" if actor is Actor.PARTICIPANT else "benchmark"
        yield Problem(
            file=file, key=kind,
            message=f"the {kind}'s name '{name}' is that of a file of the site",
            hint="Choose another name for the folder.", actor=actor,
            severity="error" if fresh else "warning",
        )  # fmt: skip
