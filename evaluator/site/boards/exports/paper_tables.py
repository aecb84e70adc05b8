"""A board as a LaTeX or Markdown table: what its page shows before a reader changes anything.

``assets/paper.js`` writes the same of what a reader chose; a test holds the two equal. Names and
answers are strangers': nothing in them is a command of either language.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.core.formats.fact_sheet import answer_text
from evaluator.core.formats.plain_text import one_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import GoalLine, check_claim, fact, fact_text, goal_lines
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.board_columns import (
    BoardColumn,
    shown_columns,
    shown_facts,
    shown_questions,
)
from evaluator.site.boards.comparison import row_marks, shown_number
from evaluator.site.boards.wording import best_method, bests
from evaluator.site.content.insight import RankSpan, insight

_MAX_TEXT = 200
_NONE = "\N{EN DASH}"
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
        '"': r"\symbol{34}", "`": r"\symbol{96}",
        **{character: f"\\{character}" for character in "{}$&#_%"},
        # A line break reads these as its own where they follow it.
        **{character: f"{{{character}}}" for character in "[]*"},
        _NONE: "--", "\N{PLUS-MINUS SIGN}": r"$\pm$", "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
        "\N{UPWARDS ARROW}": r"$\uparrow$", "\N{DOWNWARDS ARROW}": r"$\downarrow$",
    }
)  # fmt: skip
_MARKDOWN = str.maketrans(
    {
        **{character: f"\\{character}" for character in "\\`*_{}[]<>#~$|!^"},
        "&": "&amp;",
    }
)  # fmt: skip
_MENTION = re.compile(r"(?<![A-Za-z0-9])@")


@dataclass(frozen=True, kw_only=True)
class _Cell:
    text: str
    is_number: bool = False
    is_best: bool = False
    counts: bool = True


def to_latex(board: PublicBoard) -> str:
    """A table of the package booktabs.

    The best values are bold, and what does not count is italic. Letters stay as they are, also
    where the reader's LaTeX has no font for them.
    """
    table = _Table(board)
    first, *others = table.notes
    lines = [
        f"% {one_line(first, _MAX_TEXT)}", r"% Needs \usepackage{booktabs}.",
        rf"\begin{{tabular}}{{{''.join('r' if cell.is_number else 'l' for cell in table.head)}}}",
        r"\toprule", _latex_line(table.head), r"\midrule", *map(_latex_line, table.lines),
        r"\bottomrule", r"\end{tabular}",
        *(rf"\par{{\footnotesize {_latex(note)}\par}}" for note in others),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def to_markdown(board: PublicBoard) -> str:
    """A table of GitHub's Markdown; see ``to_latex``."""
    table = _Table(board)
    lines = [
        _markdown_line(table.head),
        "|".join(["", *("---:" if cell.is_number else ":---" for cell in table.head), ""]),
        *map(_markdown_line, table.lines),
        *(f"\n{_markdown(note)}" for note in table.notes),
    ]
    return "\n".join(lines) + "\n"


def _latex(text: str) -> str:
    return one_line(text, _MAX_TEXT).translate(_LATEX)


def _latex_line(cells: Sequence[_Cell]) -> str:
    texts = []
    for cell in cells:
        text = _latex(cell.text)
        if cell.is_number and text.startswith("-") and not text.startswith("--"):
            text = f"$-${text[1:]}"
        text = text if cell.counts else rf"\textit{{{text}}}"
        texts.append(rf"\textbf{{{text}}}" if cell.is_best else text)
    return " & ".join(texts) + r" \\"


def _markdown(text: str) -> str:
    text = one_line(text, _MAX_TEXT).translate(_MARKDOWN).replace("://", "&#58;//")
    return _MENTION.sub("&#64;", text)


def _markdown_line(cells: Sequence[_Cell]) -> str:
    texts = []
    for cell in cells:
        text = _markdown(cell.text)
        text = text if cell.counts else f"_{text}_"
        texts.append(f"**{text}**" if cell.is_best else text)
    return f"| {' | '.join(texts)} |"


class _Table:
    """The texts of a board, as its page shows them."""

    def __init__(self, board: PublicBoard) -> None:
        self._board = board
        self._columns = shown_columns(board)
        self._questions, self._facts = shown_questions(board), shown_facts(board)
        self._several = len(board.tasks) > 1
        self._transposed = board.benchmark.ranks_datasets
        self._best = bests(board)
        self._spans: Mapping[str, RankSpan] = insight().rank_spans(board)

    @property
    def notes(self) -> list[str]:
        board = self._board
        commit = f", commit {board.commit[:12]}" if board.commit else ""
        return [
            f"{board.benchmark.title}: {board.phase.name}{commit}.",
            *(
                f"{task.heading} does not count: {task.retired.rstrip('.')}."
                for task in board.tasks
                if task.retired and any(one.task == task for one in self._columns)
            ),
        ]

    @property
    def head(self) -> list[_Cell]:
        return [
            _Cell(text="Rank", is_number=True),
            _Cell(text=self._board.benchmark.row_noun.capitalize()),
            *(_Cell(text=self._title(one), is_number=True) for one in self._columns),
            *(_Cell(text=question.title or question.key) for question in self._questions),
            *(_Cell(text=column.title, is_number=column.is_number) for column in self._facts),
        ]

    def _title(self, one: BoardColumn) -> str:
        arrow = "\N{DOWNWARDS ARROW}" if one.column.sorting == "asc" else "\N{UPWARDS ARROW}"
        if self._several and one.task:
            return f"{one.task.heading} {arrow}{' (retired)' if one.task.retired else ''}"
        band = f"{one.column.group}: " if one.column.group and one.task else ""
        return f"{band}{one.column.title} {arrow}"

    @property
    def lines(self) -> Iterator[list[_Cell]]:
        goals = goal_lines(self._board)
        for place, row in enumerate(self._board.rows):
            yield from (self._goal(goal) for goal in goals if goal.position == place)
            yield self._row(row)
        yield from (self._goal(goal) for goal in goals if goal.position >= len(self._board.rows))

    def _goal(self, goal: GoalLine) -> list[_Cell]:
        return [
            _Cell(text=_NONE, is_number=True),
            _Cell(text=f"{goal.label} (goal, no submission)"),
            *(
                _Cell(text=shown_number(goal.value, one.column.precision), is_number=True)
                if one.column == goal.column and not (self._several and one.task)
                else _Cell(text="")
                for one in self._columns
            ),
            *(_Cell(text="") for _ in (*self._questions, *self._facts)),
        ]

    def _row(self, row: Row) -> list[_Cell]:
        board, submission = self._board, row.submission
        marks = (text for text, _ in row_marks(row, board))
        who = "; ".join([submission.participant, *marks])
        facts = ((column, fact_text(fact(row, column, board))) for column in self._facts)
        return [
            _Cell(text=self._rank(row), is_number=True),
            _Cell(text=f"{submission.title} ({who})"),
            *(self._value(row, one) for one in self._columns),
            *(_Cell(text=self._answer(row, question.key)) for question in self._questions),
            *(_Cell(text=text or _NONE, is_number=column.is_number) for column, text in facts),
        ]

    def _rank(self, row: Row) -> str:
        span = self._spans.get(row.submission.id) if row.rank else None
        return f"{row.rank or _NONE}" + (f" ({span[0]}{_NONE}{span[1]})" if span else "")

    def _value(self, row: Row, one: BoardColumn) -> _Cell:
        column = one.column
        best = self._best.get((one.task.slug if one.task else None, column.key))
        if one.task is None:
            value, spread = row.overall.get(column.key), ""
            if column.key in row.intervals:
                low, high = (
                    shown_number(end, column.precision) for end in row.intervals[column.key]
                )
                spread = f" ({low}{_NONE}{high})"
            state = row.state
            if self._transposed or column.key == "coverage":
                best = None
        else:
            result = row.tasks[one.task.slug]
            state = result.state
            value = result.values.get(column.key) if state == "finished" else None
            deviation = result.deviations.get(column.key)
            spread = "" if deviation is None else f" ± {shown_number(deviation, column.precision)}"
            if self._transposed and self._several:
                best = best_method(row, column)
        if value is None:
            return _Cell(text=_NONE if state == "finished" else state, is_number=True)
        return _Cell(
            text=shown_number(value, column.precision) + spread, is_number=True,
            is_best=row.counts and value == best,
            counts=one.task is None or one.task.slug in row.counted,
        )  # fmt: skip

    def _answer(self, row: Row, question: str) -> str:
        text = answer_text(row.submission.fact_sheet.get(question))
        claim = check_claim(row, question, self._board)
        if claim is None or claim.agrees:
            return text
        if claim.found is None:
            return f"{text} (not recomputed)"
        return f"{text} (recomputed: {shown_number(claim.found, claim.column.precision)})"
