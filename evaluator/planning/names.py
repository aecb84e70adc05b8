"""Names that become addresses and file names."""

import re

from evaluator.errors import Actor, Problem

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
