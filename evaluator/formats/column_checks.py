"""Checks of leaderboards in competition.yaml beyond its schema."""

from evaluator.formats.competition import ColumnEntry, Competition, LeaderboardEntry
from evaluator.formats.schema import Document, Key


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
            document.report(
                (*column_key, "hidden"),
                "hides the column that ranks, and ranks would show its order.",
                "Hide the whole leaderboard, or make another column the primary one.",
            )  # fmt: skip
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
