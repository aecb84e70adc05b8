"""Checks of leaderboards in competition.yaml beyond its schema."""

from collections.abc import Collection

from evaluator.core.errors import nearest
from evaluator.core.formats.competition import ColumnEntry, Competition, LeaderboardEntry
from evaluator.core.formats.extension import PhaseExtension
from evaluator.core.formats.schema import Document, Key

_HIDES_RANKS = (
    "hides the column that ranks, and ranks would show its order.",
    "Hide the whole leaderboard, or make another column the primary one.",
)


def check_leaderboards(competition: Competition, document: Document) -> None:
    """Report what contradicts itself in leaderboards and their columns."""
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
    """Report what a phase names that is no column of it, and what its columns are made of."""
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
