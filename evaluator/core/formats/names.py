"""Names that become addresses and file names."""

import re

from evaluator.core.errors import Actor, Problem, UsageError

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
"""Of benchmarks, participants and submissions."""


def name_problem(name: str, path: str, actor: Actor) -> Problem | None:
    """Report a name that cannot be part of an address."""
    if NAME.fullmatch(name):
        return None
    return Problem(
        file=path,
        message=f"the name '{name}' is not accepted",
        hint="Use 1 to 64 ASCII letters, digits, '.', '_' and '-', a letter or digit first.",
        actor=actor,
    )


def check_name(name: str) -> None:
    """Raise UsageError where a name that somebody chose cannot be part of an address."""
    problem = name_problem(name, name, Actor.ORGANISER)
    if problem is not None:
        raise UsageError(problem.message, hint=problem.hint)
