"""Checks of the ``pullbench:`` key beyond its schema: what it names must be in the bundle."""

from collections.abc import Collection

from evaluator.core.errors import nearest
from evaluator.core.formats.budget import Budget
from evaluator.core.formats.competition import (
    ColumnEntry,
    Competition,
    LeaderboardEntry,
    PhaseEntry,
)
from evaluator.core.formats.extension import PhaseExtension
from evaluator.core.formats.schema import Document, Key

_HIDES_RANKS = (
    "hides the column that ranks, and ranks would show its order.",
    "Hide the whole leaderboard, or make another column the primary one.",
)

_ALL_DIGITS = 16


def check_leaderboards(competition: Competition, document: Document) -> None:
    for position, _ in enumerate(competition.leaderboards[1:], start=1):
        document.report(
            ("leaderboards", position),
            "is not shown: Codabench reads the first alone.",
            severity="warning",
        )
    _columns(competition.leaderboards[0], ("leaderboards", 0), document)


def _reads(column: ColumnEntry, other: ColumnEntry) -> bool:
    return other.index in (column.computation_indexes or ())


def _columns(board: LeaderboardEntry, at: Key, document: Document) -> None:
    indexes = {column.index for column in board.columns}
    computed = {column.index for column in board.columns if column.computation}
    for position, column in enumerate(board.columns):
        column_key: Key = (*at, "columns", position)
        operands: Key = (*column_key, "computation_indexes")
        for place, index in enumerate(column.computation_indexes or ()):
            if index not in indexes:
                document.report((*operands, place), f"names column {index}, which is not there.")
            elif index in computed:
                message = f"names column {index}, which is computed itself."
                hint = "Name the columns that scoring programs write."
                document.report((*operands, place), message, hint)
        if column.hidden and column.index == board.primary_index and not board.hidden:
            document.report((*column_key, "hidden"), *_HIDES_RANKS)
        unknown = [other for other in board.columns if other.hidden and _reads(column, other)]
        if len(unknown) == 1 and column.computation in ("avg", "sum") and not column.hidden:
            document.report(
                operands,
                f"names one hidden column, '{unknown[0].key}': whoever knows the others knows it.",
                "Hide this column, too, or two of those that it is made of.",
                severity="warning",
            )
    if board.primary_index not in indexes:
        message = f"is {board.primary_index}, which is no column's index."
        document.report((*at, "primary_index"), message, _indexes(indexes))
    if computed == indexes:
        document.report((*at, "columns"), "are all computed; none is written by a scorer.")


def _indexes(indexes: Collection[int]) -> str:
    return f"Indexes are {', '.join(map(str, sorted(indexes)))}."


def _likely(name: str, names: Collection[str]) -> str:
    return nearest(name, sorted(names), f"Keys are: {', '.join(sorted(names))}.")


def _likely_question(name: str, questions: Collection[str]) -> str:
    return _likely(name, questions) if questions else "Add the question."


def _primary_key(board: LeaderboardEntry) -> str:
    return next((c.key for c in board.columns if c.index == board.primary_index), "")


def check_extension(competition: Competition, document: Document) -> None:
    extension, board = competition.pullbench, competition.leaderboards[0]
    keys = {column.key for column in board.columns}
    named = (extension.phases.get(phase.index) for phase in competition.phases)
    ranking = {(one.primary if one else "") or _primary_key(board) for one in named}
    questions = competition.fact_sheet or {}
    for key, column in extension.columns.items():
        at: Key = ("pullbench", "columns", key)
        if key not in keys:
            document.report(at, "is the key of no column.", _likely(key, keys))
        if column.optional and key in ranking:
            document.report(
                (*at, "optional"), "cannot be true: rows are ranked by this column first.",
                "Make another column the primary one, or this one not optional.",
            )  # fmt: skip
        if not column.mean and key in ranking and extension.aggregate == "mean":
            message = "cannot be false: rows are ranked by the mean of it."
            document.report((*at, "mean"), message, "Rank by 'aggregate: mean_rank', for example.")
        if column.claim and column.claim not in questions:
            message = f"is '{column.claim}', which is no question of the fact sheet."
            document.report((*at, "claim"), message, _likely_question(column.claim, questions))
        for place, name in enumerate(column.ranks.fields if column.ranks else ()):
            field: Key = (*at, "ranks", "fields", place)
            other = extension.columns.get(name)
            if name not in keys:
                document.report(field, f"names '{name}', which is no column.", _likely(name, keys))
            elif other is not None and other.ranks is not None:
                document.report(field, f"names '{name}', made from ranks itself.")
    _digits(competition, document)
    _phases(competition, document)
    _tasks(competition, document)
    _questions(competition, document)


def _digits(competition: Competition, document: Document) -> None:
    """Warn of decimals that are 0 on each board."""
    named = (competition.pullbench.phases.get(phase.index) for phase in competition.phases)
    digits = [phase.feedback_digits if phase else None for phase in named]
    most = max(one or _ALL_DIGITS for one in digits)
    for position, column in enumerate(competition.leaderboards[0].columns):
        if column.precision > most:
            document.report(
                ("leaderboards", 0, "columns", position, "precision"),
                f"is {column.precision}, and no phase shows more than {most} decimals of a score.",
                f"Write 'precision: {most}', or raise feedback_digits.", severity="warning",
            )  # fmt: skip


def _phases(competition: Competition, document: Document) -> None:
    phases = {phase.index: phase for phase in competition.phases}
    for index, phase in competition.pullbench.phases.items():
        at: Key = ("pullbench", "phases", index)
        if index not in phases:
            document.report(at, "is the index of no phase.", _indexes(phases))
            continue
        _phase_columns(competition, phase, at, document)
        if phase.ladder is not None:
            _ladder(competition, phase, phases[index], (*at, "ladder"), document)
        if phase.budget is not None:
            _budget(phase.budget, phases[index], competition, (*at, "budget"), document)


def _ladder(
    competition: Competition, phase: PhaseExtension, entry: PhaseEntry, at: Key, document: Document
) -> None:
    board = competition.leaderboards[0]
    ranking = phase.primary or _primary_key(board)
    more = competition.pullbench.columns.get(ranking)
    is_made = any(column.key == ranking and column.computation for column in board.columns)
    if phase.feedback_digits is None:
        document.report(at, "needs 'feedback_digits': all digits of a score tell more than a step.")
    if not entry.accepts_only_result_submissions:
        document.report(
            at, "is for predictions, and the phase takes code.",
            "Set accepts_only_result_submissions, or take it out.",
        )  # fmt: skip
    if is_made or (more and more.ranks):
        message = f"compares scores, and no scoring program writes '{ranking}', which ranks."
        document.report(at, message, "Rank by a column of the scoring program.")


def _phase_columns(
    competition: Competition, phase: PhaseExtension, at: Key, document: Document
) -> None:
    board = competition.leaderboards[0]
    columns = {column.key: column for column in board.columns}
    for place, key in enumerate(phase.columns):
        if key not in columns:
            message = f"names '{key}', which is no column."
            document.report((*at, "columns", place), message, _likely(key, columns))
    present = set(phase.columns) or set(columns)
    if phase.primary and phase.primary not in present:
        message = f"is '{phase.primary}', which is no column of the phase."
        document.report((*at, "primary"), message, _likely(phase.primary, present))
    elif phase.primary in columns and columns[phase.primary].hidden and not board.hidden:
        document.report((*at, "primary"), *_HIDES_RANKS)
    ranking = _primary_key(board)
    if phase.columns and not phase.primary and ranking not in present:
        document.report(
            (*at, "columns"), f"lacks '{ranking}', by which the board ranks.",
            "Add it, or name the column that ranks in this phase as 'primary'.",
        )  # fmt: skip
    made_of = {
        column.key: {other.key for other in board.columns if _reads(column, other)}
        for column in board.columns
    }
    for key, more in competition.pullbench.columns.items():
        made_of.setdefault(key, set()).update(more.ranks.fields if more.ranks else ())
    for place, key in enumerate(phase.columns):
        if missing := sorted(made_of.get(key, set()) - present):
            message = f"names '{key}', which is made of {', '.join(map(repr, missing))}."
            hint = "Add what it is made of, or take it out."
            document.report((*at, "columns", place), message, hint)
    if phase.columns and all(made_of.get(key) for key in present):
        document.report((*at, "columns"), "are all computed; none is written by a scorer.")


def _tasks(competition: Competition, document: Document) -> None:
    indexes = {task.index for task in competition.tasks}
    keys = {column.key for column in competition.leaderboards[0].columns}
    for index, task in competition.pullbench.tasks.items():
        at: Key = ("pullbench", "tasks", index)
        if task.weight != 1 and competition.pullbench.aggregate == "none":
            message = "has no effect: with 'aggregate: none' the first task alone ranks."
            hint = "Take it out, or choose another 'aggregate'."
            document.report((*at, "weight"), message, hint)
        if index not in indexes:
            document.report(at, "is the index of no task.", _indexes(indexes))
        ranks = competition.pullbench.aggregate == "none"
        if task.withdrawn and ranks and any(p.tasks[:1] == [index] for p in competition.phases):
            message = "is of the task that ranks: with 'aggregate: none' the first one does."
            document.report((*at, "withdrawn"), message, "Name another task first in the phase.")
        for key in task.perfect.keys() - keys:
            document.report((*at, "perfect", key), "is the key of no column.", _likely(key, keys))


def _budget(
    budget: Budget, phase: PhaseEntry, competition: Competition, at: Key, document: Document
) -> None:
    if phase.accepts_only_result_submissions:
        message = f"is for code, and phase '{phase.name}' takes results alone."
        document.report(at, message, "Take it out, or let the phase take code.")
    if any(t.ingestion_only_during_scoring for t in competition.tasks if t.index in phase.tasks):
        message = "is for a prediction step, and a task of the phase is played while it is scored."
        document.report(at, message, "Use execution_time_limit.")
    of_task = budget.items if isinstance(budget.items, dict) else None
    for task in dict.fromkeys(phase.tasks):
        extension = competition.pullbench.tasks.get(task)
        limit = (extension and extension.seconds) or phase.execution_time_limit
        seconds = budget.seconds_of(task)
        if of_task is not None and task not in of_task:
            document.report((*at, "items"), f"lacks task {task}, which is of the phase.")
        elif 0 < limit < seconds:
            document.report(
                at, f"of task {task} is {seconds:.10g} s and is never reached: the "
                f"phase's execution_time_limit is {limit} s.", "Raise that; it ends scoring, too.",
            )  # fmt: skip
    for task in of_task or ():
        if task not in phase.tasks:
            document.report((*at, "items", task), "is the index of no task of the phase.")


def _questions(competition: Competition, document: Document) -> None:
    questions = competition.fact_sheet or {}
    for key, question in competition.pullbench.questions.items():
        at: Key = ("pullbench", "questions", key)
        if key not in questions:
            hint = _likely_question(key, questions)
            document.report(at, "is no question of the fact sheet.", hint)
        elif question.type != "text" and questions[key].type != "text":
            message = f"is '{question.type}', and the question is a {questions[key].type}."
            document.report((*at, "type"), message, "Make it a text.")
    key, at = competition.pullbench.quota_by, ("pullbench", "quota_by")
    if key and key not in questions:
        message = f"is '{key}', which is no question of the fact sheet."
        document.report(at, message, _likely_question(key, questions))
    elif key and (questions[key].type != "text" or not questions[key].is_required):
        document.report(
            at, f"is '{key}', which is not a required text.",
            "Without an answer nothing could be counted: set is_required, and type: text.",
        )  # fmt: skip
