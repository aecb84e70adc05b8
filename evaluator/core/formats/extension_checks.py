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
    keys: set[str] = set()
    for position, column in enumerate(board.columns):
        column_key: Key = (*at, "columns", position)
        if column.key in keys:
            document.report((*column_key, "key"), f"is '{column.key}', as that of another column.")
        keys.add(column.key)
        for place, index in enumerate(column.computation_indexes or ()):
            if index not in indexes:
                document.report(
                    (*column_key, "computation_indexes", place),
                    f"names column {index}, which is not there.",
                )
            elif index in computed:
                document.report(
                    (*column_key, "computation_indexes", place),
                    f"names column {index}, which is computed itself.",
                    "Name the columns that scoring programs write.",
                )
        if column.hidden and column.index == board.primary_index and not board.hidden:
            document.report((*column_key, "hidden"), *_HIDES_RANKS)
        unknown = [other for other in board.columns if other.hidden and _reads(column, other)]
        if len(unknown) == 1 and column.computation in ("avg", "sum") and not column.hidden:
            document.report(
                (*column_key, "computation_indexes"),
                f"names one hidden column, '{unknown[0].key}': whoever knows the others knows it.",
                "Hide this column, too, or two of those that it is made of.", severity="warning",
            )  # fmt: skip
    if board.primary_index not in indexes:
        document.report(
            (*at, "primary_index"),
            f"is {board.primary_index}, which is no column's index.",
            f"Indexes are {', '.join(map(str, sorted(indexes)))}.",
        )
    if computed == indexes:
        document.report((*at, "columns"), "are all computed; none is written by a scorer.")


def likely(name: str, names: Collection[str]) -> str:
    """Return a hint for a name that is none of some."""
    return nearest(name, sorted(names), f"Keys are: {', '.join(sorted(names))}.")


def ranking_keys(competition: Competition) -> frozenset[str]:
    board = competition.leaderboards[0]
    primary = next((c.key for c in board.columns if c.index == board.primary_index), "")
    phases = competition.pullbench.phases
    named = (phases.get(phase.index) for phase in competition.phases)
    return frozenset((one.primary if one else "") or primary for one in named)


def check_phase_columns(
    competition: Competition, phase: PhaseExtension, at: Key, document: Document
) -> None:
    board = competition.leaderboards[0]
    columns = {column.key: column for column in board.columns}
    for place, key in enumerate(phase.columns):
        if key not in columns:
            document.report(
                (*at, "columns", place), f"names '{key}', which is no column.", likely(key, columns)
            )
    held = set(phase.columns) or set(columns)
    if phase.primary and phase.primary not in held:
        document.report(
            (*at, "primary"), f"is '{phase.primary}', which is no column of the phase.",
            likely(phase.primary, held),
        )  # fmt: skip
    elif phase.primary in columns and columns[phase.primary].hidden and not board.hidden:
        document.report((*at, "primary"), *_HIDES_RANKS)
    ranking = next((c.key for c in board.columns if c.index == board.primary_index), "")
    if phase.columns and not phase.primary and ranking not in held:
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
        lacking = sorted(made_of.get(key, set()) - held)
        if lacking:
            document.report(
                (*at, "columns", place),
                f"names '{key}', which is made of {', '.join(map(repr, lacking))}.",
                "Add what it is made of, or take it out.",
            )
    if phase.columns and all(made_of.get(key) for key in held):
        document.report((*at, "columns"), "are all computed; none is written by a scorer.")


def check_extension(competition: Competition, document: Document) -> None:
    board = competition.leaderboards[0]
    keys = {column.key for column in board.columns}
    ranking = ranking_keys(competition)
    questions = competition.fact_sheet or {}
    for key, column in competition.pullbench.columns.items():
        column_key: Key = ("pullbench", "columns", key)
        if key not in keys:
            document.report(column_key, "is the key of no column.", likely(key, keys))
        if column.optional and key in ranking:
            document.report(
                (*column_key, "optional"), "cannot be true: rows are ranked by this column first.",
                "Make another column the primary one, or this one not optional.",
            )  # fmt: skip
        if not column.mean and key in ranking and competition.pullbench.aggregate == "mean":
            document.report(
                (*column_key, "mean"), "cannot be false: rows are ranked by the mean of it.",
                "Rank by 'aggregate: mean_rank', for example.",
            )  # fmt: skip
        if column.claim and column.claim not in questions:
            document.report(
                (*column_key, "claim"),
                f"is '{column.claim}', which is no question of the fact sheet.",
                likely(column.claim, questions) if questions else "Add the question.",
            )
        for place, name in enumerate(column.ranks.fields if column.ranks else ()):
            other = competition.pullbench.columns.get(name)
            if name not in keys:
                document.report(
                    (*column_key, "ranks", "fields", place),
                    f"names '{name}', which is no column.",
                    likely(name, keys),
                )
            elif other is not None and other.ranks is not None:
                document.report(
                    (*column_key, "ranks", "fields", place),
                    f"names '{name}', made from ranks itself.",
                )
    _phase_rules(competition, document)
    _task_rules(competition, document)
    _questions(competition, document)


def _phase_rules(competition: Competition, document: Document) -> None:
    phases = {phase.index: phase for phase in competition.phases}
    for index, phase_extension in competition.pullbench.phases.items():
        at: Key = ("pullbench", "phases", index)
        if index not in phases:
            document.report(
                at,
                "is the index of no phase.",
                f"Indexes are {', '.join(map(str, sorted(phases)))}.",
            )
            continue
        check_phase_columns(competition, phase_extension, at, document)
        if phase_extension.budget is not None:
            _budget(phase_extension.budget, phases[index], competition, (*at, "budget"), document)


def _task_rules(competition: Competition, document: Document) -> None:
    indices = sorted(task.index for task in competition.tasks)
    keys = {column.key for column in competition.leaderboards[0].columns}
    for index, task in competition.pullbench.tasks.items():
        if task.weight != 1 and competition.pullbench.aggregate == "none":
            document.report(
                ("pullbench", "tasks", index, "weight"),
                "has no effect: with 'aggregate: none' the first task alone ranks.",
                "Take it out, or choose another 'aggregate'.",
            )
        if index not in indices:
            document.report(
                ("pullbench", "tasks", index), "is the index of no task.",
                f"Indexes are {', '.join(map(str, indices))}.",
            )  # fmt: skip
        for key in task.perfect.keys() - keys:
            document.report(
                ("pullbench", "tasks", index, "perfect", key), "is the key of no column.",
                likely(key, keys),
            )  # fmt: skip


def _budget(
    budget: Budget, phase: PhaseEntry, competition: Competition, at: Key, document: Document
) -> None:
    if phase.accepts_only_result_submissions:
        document.report(
            at, f"is for code, and phase '{phase.name}' takes results alone.",
            "Take it out, or let the phase take code.",
        )  # fmt: skip
    if any(t.ingestion_only_during_scoring for t in competition.tasks if t.index in phase.tasks):
        document.report(
            at, "is for a prediction step, and a task of the phase is played while it is scored.",
            "Use execution_time_limit.",
        )  # fmt: skip
    limit = phase.execution_time_limit
    for task in dict.fromkeys(phase.tasks):
        if isinstance(budget.items, dict) and task not in budget.items:
            document.report((*at, "items"), f"lacks task {task}, which is of the phase.")
        elif 0 < (_seconds_of(competition, task) or limit) < budget.seconds_of(task):
            document.report(
                at,
                f"of task {task} is {budget.seconds_of(task):.10g} s and is never reached: the "
                f"phase's execution_time_limit is {_seconds_of(competition, task) or limit} s.",
                "Raise that; it ends scoring, too.",
            )
    for task in budget.items if isinstance(budget.items, dict) else ():
        if task not in phase.tasks:
            document.report((*at, "items", task), "is the index of no task of the phase.")


def _seconds_of(competition: Competition, task: int) -> int:
    task_extension = competition.pullbench.tasks.get(task)
    return task_extension.seconds or 0 if task_extension else 0


def _questions(competition: Competition, document: Document) -> None:
    questions = competition.fact_sheet or {}
    for key, question in competition.pullbench.questions.items():
        at: Key = ("pullbench", "questions", key)
        if key not in questions:
            document.report(
                at, "is no question of the fact sheet.",
                likely(key, questions) if questions else "Add the question.",
            )  # fmt: skip
        elif question.type != "text" and questions[key].type != "text":
            document.report(
                (*at, "type"),
                f"is '{question.type}', and the question is a {questions[key].type}.",
                "Make it a text.",
            )  # fmt: skip
    key = competition.pullbench.quota_by
    if key and key not in questions:
        document.report(
            ("pullbench", "quota_by"), f"is '{key}', which is no question of the fact sheet.",
            likely(key, questions) if questions else "Add the question.",
        )  # fmt: skip
    elif key and (questions[key].type != "text" or not questions[key].is_required):
        document.report(
            ("pullbench", "quota_by"), f"is '{key}', which is not a required text.",
            "Without an answer nothing could be counted: set is_required, and type: text.",
        )  # fmt: skip
