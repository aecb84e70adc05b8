"""Who may enter a benchmark and which terms they accept, by the base branch's bundle."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Annotated, Self

from pydantic import Field, model_validator

from evaluator.core.errors import Actor, Problem, participants_problem
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.planning.snapshot import Snapshot

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
_SHOWN = 16
"""Digits of the digest of terms that a refusal shows."""

AcceptTerms = bool
"""``pullbench: accept_terms:`` of a bundle: whether each entry names the terms' digest."""

TermsAccepted = Annotated[str, Field(pattern="^([0-9a-f]{12,64})?$")]
"""``terms_accepted`` in submission.yaml: first digits of the SHA-256 of the terms."""


class Participants(Strict):
    """``pullbench: participants:`` of a bundle. One match is enough; organisers always may."""

    names: list[str] = []
    """Logins, or teams of ``[tool.pullbench.teams]``."""
    digests: list[Digest] = []
    """SHA-256 of ``salt`` and such a name in lower case: nobody can read the list, but everybody
    can look whether a name is on it."""
    salt: str = ""
    domains: list[Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")]] = []
    """Of e-mail addresses that the forge has verified: see ``Forge.signer``."""

    @model_validator(mode="after")
    def _names_somebody(self) -> Self:
        if not (self.names or self.digests or self.domains):
            raise ValueError("names nobody: give it 'names', 'digests' or 'domains'")
        if self.digests and len(self.salt) < 8:
            raise ValueError("'digests' need a 'salt' of at least 8 characters")
        return self

    def has(self, names: Iterable[str]) -> bool:
        wanted = {name.casefold() for name in names}
        salted = {digest_of(self.salt, name) for name in wanted}
        listed = {name.casefold() for name in self.names}
        return not (listed.isdisjoint(wanted) and salted.isdisjoint(self.digests))


def digest_of(salt: str, name: str) -> str:
    """What stands in a bundle for a login or a team."""
    return hashlib.sha256((salt + name.casefold()).encode()).hexdigest()


def entrant_rules(benchmark: Benchmark, _: Phase) -> Iterator[str]:
    some: Participants | None = benchmark.of_plugins.get("participants")
    if some:
        yield f"Not everybody may enter. {_way_in(some)}"
    if benchmark.of_plugins.get("accept_terms"):
        yield (
            f"You must accept the terms, {benchmark.path}/{benchmark.terms}, with `terms_accepted` "
            "in submission.yaml."
        )


Signer = Callable[[], tuple[str, str] | None]
"""Returns the login and the e-mail address of who signed the head, as far as the forge verified
it."""


def judge_entrants(
    before: Snapshot, entered: Iterable[Submission], actor: str | None, signer: Signer | None
) -> Iterator[Problem]:
    """Report entries of ``actor``, a login, that the base branch's bundles do not admit.

    Without an actor only the terms are judged; without a signer any domain is believed.
    """
    if actor is not None and before.settings.is_organiser(actor):
        return
    for item in entered:
        benchmark = before.benchmarks.get(item.benchmark)
        if benchmark is None:
            continue
        some: Participants | None = benchmark.of_plugins.get("participants")
        names = {item.participant, actor or item.participant}
        if some and actor and not some.has(names) and not _is_of(some.domains, actor, signer):
            fault = f"'{actor}' is not among the participants of {benchmark.name}"
            yield participants_problem(item.path, fault, _way_in(some))
        if benchmark.of_plugins.get("accept_terms"):
            yield from _terms(before, benchmark, item)


def _is_of(domains: Collection[str], actor: str, signer: Signer | None) -> bool:
    if signer is None or not domains:
        return bool(domains)
    signed = signer()
    if signed is None or signed[0].casefold() != actor.casefold():
        return False
    return signed[1].rpartition("@")[2].casefold() in domains


def _way_in(participants: Participants) -> str:
    ask = "The list is closed: ask the organisers to add your login."
    if not participants.domains:
        return ask
    domains = ", ".join(participants.domains)
    return (
        f"Sign your last commit, and commit it with an address at {domains} that the forge has "
        "verified (`git config user.email`, then `git commit --amend --reset-author -S`)."
        + (f" Or: {ask[0].lower()}{ask[1:]}" if participants.names or participants.digests else "")
    )


def _terms(before: Snapshot, benchmark: Benchmark, item: Submission) -> Iterator[Problem]:
    path = f"{benchmark.path}/{benchmark.terms}"
    digest = hashlib.sha256(before.tree.read([path]).get(path, b"")).hexdigest()
    accepted = item.of_plugins.get("terms_accepted")
    if accepted and digest.startswith(accepted):
        return
    why = "are others than those of today" if accepted else "are not accepted"
    yield Problem(
        file=f"{item.path}/{FILE_NAME}", key="terms_accepted",
        message=f"the terms of {benchmark.name} {why}",
        hint=f'Read {path}. If you accept it, write `terms_accepted: "{digest[:_SHOWN]}"`.',
        actor=Actor.PARTICIPANT,
    )  # fmt: skip
