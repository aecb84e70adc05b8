"""competition.yaml v2, key by key: unknown keys are removed, values get their canonical form."""

import difflib
from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from pydantic import BaseModel

from evaluator.core.formats.competition import (
    IGNORED_KEYS,
    ColumnEntry,
    Competition,
    LeaderboardEntry,
    Page,
    PhaseEntry,
    SolutionEntry,
    TaskEntry,
)
from evaluator.core.formats.fact_sheet import Question
from evaluator.core.formats.quantities import to_datetime
from evaluator.core.formats.schema import Key
from evaluator.importing.notes import Notes

_TEXTS = frozenset(
    {
        "title", "description", "image", "terms", "docker_image", "queue", "reward",
        "contact_email", "name", "key", "file", "path", "scoring_program", "ingestion_program",
        "input_data", "reference_data", "starting_kit", "public_data",
    }
)  # fmt: skip
TASK_PARTS = ("scoring_program", "ingestion_program", "input_data", "reference_data")
_INDEX_LISTS = frozenset({"tasks", "solutions", "computation_indexes"})
_CHOICES = frozenset({"sorting", "computation", "competition_type"})
_ELSEWHERE: dict[str, type[BaseModel]] = {
    "phases": PhaseEntry, "tasks": TaskEntry, "leaderboards": LeaderboardEntry,
    "columns": ColumnEntry,
}  # fmt: skip
Entry = dict[str, Any]


def entries(data: Mapping[str, Any], key: str) -> list[tuple[int, Entry]]:
    """The entries of a list with their places, but for those that are none."""
    value = data.get(key)
    items = enumerate(value if isinstance(value, list) else ())
    return [(place, item) for place, item in items if isinstance(item, dict)]


def normalise(data: Entry, notes: Notes) -> Entry:
    data = {key: value for key, value in data.items() if key not in IGNORED_KEYS}
    phases = [phase for _, phase in entries(data, "phases")]
    dates = [one[key] for one in phases for key in ("start", "end") if one.get(key) is not None]
    day_first = is_day_first(dates, ("phases",), notes)
    lists: dict[str, type[BaseModel]] = {
        "pages": Page, "tasks": TaskEntry, "solutions": SolutionEntry, "phases": PhaseEntry,
        "leaderboards": LeaderboardEntry,
    }  # fmt: skip
    # A list of tasks means entries here, and indexes inside a phase.
    result = _known_keys(Competition, data, (), notes, keep=frozenset(lists) | {"fact_sheet"})
    result["version"] = 2
    for key, model in lists.items():
        if isinstance(result.get(key), list):
            result[key] = [*result[key]]
        for position, value in entries(result, key):  # the schema says what is wrong with others
            at: Key = (key, position)
            entry = _known_keys(model, value, at, notes, keep=frozenset({"columns"}))
            if isinstance(entry.get("columns"), list):
                entry["columns"] = [
                    _known_keys(ColumnEntry, column, (*at, "columns", number), notes)
                    if isinstance(column, dict)
                    else column
                    for number, column in enumerate(entry["columns"])
                ]
            if key == "phases":
                _phase(entry, position, at, notes, day_first=day_first)
            result[key][position] = entry
    if isinstance(result.get("phases"), list) and not notes.refused:
        _mend_ends(result["phases"], notes)
    if isinstance(result.get("fact_sheet"), dict):
        result["fact_sheet"] = {
            str(key): _question(value, ("fact_sheet", str(key)), notes)
            for key, value in result["fact_sheet"].items()
        }
    _queue(result, notes)
    order = list(Competition.model_fields)
    return dict(sorted(result.items(), key=lambda item: order.index(item[0])))


def _queue(result: Entry, notes: Notes) -> None:
    if not result.get("queue"):
        return
    extension = result.get("pullbench")
    queue = extension.get("queue") if isinstance(extension, dict) else None
    notes.warn(
        ("queue",),
        f"names a queue of a Codabench server; cells go to the queue '{queue or 'default'}' here.",
        "" if queue else "To have runners of their own, name a queue with pullbench.queue.",
    )


def _known_keys(
    model: type[BaseModel], data: Entry, at: Key, notes: Notes, keep: frozenset[str] = frozenset()
) -> Entry:
    fields = list(model.model_fields)
    result: Entry = {}
    for key in sorted(data, key=lambda key: fields.index(key) if key in fields else 0):
        value = data[key]
        if key not in fields:
            likely = difflib.get_close_matches(str(key), fields, n=1)
            place = (*at, key if isinstance(key, (str, int)) else str(key))
            if where := home_of(str(key)):
                say_misplaced(notes, place, where)
            else:
                message = "is not a known key; it is left out, and Codabench ignores it too."
                notes.warn(place, message, f"Was '{likely[0]}' meant?" if likely else "")
        elif value is not None:  # an absent value means the default
            result[key] = value if key in keep or key == "pullbench" else _value(key, value)
    return result


def home_of(key: str) -> str:
    """The list whose entries alone have a key; empty for one that several or none have."""
    homes = [name for name, model in _ELSEWHERE.items() if key in model.model_fields]
    return homes[0] if len(homes) == 1 and key not in Competition.model_fields else ""


def say_misplaced(notes: Notes, at: Key, where: str) -> None:
    notes.warn(
        at,
        f"is a key of the entries of '{where}'; here it has no effect, and is left out.",
        f"Write it into each of them that it is meant for, below '{where}'.",
    )


def _value(key: str, value: Any) -> Any:
    if key in _TEXTS and isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if key in _CHOICES and isinstance(value, str):
        return value.strip().lower()
    if key in _INDEX_LISTS and isinstance(value, int):
        return [value]
    parts = value.split(",") if key in _INDEX_LISTS and isinstance(value, str) else [""]
    return list(map(int, parts)) if all(part.strip().isdigit() for part in parts) else value


def split_list(value: Any) -> list[str]:
    parts = value if isinstance(value, list) else str(value or "").split(",")
    return [str(part).strip() for part in parts if str(part).strip()]


def is_day_first(dates: Sequence[Any], at: Key, notes: Notes) -> bool:
    """Whether dates are in order with the day first alone; says both readings where not as is."""
    try:
        month, day = ([to_datetime(d, day_first=first) for d in dates] for first in (False, True))
    except ValueError:
        return False  # said where each is read
    place = next((n for n, (one, two) in enumerate(pairwise(month)) if two < one), None)
    if place is None or month == day:
        return False
    chosen = day == sorted(day)
    one, two, three, four = (
        f"{moment:%Y-%m-%d}" for moment in (*month[place : place + 2], *day[place : place + 2])
    )
    notes.warn(
        at,
        f"has dates out of order: {one} comes before {two} with the month first, and {three} "
        f"before {four} with the day first; the {'day' if chosen else 'month'} is taken first.",
        "Write dates as 2026-01-31, which has one reading.",
    )
    return chosen


def _phase(entry: Entry, position: int, at: Key, notes: Notes, *, day_first: bool) -> None:
    if "index" not in entry:
        # In front, where Codabench's own files have it.
        for key in ("index", *entry):
            entry[key] = entry.pop(key, position)
    for key in ("start", "end"):
        if key in entry:
            try:
                entry[key] = to_datetime(entry[key], day_first=day_first).isoformat()
            except ValueError as error:
                notes.refuse((*at, key), f"{error} (found {str(entry[key])[:60]!r})")


def _mend_ends(phases: list[Entry], notes: Notes) -> None:
    """Let a phase that ends before it starts end with the next one's start; the last has no end."""
    places = sorted(range(len(phases)), key=lambda place: int(phases[place]["index"]))
    for place, after in zip_longest(places, places[1:]):
        phase = phases[place]
        start, end = phase.get("start"), phase.get("end")
        if start is None or end is None or to_datetime(end) >= to_datetime(start):
            continue
        following = None if after is None else phases[after].get("start")
        notes.warn(
            ("phases", place, "end"),
            f"{end} is before the start, {start}: "
            + (f"the next phase's start, {following}, is taken" if following else "it is left out"),
            "Correct it in competition.yaml where another moment is meant.",
        )
        phase["end"] = following
        if following is None:
            del phase["end"]


def _question(value: Any, at: Key, notes: Notes) -> Any:
    if not isinstance(value, dict):
        return value
    question = _known_keys(Question, value, at, notes)
    if isinstance(question.get("selection"), list):
        # [True, False] in a file means the answers "True" and "False".
        question["selection"] = [
            "" if item is None else str(item) for item in question["selection"]
        ]
    if isinstance(question.get("title"), bool):
        question["title"] = str(question["title"])
    return question
