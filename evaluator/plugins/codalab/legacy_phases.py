"""Phases of CodaLab v1.5 and 1.8: each has its own programs and data, and ends with the next."""

import datetime as dt
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from evaluator.core.formats.quantities import to_datetime
from evaluator.core.formats.schema import Key
from evaluator.importing.notes import Notes
from evaluator.plugins.codalab.keys import is_day_first, split_list

MAX_SUBMISSIONS, MAX_PER_DAY, SECONDS = 100, 999, 300
"""CodaLab's defaults; Codabench's conversion writes its own."""
_FILES = ("ingestion_program", "input_data", "scoring_program", "reference_data")
_SAME = (
    "hide_output", "hide_prediction_output", "hide_score_output", "starting_kit", "public_data",
)  # fmt: skip
_PLAYED = "ingestion_program_only_during_scoring"
_READ = frozenset(
    {
        *_FILES, *_SAME, "phasenumber", "label", "description", "start_date", "max_submissions",
        "max_submissions_per_day", "execution_time_limit", "auto_migration", "is_scoring_only",
        _PLAYED, "phase_never_ends", "is_parallel_parent",
        "parent_phasenumber", "leaderboard_management_mode", "datasets", "color",
        "force_best_submission_to_leaderboard", "hidden_columns",
    }
)  # fmt: skip
Entry = dict[str, Any]


@dataclass(kw_only=True)
class _Phase:
    """One phase of the file, its start read."""

    at: Key
    data: Entry
    number: int
    start: dt.datetime
    given: dt.datetime
    """Start as the file has it."""
    children: list["_Phase"] = field(default_factory=list)
    """Phases that become tasks of this one."""

    @property
    def label(self) -> str:
        return str(self.data.get("label") or f"Phase {self.number}").strip()

    @property
    def never_ends(self) -> bool:
        return bool(self.data.get("phase_never_ends"))

    @property
    def hides(self) -> frozenset[str]:
        return frozenset(split_list(self.data.get("hidden_columns")))

    @property
    def skips_prediction(self) -> bool:
        """Whether what is submitted is scored as it is: no ingestion program runs before."""
        return bool(self.data.get("is_scoring_only")) and not self.data.get(_PLAYED)


@dataclass(frozen=True, kw_only=True)
class Phases:
    """Tasks and phases of version 2."""

    tasks: list[Entry]
    entries: list[Entry]
    origins: dict[Key, Key]
    """Their keys -> keys of the source."""
    hidden: list[frozenset[str]]
    """Columns that each phase hides by itself."""
    blind: bool
    """Whether all hide their results."""


def convert_phases(data: Entry, notes: Notes) -> Phases:
    phases = _separate_starts(
        _join_simultaneous(_nest_children(_read(data, notes), notes), notes), notes
    )
    tasks: list[Entry] = []
    entries: list[Entry] = []
    origins: dict[Key, Key] = {}
    for position, phase in enumerate(phases):
        origins |= _origins(("phases", position), phase.at)
        following = phases[position + 1] if position + 1 < len(phases) else None
        numbers = []
        for member in phase.children or [phase]:
            numbers.append(len(tasks))
            origins |= _origins(("tasks", len(tasks)), member.at)
            name = member.label if phase.children else f"{member.label} Task"
            tasks.append(_task(member, len(tasks), name, notes))
        entry = _entry(phase, position, numbers, notes)
        end = following.start if following else _last_end(data, phase, notes)
        origins["phases", position, "end"] = (
            (*following.at, "start_date") if following else ("end_date",)
        )
        if end is not None:
            entry["end"] = end.isoformat()
        if following and phase.never_ends:
            notes.warn(
                (*phase.at, "phase_never_ends"),
                f"is not kept: '{phase.label}' ends when '{following.label}' starts.",
                "Phases may not overlap. Benchmarks of their own can be open side by side.",
            )
        entries.append(entry)
    modes = [phase.data.get("leaderboard_management_mode") == "hide_results" for phase in phases]
    hidden = [
        frozenset.intersection(*(member.hides for member in phase.children or [phase]))
        for phase in phases
    ]
    return Phases(
        tasks=tasks, entries=entries, origins=origins, hidden=hidden,
        blind=bool(modes) and all(modes),
    )  # fmt: skip


def _origins(key: Key, origin: Key) -> dict[Key, Key]:
    renamed = {
        "name": "label",
        "start": "start_date",
        "auto_migrate_to_this_phase": "auto_migration",
        "ingestion_only_during_scoring": "ingestion_program_only_during_scoring",
    }
    return {key: origin} | {(*key, new): (*origin, old) for new, old in renamed.items()}


def _read(data: Entry, notes: Notes) -> list[_Phase]:
    source = data.get("phases")
    items = list(source.items()) if isinstance(source, dict) else list(enumerate(source or []))
    phases = []
    dates = [value.get("start_date") for _, value in items if isinstance(value, dict)]
    day_first = is_day_first(dates, ("phases",), notes)
    for place, (key, value) in enumerate(items, start=1):
        at: Key = ("phases", key if isinstance(key, (str, int)) else str(key))
        if not isinstance(value, dict):
            notes.refuse(at, "holds no keys.")
            continue
        try:
            start = to_datetime(value.get("start_date"), day_first=day_first)
            number = int(value.get("phasenumber") or place)
        except (ValueError, TypeError) as error:
            name = "start_date" if "date" in str(error) else "phasenumber"
            notes.refuse((*at, name), f"{error} (found {str(value.get(name))[:60]!r})")
            continue
        phases.append(_Phase(at=at, data=value, number=number, start=start, given=start))
        _say_dropped(value, at, notes)
    if not items:
        notes.refuse(("phases",), "is missing or empty.", "A competition has at least one phase.")
    return sorted(phases, key=lambda phase: phase.number)


def _nest_children(phases: list[_Phase], notes: Notes) -> list[_Phase]:
    """CodaLab 1.8: the phases below a parallel parent become its tasks."""
    parents = {phase.number: phase for phase in phases if phase.data.get("is_parallel_parent")}
    phases_left = []
    for phase in phases:
        parent = parents.get(phase.data.get("parent_phasenumber") or -1)
        if parent is None or parent is phase:
            phases_left.append(phase)
            continue
        parent.children.append(phase)
        notes.note(phase.at, f"'{phase.label}' is now a task of the phase '{parent.label}'.")
    for parent in parents.values():
        if parent.children and parent.data.get("scoring_program"):
            notes.warn(
                (*parent.at, "scoring_program"),
                f"is not kept: it joined the scores of {len(parent.children)} phases; "
                "now the board does, by the mean over the tasks.",
                "'pullbench.aggregate: none' ranks by the first task instead.",
            )
    return phases_left


def _join_simultaneous(phases: list[_Phase], notes: Notes) -> list[_Phase]:
    """Phases that start at once and never end were open side by side: now tasks of one phase."""
    result = []
    for _, members in groupby(phases, key=lambda phase: phase.start):
        group = list(members)
        side_by_side = len(group) > 1 and all(phase.never_ends for phase in group[:-1])
        if not side_by_side or any(phase.children for phase in group):
            result += group
            continue
        first = group[0]
        first.children = [replace(phase, children=[]) for phase in group]
        notes.warn(
            first.at,
            f"{', '.join(repr(phase.label) for phase in group)} were open side by side; "
            f"they are now tasks of one phase, '{first.label}'.",
            "Each submission runs on all of them; a board for each task is kept.",
        )
        result.append(first)
    return result


def _separate_starts(phases: list[_Phase], notes: Notes) -> list[_Phase]:
    """Of phases that start at once CodaLab had opened only the last: the others come before it."""
    following: _Phase | None = None
    for phase in reversed(phases):
        if following is not None and following.given == phase.given:
            notes.warn(
                (*phase.at, "start_date"),
                f"is that of '{following.label}', so that '{phase.label}' was never open; "
                "it keeps the second before.",
                "Correct 'start' and 'end' in the bundle where both were meant to be open.",
            )
            phase.start = following.start - dt.timedelta(seconds=1)
        following = phase
    return phases


def _last_end(data: Entry, phase: _Phase, notes: Notes) -> dt.datetime | None:
    value = data.get("end_date")
    if value in (None, "", "null"):
        return None
    if phase.never_ends:
        notes.note(("end_date",), f"is not used: '{phase.label}' never ends.")
        return None
    try:
        end = to_datetime(value)
    except ValueError as error:
        notes.refuse(("end_date",), f"{error} (found {str(value)[:60]!r})")
        return None
    if end <= phase.start:
        notes.warn(("end_date",), f"is not after the start of '{phase.label}'; it is left out.")
        return None
    return end


def _task(phase: _Phase, index: int, name: str, notes: Notes) -> Entry:
    task: Entry = {"index": index, "name": name, "description": phase.data.get("description")}
    task |= {key: phase.data.get(key) for key in _FILES}
    if phase.skips_prediction and task["ingestion_program"]:
        message = "is left out: 'is_scoring_only' skips the prediction step, so that it never ran."
        notes.note((*phase.at, "ingestion_program"), message)
        task["ingestion_program"] = None
    if phase.data.get(_PLAYED):
        task["ingestion_only_during_scoring"] = True
    return {key: value for key, value in task.items() if value not in (None, "")}


def _entry(phase: _Phase, position: int, tasks: list[int], notes: Notes) -> Entry:
    data = phase.data
    entry: Entry = {"index": position, "name": phase.label}
    if data.get("description"):
        entry["description"] = data["description"]
    entry |= {"start": phase.start.isoformat(), "tasks": tasks}
    limits = {"max_submissions_per_day": MAX_PER_DAY, "max_submissions": MAX_SUBMISSIONS}
    for key, default in limits.items():
        entry[key] = default if data.get(key) is None else data[key]
        if str(entry[key]) == "0":
            entry[key] = 1
            notes.warn(
                (*phase.at, key),
                "0 let nobody submit on CodaLab, but is no limit here; it is now 1.",
                "A phase that only takes over submissions needs none; set what you mean.",
            )
    members = (phase, *(phase.children or ()))
    seconds = [member.data.get("execution_time_limit") for member in members]
    longest = max((one for one in seconds if isinstance(one, int)), default=SECONDS)
    entry["execution_time_limit"] = longest if seconds[0] in (None, 0) else seconds[0]
    if data.get("auto_migration") and position:
        entry["auto_migrate_to_this_phase"] = True
    elif data.get("auto_migration"):
        message = "is left out: nothing comes before the first phase."
        notes.note((*phase.at, "auto_migration"), message)
    entry |= {key: data[key] for key in _SAME if data.get(key) is not None}
    if data.get("leaderboard_management_mode") == "hide_results":
        entry["hide_score_output"] = True
        notes.warn(
            (*phase.at, "leaderboard_management_mode"),
            f"hid the results of '{phase.label}'; its logs are hidden, but records are in git.",
            "Scores that must stay secret need a private repository.",
        )
    return entry


def _say_dropped(data: Entry, at: Key, notes: Notes) -> None:
    dropped = sorted(str(key) for key in data if key not in _READ)
    if dropped:
        notes.warn(at, f"{', '.join(dropped)}: left out, for there is no such key.")
    datasets = data.get("datasets")
    for key, dataset in datasets.items() if isinstance(datasets, dict) else ():
        fields = dataset if isinstance(dataset, dict) else {}
        place = fields.get("url") or fields.get("key") or "?"
        notes.warn(
            (*at, "datasets", str(key)), f"links to {place}: left out.", "Link to it on a page."
        )
