"""Participants who share a quota: one party, and all who give the same answer.

A party is a participant by any case of the name, since forges ignore it, and all who are in a
team with it: a team's folder, and its members' own. Whoever is in two teams makes one party of
both.

``pullbench.quota_by`` names a question whose equal answers count together, too. What was answered
when an attempt came counts for ever, so that a corrected answer frees nobody.
"""

import unicodedata
from collections.abc import Mapping

from evaluator.core.formats.fact_sheet import answer_text
from evaluator.core.formats.settings import Settings


class Parties:
    """Participants that count as one, by the settings of the base branch."""

    def __init__(self, settings: Settings) -> None:
        self._members: dict[str, frozenset[str]] = {}
        for team, members in settings.teams.items():
            joined = {team.casefold(), *(member.casefold() for member in members)}
            for name in list(joined):
                joined |= self._members.get(name, frozenset())
            self._members |= dict.fromkeys(joined, frozenset(joined))

    def names(self, participant: str) -> frozenset[str]:
        """All names of a participant's party, in lower case."""
        name = participant.casefold()
        return self._members.get(name, frozenset([name]))

    def of(self, participant: str) -> str:
        return min(self.names(participant))


def shared_answer(fact_sheet: Mapping[str, object], question: str) -> str:
    """Return what a submission shares its quota by, as it is compared; empty for nothing."""
    return compared(fact_sheet.get(question)) if question else ""


def compared(answer: object) -> str:
    """Reduce an answer so that those are equal that are one.

    Case does not count, nor do blanks and what cannot be seen. Of an address neither do the dots
    before the ``@``, nor a ``+`` and what follows it there, nor quotes around that, nor which of
    its two forms a host with other letters has: the mail arrives in one place.
    """
    if answer is None or isinstance(answer, dict | list):
        return ""  # which no question accepts
    text = answer_text(answer) if isinstance(answer, str | bool) else str(answer)
    folded = "".join(
        character
        for character in unicodedata.normalize("NFKC", text).casefold()
        if unicodedata.category(character)[0] not in "CZ"
    )
    name, at, host = folded.rpartition("@")
    mailbox = name.strip('"').partition("+")[0].replace(".", "")
    return f"{mailbox}@{_ascii(host.rstrip('.'))}" if at and mailbox and host else folded


def _ascii(host: str) -> str:
    """Return the form of a host's name that is asked for in the net."""
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host
