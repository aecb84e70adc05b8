"""What an import changed, could not keep, or refuses: reported line by line, never guessed."""

from collections.abc import Iterable
from dataclasses import replace

from evaluator.errors import Actor, Problem
from evaluator.formats.schema import Document, Key, dotted

COMPETITION = "competition.yaml"


class Notes:
    """Problems in the order in which they were met; places are those of the source."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._document: Document | None = None
        self._said: set[tuple[str, str, str]] = set()

    def read(self, document: Document) -> None:
        """Add the problems of reading competition.yaml, and the lines of its keys."""
        self.problems += document.problems
        self._document = document

    def note(self, at: str | Key, message: str, hint: str = "") -> None:
        """Note a change that keeps the meaning."""
        self._add(at, message, hint, "note")

    def warn(self, at: str | Key, message: str, hint: str = "") -> None:
        """Warn of what is lost, or may work differently than the organiser expects."""
        self._add(at, message, hint, "warning")

    def refuse(self, at: str | Key, message: str, hint: str = "") -> None:
        """Note why there will be no benchmark."""
        self._add(at, message, hint, "error")

    @property
    def refused(self) -> bool:
        """Whether anything stands against the import."""
        return any(problem.severity == "error" for problem in self.problems)

    def of_source(self, problems: Iterable[Problem]) -> None:
        """Add what is wrong with the file that would have been written, by the source's lines."""
        line_of = self._document.lines if self._document else {}
        lines = {dotted(key): line for key, line in line_of.items()}
        for problem in problems:
            key = problem.key
            while key and key not in lines:
                key = key[: max(key.rfind("."), key.rfind("["), 0)]
            line = lines.get(key) if key else None
            self.problems.append(replace(problem, file=COMPETITION, line=line))

    def _add(self, at: str | Key, message: str, hint: str, severity: str) -> None:
        file, key, line = at if isinstance(at, str) else COMPETITION, "", None
        if not isinstance(at, str):
            key = dotted(at)
            lines = self._document.lines if self._document else {}
            nearest = next((at[:n] for n in range(len(at), 0, -1) if at[:n] in lines), ())
            line = lines.get(nearest) if nearest else None
        message_key = (file, key, message)
        if message_key in self._said:
            return  # a program that four tasks share is checked four times
        self._said.add(message_key)
        self.problems.append(
            Problem(
                file=file, key=key, line=line, message=message, hint=hint,
                actor=Actor.ORGANISER, severity=severity,
            )
        )  # fmt: skip

    def forget_lines(self) -> None:
        """Stop naming lines: from here on keys are those of the file that is written."""
        self._document = None
