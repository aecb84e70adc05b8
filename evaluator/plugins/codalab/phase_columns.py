"""Columns of each phase of a bundle, as the sources of its scoring programs show them.

Codabench and CodaLab have one list of columns for all phases, and show a dash where a phase's
program does not write one. Here a submission fails without the column by which its phase ranks:
else a participant could choose, by what a submission writes, which column ranks.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from evaluator.core.errors import some_of
from evaluator.core.formats.competition import Competition, PhaseEntry, TaskEntry
from evaluator.importing.folder import SourceFolder
from evaluator.importing.notes import Notes
from evaluator.importing.written_keys import SOURCES, WrittenKeys
from evaluator.plugins.codalab.branches import keys_in_phase
from evaluator.plugins.codalab.programs import check_hidden

Entry = dict[str, Any]
_SHORT = 200
"""Bytes of a file of data that is a setting rather than data."""


def add_phase_columns(
    data: Entry,
    folder: SourceFolder,
    boards: Mapping[str, Sequence[str]] = MappingProxyType({}),
    hidden: Sequence[Collection[str]] = (),
) -> None:
    """Name each phase's columns that are not ``hidden``; ``boards`` name what may rank."""
    try:
        competition = Competition.model_validate(data)
    except ValidationError:
        return  # the check of what is written says why
    check_hidden(competition.leaderboards[0], folder.notes)
    columns = _Columns(competition, folder, boards)
    held = {
        phase.index: columns.of_phase(position, frozenset(hides))
        for position, (phase, hides) in enumerate(
            zip(competition.phases, hidden or [()] * len(competition.phases), strict=True)
        )
    }
    for position, phase in enumerate(competition.phases):
        _write_phase(data, phase.index, held[phase.index], columns, folder.notes, position)
    needed = {key for one in held.values() for key in (one.primary, *columns.made_of[one.primary])}
    optional = {key for one in held.values() for key in one.unsure} - needed
    if optional:
        listed = [key for key in columns.keys if key in optional]
        for key in listed:
            extension = data.setdefault("pullbench", {}).setdefault("columns", {})
            extension.setdefault(key, {})["optional"] = True
        folder.notes.note(
            ("leaderboards", 0, "columns"),
            f"{_quote(listed)} may be left out: the sources of scoring programs do not show that "
            "each submission has them.",
            "Take 'optional' away where they must be there.",
        )


@dataclass(frozen=True, kw_only=True)
class _Held:
    """The columns of one phase."""

    keys: Sequence[str]
    primary: str
    unsure: frozenset[str]
    """Those that its programs may leave out, as far as anybody can see."""


class _Columns:
    """The columns of a board, and what is known of who writes them."""

    def __init__(
        self, competition: Competition, folder: SourceFolder, boards: Mapping[str, Sequence[str]]
    ) -> None:
        self._phases = competition.phases
        self._boards = boards
        self._notes = folder.notes
        ranking = [key for keys in boards.values() for key in keys]
        board = competition.leaderboards[0]
        ordered = sorted(board.columns, key=lambda column: column.index)
        key_of = {column.index: column.key for column in ordered}
        self.keys = [column.key for column in ordered]
        self.primary = key_of.get(board.primary_index, self.keys[0])
        self._ranking = [key for key in ranking if key in self.keys] or [self.primary, *self.keys]
        self._secret = {column.key for column in ordered if column.hidden and not board.hidden}
        ranks = {key: column.ranks for key, column in competition.pullbench.columns.items()}
        self.made_of: Mapping[str, Sequence[str]] = {
            column.key: (of.fields if (of := ranks.get(column.key)) else ())
            or [key_of[index] for index in column.computation_indexes or () if index in key_of]
            for column in ordered
        }
        plain = [key for key in self.keys if not self.made_of[key]]
        tasks = {task.index: task for task in competition.tasks}
        words = [_words(folder, phase, tasks) for phase in competition.phases]
        self._written = [
            [
                _keys_of_program(folder, tasks[index].scoring_program or "", plain, place, words)
                if index in tasks
                else _NOTHING
                for index in phase.tasks
            ]
            for place, phase in enumerate(competition.phases)
        ]
        traced = frozenset().union(*(one.any for found in self._written for one in found))
        self._unknown = frozenset(plain) - traced
        """Columns that no program mentions."""

    def of_phase(self, place: int, hides: frozenset[str]) -> _Held:
        written = self._written[place]
        everything = frozenset(self.keys)
        seen = frozenset().union(*(one.any or everything for one in written))
        certain = frozenset.intersection(*(one.certain for one in written))
        plain = {key for key in self.keys if not self.made_of[key]}
        hides |= self._of_other_boards(place, certain)
        held = {key for key in plain & (seen | self._unknown) if key not in hides} or plain
        for _ in range(2):  # ranks are made of columns that are computed themselves
            held |= {
                key
                for key, operands in self.made_of.items()
                if operands and held.issuperset(operands) and key not in hides
            }
        return _Held(
            keys=[key for key in self.keys if key in held],
            primary=self._primary(held, certain),
            unsure=frozenset(key for key in held & plain if key not in certain),
        )

    def _of_other_boards(self, place: int, certain: Collection[str]) -> frozenset[str]:
        """Columns of the boards that are not a phase's, by title or else by number."""
        seen = frozenset().union(*(one.any for one in self._written[place]))
        boards = {title: keys for title, keys in self._boards.items() if seen & {*keys}}
        ranked = {key for keys in boards.values() for key in keys}
        if len(boards) < 2 or ranked & {*certain}:
            return frozenset()
        name = self._phases[place].name.casefold()
        titled = [title for title in boards if title.casefold() in name]
        numbered = [*boards][place : place + 1] if len(boards) == len(self._phases) else []
        chosen = next(iter(titled if len(titled) == 1 else numbered), "")
        self._notes.warn(
            ("phases", place),
            f"may write columns of {_quote(boards)}, and the source of its scoring program does "
            "not show which: "
            + (f"those of '{chosen}' are taken" if chosen else "the first ranks"),
            "Name others with pullbench.phases where that is wrong.",
        )
        return frozenset(ranked - {*boards[chosen]}) if chosen else frozenset()

    def _primary(self, held: Collection[str], certain: Collection[str]) -> str:
        def is_sure(key: str) -> bool:
            return all(one in certain for one in self.made_of[key] or [key])

        candidates = [key for key in self._ranking if key in held and key not in self._secret]
        sure = [key for key in candidates if is_sure(key)]
        is_possible = not self._unknown.intersection(self.made_of[self.primary])
        if self.primary in held and (is_possible or not sure):
            return self.primary
        return next(iter([*sure, *candidates]), self.primary)


_NOTHING = WrittenKeys(certain=frozenset(), possible=frozenset())


def _keys_of_program(
    folder: SourceFolder,
    program: str,
    keys: Sequence[str],
    place: int,
    words: Sequence[Collection[str]],
) -> WrittenKeys:
    names = folder.below(program) if program and folder.is_dir(program) else ()
    sources = [folder.read(name) for name in names if name.lower().endswith(SOURCES)]
    written = [keys_in_phase(content, keys, place, words) for content in sources]
    certain = frozenset[str]().union(*(one.certain for one in written))
    traced = frozenset[str]().union(*(one.any for one in written))
    return WrittenKeys(certain=certain, possible=traced - certain)


def _words(
    folder: SourceFolder, phase: PhaseEntry, tasks: Mapping[int, TaskEntry]
) -> Collection[str]:
    """Words that are a phase's: its name, names of its data, what a short file holds."""
    words = {phase.name, *phase.name.split()}
    for task in (tasks[index] for index in phase.tasks if index in tasks):
        words |= {task.name, *task.name.split()}
        for part in filter(None, (task.reference_data, task.input_data)):
            for name in folder.below(part) if folder.is_dir(part) else ():
                words |= {name[len(part) :].strip("/"), *name[len(part) :].split("/")}
                if (folder.root / name).stat().st_size <= _SHORT:
                    words |= {*folder.read(name).decode("utf-8", "replace").split()}
    return {word.casefold() for word in words}


def _write_phase(
    data: Entry, index: int, held: _Held, columns: _Columns, notes: Notes, position: int
) -> None:
    has_all = len(held.keys) == len(columns.keys)
    if has_all and held.primary == columns.primary:
        return
    extension: Entry = {} if has_all else {"columns": list(held.keys)}
    if held.primary != columns.primary:
        extension["primary"] = held.primary
    phases = data.setdefault("pullbench", {}).setdefault("phases", {})
    phases.setdefault(index, {}).update(extension)
    notes.note(
        ("phases", position),
        f"has the columns {_quote(held.keys)}, which its scoring programs write, as far as their "
        f"sources show; '{held.primary}' ranks.",
        "pullbench.phases names them.",
    )


def _quote(keys: Iterable[str]) -> str:
    return some_of([f"'{key}'" for key in keys])
