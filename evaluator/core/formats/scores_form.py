"""The form of a scores file: every cell of one submission in one phase, one line for each.

``submissions/<benchmark>/<participant>/<name>/scores/<phase>.json``. What cells have in common
stands once at the top, under a name made from its content, so that a union of two files is a union
of their lines. Times are UTC in ISO 8601; sizes are bytes; durations are seconds.
"""

import datetime as dt
from typing import Annotated, Literal

import msgspec

from evaluator.core.formats.record import (
    Bytes,
    CellError,
    Count,
    DetailedResults,
    Earlier,
    ExitCode,
    Granted,
    Hex,
    Part,
    Score,
    Seconds,
    StepName,
)

Short = Annotated[str, msgspec.Meta(max_length=1000)]
"""The beginning of a digest, which says only whether something changed; or names of stages."""
RunName = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}$", max_length=8)]


class Given(Part, frozen=True, kw_only=True):
    """What a step was given of its machine."""

    granted: Granted | None = None
    """None in records of earlier versions."""
    gpus: list[str] = []
    """Model and memory of each GPU."""
    less: str = ""
    """What it was to have and was not given, such as ``2 of 4 cores``."""


class Run(Part, frozen=True, kw_only=True):
    """What several cells have in common: of what content they are, and where they ran."""

    submission: str
    """Digest of the submission's files that took part."""
    submitted: str
    """When the submission was added."""
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
    key: Hex
    """The score key: another one than the plan's makes the cell stale."""
    run: RunName
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
    """Whether stored predictions were scored again and no participant's code ran."""
    details: DetailedResults | None = None
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

    def line(self, task: str, repeat: int | None) -> Line | None:
        same = (line for line in self.cells if line.task == task and line.repeat == repeat)
        return next(same, None)


def order(line: Line) -> tuple[str, int]:
    return line.task, -1 if line.repeat is None else line.repeat
