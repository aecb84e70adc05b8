"""CodaLab's leaderboard -> columns of one board, with groups and columns made from ranks."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from evaluator.core.formats.schema import Key
from evaluator.importing.notes import Notes
from evaluator.plugins.codalab.keys import split_list

MAX_TITLE = 64
_OPERATIONS = {"avg": "avg_rank", "mrr": "mrr"}
_COMPUTATIONS = ("max", "min", "sum")
_READ = frozenset(
    {
        "leaderboard", "label", "sort", "sorting", "numeric_format", "hidden", "rank", "computed",
        "column_group", "selection_default", "weights",
    }
)  # fmt: skip
Entry = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class _Column:
    """One column of the file."""

    order: tuple[int, int, int]
    """Rank of its board, its own, and its place in the file."""
    key: str
    board: str
    """Key of its board; empty where the file has none."""
    data: Entry

    @property
    def default(self) -> int:
        """Its ``selection_default``: of a board, the column with the highest ranks."""
        return _number(self.data.get("selection_default"), 0)


def submission_rule(data: Entry, notes: Notes) -> str:
    source = data.get("phases")
    values = source.values() if isinstance(source, dict) else source or []
    phases = [phase for phase in values if isinstance(phase, dict)]
    key = "force_best_submission_to_leaderboard"
    best = [bool(phase.get(key)) for phase in phases]
    if any(best) and not all(best):
        notes.warn(
            (key,), "is in some phases only; there is one rule for all, and it is Force_Best."
        )
    if any(best) or data.get(key):
        return "Force_Best"
    blind = [phase.get("leaderboard_management_mode") == "hide_results" for phase in phases]
    if data.get("force_submission_to_leaderboard") or (blind and all(blind)):
        return "Force_Last"
    if data.get("disallow_leaderboard_modifying"):
        message = "is not kept: the rule is 'Add', with which participants choose."
        notes.warn(("disallow_leaderboard_modifying",), message)
    return "Add"


def convert_board(data: Entry, notes: Notes) -> tuple[Entry, Entry, dict[str, list[str]]]:
    """The board, its part of ``pullbench:``, and titles -> keys, which rank first."""
    at: Key = ("leaderboard",)
    source = data.get("leaderboard")
    source = source if isinstance(source, dict) else {}
    columns = source.get("columns")
    if not isinstance(columns, dict) or not columns:
        notes.refuse((*at, "columns"), "is missing.", "A board has at least one column.")
        columns = {}
    boards = _boards(source.get("leaderboards"))
    groups = source.get("column_groups")
    hidden = {*split_list(source.get("hidden_columns")), *split_list(data.get("hidden_columns"))}
    entries = []
    for place, (key, value) in enumerate(columns.items(), start=1):
        column = value if isinstance(value, dict) else {}
        board = _board_key(column.get("leaderboard"), boards)
        order = _number(boards.get(board, {}).get("rank"), 1), _number(column.get("rank"), place)
        entries.append(_Column(order=(*order, place), key=str(key), board=board, data=column))
    entries.sort(key=lambda entry: entry.order)
    result: list[Entry] = []
    extension: Entry = {}
    for entry in entries:
        key, board, column = entry.key, entry.board, entry.data
        here: Key = (*at, "columns", key)
        converted, ranks = _column(key, column, len(result), here, notes)
        computed = column.get("computed")
        if computed and ranks is None and "computation" not in converted:
            continue  # said by _column
        if column.get("hidden") or key in hidden:
            converted["hidden"] = True
        group = _group(column, groups if isinstance(groups, dict) else {})
        if len(boards) > 1 and board:
            group = " / ".join(filter(None, (str(boards[board].get("label") or board), group)))
        more = {name: value for name, value in (("group", group), ("ranks", ranks)) if value}
        if more:
            extension[key] = more
        result.append(converted)
    _computations(result, notes)
    primary = _primary(result, entries)
    first = min(boards.values(), key=lambda board: _number(board.get("rank"), 1), default={})
    title = str(first.get("label") or "Results").strip()[:MAX_TITLE]
    if len(boards) > 1 and result:
        title = "Results"
        notes.note(
            (*at, "leaderboards"),
            f"{len(boards)} boards are now groups of columns of one; '{result[primary]['key']}', "
            "of the first, ranks.",
        )
    ordered = sorted(entries, key=lambda entry: (entry.order[0], -entry.default, entry.order))
    ranking = {
        str(boards.get(board, {}).get("label") or board): [entry.key for entry in columns_of]
        for board, columns_of in groupby(ordered, key=lambda entry: entry.board)
    }
    board_entry = {
        "index": 0,
        "title": title,
        "key": "results",
        "primary_index": primary,
        "columns": result,
    }
    return board_entry, extension, ranking


def _column(
    key: str, column: Entry, index: int, at: Key, notes: Notes
) -> tuple[Entry, Entry | None]:
    title = str(column.get("label") or key).strip()
    if len(title) > MAX_TITLE:
        notes.warn((*at, "label"), f"is longer than {MAX_TITLE} characters; it is cut.")
    dropped = sorted(str(name) for name in column if name not in _READ)
    if dropped:
        notes.warn(at, f"{', '.join(dropped)}: left out, for there is no such key.")
    sort = column.get("sort", column.get("sorting"))
    precision = _number(column.get("numeric_format"), 2)
    if not 0 <= precision <= 16:
        notes.warn((*at, "numeric_format"), f"is {precision}; 0 to 16 decimals can be shown.")
    sorting = "desc" if sort is None else str(sort).strip().lower()
    converted: Entry = {
        "title": title[:MAX_TITLE],
        "key": key,
        "index": index,
        "sorting": sorting,
        "precision": min(16, max(0, precision)),
    }
    computed = column.get("computed")
    if not computed:
        return converted, None
    computed = computed if isinstance(computed, dict) else {}
    operation = str(computed.get("operation") or "").strip().lower()
    fields = split_list(computed.get("fields"))
    if operation in _COMPUTATIONS and fields:
        converted |= {"computation": operation, "computation_indexes": fields}
        return converted, None
    if operation not in _OPERATIONS or not fields:
        notes.warn(
            (*at, "computed"),
            f"'{computed.get('operation')}' of {len(fields)} fields is not known; "
            "the column is left out.",
            "Avg and MRR are.",
        )
        return converted, None
    # CodaLab gave equal values one rank and the next value the next: 1, 1, 2.
    ranks: Entry = {"operation": _OPERATIONS[operation], "fields": fields, "ties": "dense"}
    weights = _weights(computed.get("weights", column.get("weights")), fields, at, notes)
    if weights and operation == "avg":
        ranks |= {"operation": "weighted_rank", "weights": weights}
    if operation == "avg" and "rank" not in title.lower():
        notes.note(at, f"is made of ranks, as CodaLab's Avg is; its title says '{title}'.")
    if sort is None and operation == "avg":
        converted["sorting"] = "asc"
        notes.note(at, "has no 'sort'; asc is written, for the best mean rank is the lowest.")
    return converted, ranks


def _weights(value: Any, fields: list[str], at: Key, notes: Notes) -> list[float]:
    if not value:
        return []
    try:
        if isinstance(value, dict):
            return [float(value[field]) for field in fields]
        weights = [float(part) for part in split_list(value)]
    except (KeyError, ValueError, TypeError):
        weights = []
    if len(weights) != len(fields):
        notes.refuse((*at, "computed", "weights"), "must give one number for each field.")
        return []
    return weights


def _computations(columns: list[Entry], notes: Notes) -> None:
    indexes = {column["key"]: column["index"] for column in columns}
    for column in columns:
        fields = column.get("computation_indexes", ())
        at: Key = ("leaderboard", "columns", column["key"], "computed", "fields")
        for name in fields:
            if name not in indexes:
                notes.refuse(at, f"names '{name}', which is no column.")
        if fields:
            column["computation_indexes"] = [indexes.get(name, -1) for name in fields]


def _primary(columns: list[Entry], sources: list[_Column]) -> int:
    """Index of the first board's column with the highest selection_default, else of its first."""
    indexes = {column["key"]: column["index"] for column in columns}
    best, chosen = 0, 0
    for source in sources:
        is_first = source.board == sources[0].board
        if source.key in indexes and is_first and source.default > best:
            best, chosen = source.default, indexes[source.key]
    return chosen


def _boards(boards: Any) -> dict[str, Entry]:
    if not isinstance(boards, dict):
        return {}
    return {str(key): value if isinstance(value, dict) else {} for key, value in boards.items()}


def _board_key(value: Any, boards: dict[str, Entry]) -> str:
    """Key of the board that a column names: by alias, by key or by label; else the first."""
    for key, board in boards.items():
        if value in (key, board.get("label")) or (isinstance(value, dict) and value == board):
            return key
    return next(iter(boards), "")


def _group(column: Entry, groups: Entry) -> str:
    value = column.get("column_group")
    if isinstance(value, dict):
        return str(value.get("label") or "").strip()
    group = groups.get(value) if isinstance(value, str) else None
    label = group.get("label") if isinstance(group, dict) else None
    return str(label or value or "").strip()


def _number(value: Any, default: int) -> int:
    try:
        return int(value)
    except (ValueError, TypeError):
        return default
