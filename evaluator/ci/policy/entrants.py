"""Who may enter a benchmark, by the base branch's bundle."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.snapshot import Snapshot

Participants = Annotated[list[str], Field(min_length=1)]
"""``pullbench: participants:`` of a bundle: logins, or teams of ``[tool.pullbench.teams]``, that
may enter. Organisers always may."""


def judge_entrants(
    before: Snapshot, entered: Iterable[Submission], actor: str
) -> Iterator[Problem]:
    """Report entries of ``actor``, a login, that the base branch's bundles do not admit."""
    if before.settings.is_organiser(actor):
        return
    for item in entered:
        benchmark = before.benchmarks.get(item.benchmark)
        listed: list[str] = benchmark.of_plugins.get("participants", []) if benchmark else []
        names = {item.participant.casefold(), actor.casefold()}
        if listed and names.isdisjoint(map(str.casefold, listed)):
            yield Problem(
                file=item.path,
                message=f"'{actor}' is not among the participants of {item.benchmark}",
                hint="The list is closed: ask the organisers to add your login.",
                actor=Actor.PARTICIPANT,
            )
