"""The scores file: every cell of one submission in one phase, one line for each.

``submissions/<benchmark>/<participant>/<name>/scores/<phase>.json``. What cells have in common
stands once at the top, under a name made from its content, so that a union of two files is a union
of their lines. Times are UTC in ISO 8601; sizes are bytes; durations are seconds. A file is written
in one spelling, and read fast, or with the reason why it is none.
"""

import datetime as dt
import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated, Literal, TypeVar

import msgspec

from evaluator.core.formats.json_reader import UnreadableError, finite, form_reader, read_json
from evaluator.core.formats.paths import shown
from evaluator.core.formats.record import (
    Attachment,
    Bytes,
    CellError,
    Count,
    Earlier,
    ExitCode,
    Granted,
    Hex,
    Part,
    Score,
    Seconds,
    StepName,
    Suffix,
)

Short = Annotated[str, msgspec.Meta(max_length=1000)]
"""The beginning of a digest, which says only whether something changed; or names of stages."""
RunName = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}$", max_length=8)]
# Of lines the schema alone states the patterns: all keys of a file are matched at once, and a
# line's run is one of the file's. Matched one by one, they took half the time of reading.
_Key = Annotated[str, msgspec.Meta(max_length=64, extra_json_schema={
    "type": "string", "maxLength": 64, "pattern": "^[0-9a-f]{64}$",
})]  # fmt: skip
_OneOfRuns = Annotated[str, msgspec.Meta(extra_json_schema={
    "type": "string", "maxLength": 8, "pattern": "^[0-9a-f]{8}$",
})]  # fmt: skip
_DIGITS = re.compile("[0-9a-f]*")


class Given(Part, frozen=True, kw_only=True):
    """What a step was given of its machine."""

    granted: Granted | None = None
    gpus: list[str] = []
    less: str = ""


class Run(Part, frozen=True, kw_only=True):
    """What several cells have in common: of what content they are, and where they ran."""

    submission: str
    submitted: str
    parts: dict[str, Short]
    """The other parts of the key that all cells share, each by the beginning of its digest."""
    commit: str | None = None
    evaluator: str
    image: str
    image_used: str | None = None
    image_id: str | None = None
    isolation: Literal["docker", "gvisor", "none", "podman"]
    queue: str
    cpu: str
    cpus: Count
    memory: Bytes
    steps: dict[StepName, Given] = {}


class Took(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """What one container took, measured from outside it."""

    wall_seconds: Seconds
    cpu_seconds: Seconds | None
    peak_memory: Bytes | None
    exit_code: ExitCode | None


class Line(Part, frozen=True, kw_only=True):
    """One cell. See ``formats.record`` for what is not said here."""

    task: str
    repeat: Count | None = None
    status: Literal["finished", "failed"] = "finished"
    scores: dict[str, Score] = {}
    key: _Key
    """The score key: another one than the plan's makes the cell stale."""
    run: _OneOfRuns
    input: Short = ""
    """The beginning of the digest of the input data."""
    reference: Short = ""
    """The same of the reference data."""
    started: Annotated[dt.datetime, msgspec.Meta(tz=True)]
    seconds: Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
    """From the start of the evaluation to its end."""
    ingestion: Took | None = None
    scoring: Took | None = None
    extra: dict[str, Score] = {}
    error: CellError | None = None
    earlier: list[Earlier] = []
    tries: Annotated[int, msgspec.Meta(ge=1, le=2**20)] = 1
    reused: bool = False
    details: Attachment | None = None
    """The page of detailed results."""
    files: dict[Suffix, Attachment] | None = None
    """Other attachments. None, since 200,000 empty ones take memory."""
    sealed: str | None = None
    """A scores file of this cell alone, encrypted to the organisers with age, in base64."""
    id: Hex | None = None
    logs: dict[StepName, str] = {}
    """Ends of the steps' output, where a cell travels alone; in a repository they stand in a file
    of their own beside this one."""


class ScoresFile(Part, frozen=True, kw_only=True):
    """Every cell of one submission in one phase."""

    version: Literal[2]
    benchmark: str
    participant: str
    submission: str
    phase: str
    runs: dict[RunName, Run]
    cells: Annotated[list[Line], msgspec.Meta(min_length=1)]

    def __post_init__(self) -> None:
        keys = [line.key for line in self.cells]
        digits = "".join(keys)
        if len(digits) != 64 * len(keys) or _DIGITS.fullmatch(digits) is None:
            wrong = (n for n, key in enumerate(keys) if not re.fullmatch("[0-9a-f]{64}", key))
            place = next(wrong)
            task = shown(self.cells[place].task)
            raise ValueError(f"cells[{place}].key ('{task}'): is no SHA-256 in hexadecimal")

    def line(self, task: str, repeat: int | None) -> Line | None:
        same = (line for line in self.cells if line.task == task and line.repeat == repeat)
        return next(same, None)


def order(line: Line) -> tuple[str, int]:
    return line.task, -1 if line.repeat is None else line.repeat


Checked = TypeVar("Checked", ScoresFile, Run)
VERSION = 2
MAX_SCORES_BYTES = 2**26
_MAX_VALUES = MAX_SCORES_BYTES // 8
_read = form_reader(ScoresFile, max_bytes=MAX_SCORES_BYTES, max_values=_MAX_VALUES)
# Structs in the order of their fields, so that a line begins with its task; dicts by key.
_encode = msgspec.json.Encoder(order="deterministic").encode
_LAST_YEAR = 9000
"""Begins of evaluations after it have no end that a calendar holds."""


def run_name(run: Run) -> str:
    """Beginning of the digest of a run that was read, or ``checked``: 2 and 2.0 make two names."""
    return hashlib.sha256(_encode(run)).hexdigest()[:8]


def checked(part: Checked) -> Checked:
    """A part that holds what its types say, which nobody has read. Raises ValueError."""
    return msgspec.convert(msgspec.to_builtins(part), type(part))


def encode(file: ScoresFile) -> bytes:
    names = ("version", "benchmark", "participant", "submission", "phase")
    head = b",\n".join(b'"%b":%b' % (name.encode(), _encode(getattr(file, name))) for name in names)
    runs = b",\n".join(
        b"%b:%b" % (_encode(name), _encode(run)) for name, run in sorted(file.runs.items())
    )
    cells = b",\n".join(map(_encode, file.cells))
    return b'{\n%b,\n"runs":{\n%b\n},\n"cells":[\n%b\n]\n}\n' % (head, runs, cells)


def decode(content: bytes) -> ScoresFile:
    """Read a file in any spelling. Raises ValueError with the first reason, which names the key."""
    with suppress(UnreadableError, UnicodeEncodeError):
        file = _read(content)
        # No key that is doubled survives being written again; text holds no line ends.
        if _encode(file) == content.replace(b"\n", b"") and fault_of_lines(file) is None:
            return file
    return _read_strictly(content)


def _read_strictly(content: bytes) -> ScoresFile:
    data = read_json(content, max_bytes=MAX_SCORES_BYTES, max_values=_MAX_VALUES)
    if isinstance(data, dict) and data.get("version") != VERSION:
        raise ValueError(f"has version {data.get('version')!r}; this pullbench reads {VERSION}")
    try:
        file = msgspec.convert(data, ScoresFile)
    except (msgspec.ValidationError, RecursionError) as error:
        message, _, place = str(error).partition(" - at `$")
        place = _place(place.strip("`."), data)
        raise ValueError(
            f"is not a scores file: {f'{place}: ' if place else ''}{message}"
        ) from None
    fault = fault_of_lines(file)
    if fault is not None:
        raise ValueError(f"is not a scores file: {fault}")
    try:
        encode(file)
    except UnicodeEncodeError as error:
        raise ValueError(f"is not a scores file: holds text that is none: {error}") from None
    return file


def _place(place: str, data: object) -> str:
    """Name the line of a place as people do, by its task, and a number by its key."""
    head, bracket, _ = place.partition("]")
    index = head.removeprefix("cells[")
    if not bracket or not index.isdecimal() or not isinstance(data, dict):
        return place.replace("[...]", ".*")
    line = data["cells"][int(index)]
    for part in ("scores", "extra"):
        if place.endswith(f".{part}[...]"):
            keys = (key for key, value in line[part].items() if finite(value) is None)
            place = place.removesuffix("[...]") + f".{shown(next(keys, '*'))}"
    task = line.get("task") if isinstance(line, dict) else None
    return f"{place} ('{shown(task)}')" if isinstance(task, str) else place


def fault_of_lines(file: ScoresFile) -> str | None:
    for name, run in file.runs.items():
        if run_name(run) != name:
            return f"runs.{name}: is not the name of what it holds, which is {run_name(run)}"
    before: tuple[str, int] = ("", -2)
    runs = file.runs
    for place, line in enumerate(file.cells):
        if line.run not in runs:
            return f"cells[{place}].run: there is no {shown(line.run)} among the runs"
        position = (line.task, -1 if line.repeat is None else line.repeat)
        if position <= before:
            problem = "is there twice" if position == before else "comes after one that it precedes"
            return f"cells[{place}].task: '{shown(line.task)}' {problem}"
        if line.started.year > _LAST_YEAR:
            return f"cells[{place}].started: is after the year {_LAST_YEAR}"
        before = position
    return None


def merged(file: ScoresFile | None, newer: ScoresFile) -> ScoresFile:
    lines = {order(line): line for line in (*(file.cells if file else ()), *newer.cells)}
    return of_lines(newer, {**(file.runs if file else {}), **newer.runs}, lines.values())


def of_lines(like: ScoresFile, runs: dict[str, Run], lines: Iterable[Line]) -> ScoresFile:
    cells = sorted(lines, key=order)
    needed = {line.run for line in cells}
    return like.replace(
        runs={name: run for name, run in sorted(runs.items()) if name in needed}, cells=cells
    )
