"""What readers may choose the rows of a board by: participants, and answers to the fact sheet.

The rows carry their answers, the controls above them name the choices, and scripts do the rest.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.core.formats.fact_sheet import Question, answer_text
from evaluator.core.formats.kinds.kind import KINDS
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.datasets import DatasetRow

MIN_ROWS = 4
"""Boards with fewer rows have no controls."""
MAX_CHOICES = 200
"""Beyond these a list serves nobody: what is asked then is what the answer contains."""
MAX_VALUE = 200
"""Characters of an answer that a row carries."""
ORGANISER = "the organiser"
"""Participant of what no participant brought. Names of participants hold no blanks."""
PARTICIPANT = "participant"
# The site's theme has q and h in the address; the others are what a view of a board may need yet.
_TAKEN = {
    "q", "h", "search", "group", "sort", "order", "participant", "status", "date", "show",
    "columns", "tasks", "metrics", "weights", "aggregate", "phase", "task", "at", "kind", "since",
    "until", "hide", "add", "within", "heat", "metric", "baseline", "with", "highlight",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One answer that rows have."""

    value: str
    """Empty for rows without an answer."""
    count: int


@dataclass(frozen=True, kw_only=True)
class Facet:
    """One thing that rows may be chosen and grouped by."""

    name: str
    """Its name in the page's address."""
    title: str
    choices: tuple[Choice, ...]
    """To choose among; empty where readers write what the answer must contain."""


@dataclass(frozen=True, kw_only=True)
class Facets:
    """Everything that the rows of one board may be chosen by."""

    facets: tuple[Facet, ...]
    """Empty where the board has no controls."""
    names: Mapping[str, str]
    """Question -> its name in the address."""
    rows: int
    states: tuple[Choice, ...] = ()
    """Of a board's rows; empty where all have the same. So are ``kinds``."""
    kinds: tuple[Choice, ...] = ()
    is_selection: bool = False
    """Whether participants have more submissions than a board could show."""

    def answers(self, submission: Submission | None) -> dict[str, str]:
        return _answers(submission, self.names) if self.facets else {}


def board_facets(board: PublicBoard) -> Facets:
    items = [row.submission for row in board.rows]
    states = Counter(row.state for row in board.rows)
    kinds = Counter(item.kind_name for item in items)
    questions: dict[str, Question] = {}
    for kind in sorted(kinds):
        questions = {**KINDS[kind].sheet(board.benchmark).questions, **questions}
    return replace(
        _facets(items, questions),
        states=_choices(sorted(states.items())) if len(states) > 1 else (),
        kinds=_choices(sorted(kinds.items())) if len(kinds) > 1 else (),
        is_selection=bool(board.unlisted) or len({item.participant for item in items}) < len(items),
    )


def dataset_facets(rows: Iterable[DatasetRow], questions: Mapping[str, Question]) -> Facets:
    return _facets([row.entry.submission if row.entry else None for row in rows], questions)


def _facets(rows: Sequence[Submission | None], questions: Mapping[str, Question]) -> Facets:
    names = {key: _name(key) for key in questions}
    if len(rows) < MIN_ROWS:
        return Facets(facets=(), names=names, rows=len(rows))
    answers = [_answers(row, names) for row in rows]
    facets = [_facet(PARTICIPANT, "Participant", answers, listed=True)]
    for key, question in questions.items():
        title = question.title or key
        facets.append(_facet(names[key], title, answers, listed=question.type != "text"))
    # Where all have the same, or nobody has any, there is nothing to choose.
    answered = tuple(
        facet
        for facet in facets
        if len(facet.choices) > 1
        or (not facet.choices and any(facet.name in row for row in answers))
    )
    return Facets(facets=answered, names=names, rows=len(rows))


def _facet(name: str, title: str, rows: Sequence[Mapping[str, str]], *, listed: bool) -> Facet:
    counts = Counter(row.get(name, "") for row in rows)
    if not listed or len(counts) > MAX_CHOICES:
        return Facet(name=name, title=title, choices=())
    # The most frequent first; rows without an answer stand last.
    ordered = sorted(counts.items(), key=lambda item: (not item[0], -item[1], item[0]))
    return Facet(name=name, title=title, choices=_choices(ordered))


def _choices(counts: Iterable[tuple[str, int]]) -> tuple[Choice, ...]:
    return tuple(Choice(value=value, count=count) for value, count in counts)


def _answers(submission: Submission | None, names: Mapping[str, str]) -> dict[str, str]:
    if submission is None:
        return {PARTICIPANT: ORGANISER}
    written = {
        name: answer_text(submission.fact_sheet.get(key))[:MAX_VALUE].strip()
        for key, name in names.items()
    }
    given = {name: answer for name, answer in written.items() if answer}
    return {PARTICIPANT: submission.participant, **given}


def _name(key: str) -> str:
    """A question's name in the address: its key, but for those that mean something else."""
    return f"sheet.{key}" if key in _TAKEN or key.startswith(("sheet.", "weight.", "max.")) else key
