"""All problems of a snapshot's files, by file and line."""

from collections.abc import Collection, Iterable

from evaluator.core.errors import Problem
from evaluator.core.planning.places import is_at
from evaluator.core.planning.rules import check_tree
from evaluator.core.planning.snapshot import Snapshot


def validate(snapshot: Snapshot, places: Collection[str] = ()) -> list[Problem]:
    """Return everything that is wrong, or wrong at and below some paths."""
    return by_place(
        problem
        for problem in (*snapshot.problems, *check_tree(snapshot))
        if not places or any(is_at(problem.file, place) for place in places)
    )


def by_place(problems: Iterable[Problem]) -> list[Problem]:
    """Sort problems by file and line, each once."""
    return sorted(
        dict.fromkeys(problems),
        key=lambda problem: (problem.file, problem.line or 0, problem.key),
    )
