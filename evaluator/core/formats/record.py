"""The record of one cell; ``scores_file`` has the form of the files that hold it.

A failure is a record, not an absence. Times are UTC in ISO 8601; sizes are bytes; durations are
seconds.
"""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

import msgspec

from evaluator.core.errors import Actor
from evaluator.core.formats.cell import SEALED, STAGES, CellId, Keys

_LARGEST = sys.float_info.max
# The length as well, for Python's $ matches before a line's end, too.
Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Score = Annotated[float, msgspec.Meta(ge=-_LARGEST, le=_LARGEST)]
# No machine is near these: a year on 30,000 cores, a pebibyte, a million cores or evaluations, and
# the exit codes of every system. Each field of a record, and of a line, has its range by its type.
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Bytes = Annotated[int, msgspec.Meta(ge=0, le=2**50)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**20)]
ExitCode = Annotated[int, msgspec.Meta(ge=-(2**31), lt=2**32)]
# It becomes a part of a path.
Suffix = Annotated[str, msgspec.Meta(pattern="^[a-z0-9.]+$", max_length=40)]
PAGE = "html"
"""Suffix of detailed results."""

StepName = Literal["ingestion", "scoring"]


class Reason(StrEnum):
    """Why a cell failed. Each has one actor, see ACTOR_OF."""

    OUT_OF_MEMORY = "out of memory"
    TIMED_OUT = "timed out"
    EXITED = "exited with an error"
    OUTPUT_LIMIT = "wrote too much"
    UNSAFE_OUTPUT = "unsafe output"
    SCORER_FAILED = "scoring program failed"
    NO_SCORES = "no scores written"
    BAD_SCORES = "malformed scores"
    WRONG_COLUMNS = "unknown or missing column"
    REJECTED = "predictions refused"
    WITHHELD = "failed, no details are shown"
    BAD_INPUT = "files cannot be used"
    BAD_PROGRAM = "program cannot be run"
    BAD_IMAGE = "image cannot be built"
    BAD_DATA = "data is not what the bundle pins"
    PLATFORM_FAULT = "platform fault"


_PARTICIPANT = (
    Reason.OUT_OF_MEMORY, Reason.TIMED_OUT, Reason.EXITED, Reason.OUTPUT_LIMIT,
    Reason.UNSAFE_OUTPUT, Reason.REJECTED, Reason.WITHHELD, Reason.BAD_INPUT,
)  # fmt: skip
ACTOR_OF = {
    **dict.fromkeys(Reason, Actor.ORGANISER),
    **dict.fromkeys(_PARTICIPANT, Actor.PARTICIPANT),
    Reason.PLATFORM_FAULT: Actor.PLATFORM,
}
"""Who acts where participants' code ran. In the scoring step, which runs the organiser's program
alone, limits are the organiser's to mend: the worker says so in the record."""


class Part(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    # There are 200,000 records of a dozen objects each, and none of them holds itself.
    gc=False,
):
    """A part of a record. Its fields are checked where it is read and where it is written."""

    def replace(self, **changes: Any) -> Self:
        return msgspec.structs.replace(self, **changes)


class RecordKeys(Part, frozen=True, kw_only=True):
    """What the evaluation depended on, see formats.cell."""

    score: Hex
    """Identifies this record; a record whose score key is no longer the plan's is stale."""
    parts: dict[str, str]
    """The submission's digest, and the beginnings of those of the other parts of the keys."""


class CellError(Part, frozen=True, kw_only=True):
    """Why a cell failed."""

    actor: Actor
    reason: Reason
    message: str
    """One sentence, safe to show."""
    hint: str = ""
    step: StepName | None = None
    """The step that failed; None before the first container."""


class Granted(Part, frozen=True, kw_only=True):
    """What a container was given of its machine."""

    cpus: Annotated[float, msgspec.Meta(gt=0, le=2**20)]
    memory: Annotated[int, msgspec.Meta(ge=1, le=2**50)]
    """Bytes."""
    gpus: Count = 0


class Step(Part, frozen=True, kw_only=True):
    """What one container took, measured from outside it."""

    step: StepName
    wall_seconds: Seconds
    """From the container's start to its exit."""
    cpu_seconds: Seconds | None = None
    """User and system time of all its processes; None where the host does not measure it."""
    peak_memory: Bytes | None = None
    """Bytes, page cache included; None where the host does not measure it."""
    exit_code: ExitCode | None = None
    """None where it was killed from outside."""
    gpus: list[str] = []
    """Model and memory of each GPU it was given."""
    granted: Granted | None = None
    """None in records of earlier versions."""
    less: str = ""
    """What it was to have and was not given, such as ``2 of 4 cores``, where whoever ran it wanted
    it evaluated all the same."""
    log: str = ""
    """End of its output, where the phase's switches allow it to be shown, and who reads it asked
    for it: in a repository it stands in another file than the scores."""


_Content = bytes  # a field below has the name of the type


class Attachment(Part, frozen=True, kw_only=True):
    """A file that the scoring program wrote and that lies beside the record, such as a page."""

    sha256: Hex
    """Another content is not what was scored."""
    bytes: Bytes

    @classmethod
    def of(cls, content: _Content) -> Self:
        return cls(sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))


class Provenance(Part, frozen=True, kw_only=True):
    """Where a record comes from."""

    submission_tree: str
    """Digest of the submission's files."""
    commit: str | None = None
    """Commit that was evaluated; None for files that were not committed."""
    submitted: str
    """When the submission was added (the commit's date, else the time of the run)."""
    started: str
    """Start of the evaluation; its end, where a phase shows only whether it ran."""
    finished: str
    evaluator: str
    """Version of pullbench."""
    image: str
    """Image as written in the bundle."""
    image_used: str | None = None
    """Image that ran in its place, where ``[tool.pullbench.images]`` maps it to another."""
    image_id: str | None = None
    """Id of the image that ran; None without a container."""
    isolation: Literal["docker", "gvisor", "none", "podman"]
    """``none`` is the subprocess engine: trusted local use."""
    queue: str
    cpu: str
    """Model of the processor."""
    cpus: Count
    """Cores of the machine."""
    memory: Bytes
    reused_predictions: bool = False
    """True where stored predictions were scored again and no participant's code ran."""


class Earlier(Part, frozen=True, kw_only=True):
    """What the same submission scored before the benchmark was changed."""

    score_key: Hex
    """Key of the record that this one replaced."""
    scores: dict[str, Score]
    """As they stood, unrounded."""
    finished: str


MAX_TRIES = 3
"""Evaluations of one content that a plan asks for where each is a platform fault: after that it
is as likely the content's doing, and somebody has to look at the machine."""


class Record(Part, frozen=True, kw_only=True):
    """Everything known of one cell."""

    cell: CellId
    keys: RecordKeys
    status: Literal["finished", "failed"]
    scores: dict[str, Score] = {}
    """Column key -> value as the scoring program wrote it, unrounded."""
    extra: dict[str, Score] = {}
    """Numbers that the scoring program wrote under keys that are no column, where the bundle asks
    for them."""
    attachments: dict[Suffix, Attachment] = {}
    """By what ends their names, if the bundle enables them and the phase shows them."""
    error: CellError | None = None
    earlier: list[Earlier] = []
    """Scores of the same submission under earlier versions of the benchmark, the oldest first."""
    tries: Annotated[int, msgspec.Meta(ge=1, le=2**20)] = 1
    """How many evaluations of the same content in a row were platform faults."""
    steps: list[Step] = []
    sealed: str | None = None
    """The whole record with its logs, encrypted to the organisers with age, in base64; where this
    one leaves out what is hidden."""
    id: Hex | None = None
    """Of a record that was opened: its identity as long as it was sealed, see ``identity``."""
    provenance: Provenance

    def path_of(self, suffix: str) -> str | None:
        """Where an attachment may lie: sealed if the record does not name it."""
        path = self.cell.attachment_path(suffix)
        if suffix in self.attachments:
            return path
        return None if self.sealed is None else f"{path}{SEALED}"

    @property
    def is_platform_fault(self) -> bool:
        return self.error is not None and self.error.actor == Actor.PLATFORM

    def step(self, name: str) -> Step | None:
        return next((step for step in self.steps if step.step == name), None)


MAX_LOG = 4000
"""Characters of a log's end that a record holds."""
MAX_EXTRA = 100
"""Numbers under keys that are no column."""
MAX_EXTRA_KEY = 64
"""Characters of such a key."""
MAX_TEXT = 4000
"""Characters of any other text, such as a message or the name of a processor."""
SHORT = 16
"""Characters of a digest that suffice to see that a part of a key changed."""


def record_keys(keys: Keys) -> RecordKeys:
    return RecordKeys(score=keys.score, parts=shortened(keys.parts))


def shortened(parts: Mapping[str, str]) -> dict[str, str]:
    whole = ("submission", STAGES)
    return {name: part if name in whole else part[:SHORT] for name, part in parts.items()}


def clock_seconds(steps: Sequence[Step], *, at_once: bool) -> list[float]:
    """Wall-clock seconds whose sum a cell took: of steps ``at_once`` those of the longest."""
    seconds = [step.wall_seconds for step in steps]
    return [max(seconds)] if at_once and seconds else seconds
