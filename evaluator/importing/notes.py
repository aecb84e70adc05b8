"""What an import changed, could not keep, or refuses: reported line by line, never guessed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from evaluator.core.errors import Actor, Problem, errors_in, printable
from evaluator.core.formats.schema import Document, Key, dotted
from evaluator.core.log import say

COMPETITION = "competition.yaml"
_MAX_MESSAGE = 1000
MAX_ALIKE = 10
"""Notes with the same words that are printed one by one."""


class Notes:
    """Problems in the order in which they were met; places are those of the source."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._lines: dict[str, int] = {}
        self._origins: dict[str, str] = {}
        self._said: set[Problem] = set()

    def read(self, document: Document) -> None:
        self.problems += document.problems
        self._lines = {dotted(key): line for key, line in document.lines.items()}

    def add(self, problems: Iterable[Problem]) -> None:
        """Add problems, each once: a program that four tasks share is checked four times."""
        new = [one for one in problems if one not in self._said]
        self._said.update(new)
        self.problems += new

    def note(self, at: str | Key, message: str, hint: str = "") -> None:
        """Note a change that keeps the meaning."""
        self._add(at, message, hint, "note")

    def warn(self, at: str | Key, message: str, hint: str = "", *, line: int | None = None) -> None:
        """Warn of what is lost, or may work differently than the organiser expects.

        ``line`` is that of a file that ``at`` names.
        """
        self._add(at, message, hint, "warning", line)

    def refuse(self, at: str | Key, message: str, hint: str = "") -> None:
        """Note why there will be no benchmark."""
        self._add(at, message, hint, "error")

    @property
    def refused(self) -> bool:
        return bool(errors_in(self.problems))

    def add_for_source(self, problems: Iterable[Problem]) -> None:
        """Add what is wrong with the file that would have been written, by the source's lines."""
        for problem in problems:
            key, line = self._place(problem.key)
            self.problems.append(replace(problem, file=COMPETITION, key=key, line=line))

    def set_origins(self, origins: Mapping[Key, Key]) -> None:
        """Name keys of the source; a key below one that is named keeps its last part."""
        self._origins = {dotted(key): dotted(origin) for key, origin in origins.items()}

    def _place(self, key: str) -> tuple[str, int | None]:
        """A key as the source has it, and its line there or that of what holds it."""
        prefix = key
        while prefix and prefix not in self._origins:
            prefix = _parent(prefix)
        key = self._origins[prefix] + key[len(prefix) :] if prefix else key
        near = key
        while near and near not in self._lines:
            near = _parent(near)
        return key, self._lines.get(near) if near else None

    def _add(
        self, at: str | Key, message: str, hint: str, severity: str, line: int | None = None
    ) -> None:
        file, key = at if isinstance(at, str) else COMPETITION, ""
        if not isinstance(at, str):
            key, line = self._place(dotted(at))
        if len(message) > _MAX_MESSAGE:  # names and values are the source's
            message = f"{message[:_MAX_MESSAGE]}…"
        problem = Problem(
            file=file, key=key, line=line, message=message, hint=hint, actor=Actor.ORGANISER,
            severity=severity,
        )  # fmt: skip
        self.add([problem])


def _parent(key: str) -> str:
    return key[: max(key.rfind("."), key.rfind("["), 0)]


def print_notes(problems: Iterable[Problem]) -> None:
    """Print notes for the organiser; beyond ``MAX_ALIKE`` that are alike they are counted."""
    alike: Counter[tuple[str, str, str]] = Counter()
    for problem in problems:
        what = (problem.severity, problem.message, problem.hint)
        alike[what] += 1
        if alike[what] <= MAX_ALIKE:
            text = str(problem).removesuffix(f" [{problem.actor} must act]")
            say(f"{problem.severity}: {text}")
    for (severity, message, _), number in alike.items():
        if number > MAX_ALIKE:
            say(f"{severity}: {number - MAX_ALIKE:,} more of this: {printable(message)}")
