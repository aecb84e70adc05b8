"""The committed record of one cell: versioned, sorted, exact.

A failure is a record, not an absence. Times are UTC in ISO 8601; sizes are bytes; durations are
seconds. Floats are written with repr precision, so that reading them back gives the same bits.
"""

import json
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from evaluator.errors import Actor
from evaluator.formats.cell import CellId, Keys
from evaluator.formats.schema import read_json

RECORD_VERSION = 1
MAX_EARLIER = 20
"""Versions of a score that a record remembers."""
MAX_RECORD_BYTES = 2**20
Hex = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Score = Annotated[float, Field(allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


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


ACTOR_OF = {
    Reason.OUT_OF_MEMORY: Actor.PARTICIPANT,
    Reason.TIMED_OUT: Actor.PARTICIPANT,
    Reason.EXITED: Actor.PARTICIPANT,
    Reason.OUTPUT_LIMIT: Actor.PARTICIPANT,
    Reason.UNSAFE_OUTPUT: Actor.PARTICIPANT,
    Reason.SCORER_FAILED: Actor.ORGANISER,
    Reason.NO_SCORES: Actor.ORGANISER,
    Reason.BAD_SCORES: Actor.ORGANISER,
    Reason.WRONG_COLUMNS: Actor.ORGANISER,
    Reason.REJECTED: Actor.PARTICIPANT,
    Reason.WITHHELD: Actor.PARTICIPANT,
    Reason.BAD_INPUT: Actor.PARTICIPANT,
    Reason.BAD_PROGRAM: Actor.ORGANISER,
    Reason.BAD_IMAGE: Actor.ORGANISER,
    Reason.BAD_DATA: Actor.ORGANISER,
    Reason.PLATFORM_FAULT: Actor.PLATFORM,
}
"""Who acts where participants' code ran. In the scoring step, which runs the organiser's program
alone, limits are the organiser's to mend: the worker says so in the record."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CellName(_Part):
    """The cell that a record belongs to; repeats what its path says."""

    benchmark: str
    participant: str
    submission: str
    phase: str
    task: str
    repeat: int | None = None

    @property
    def id(self) -> CellId:
        """As the identifier used everywhere else."""
        return CellId(**self.model_dump())


class RecordKeys(_Part):
    """What the evaluation depended on, see formats.cell."""

    prediction: Hex
    """Identifies the stored predictions."""
    score: Hex
    """Identifies this record; a record whose score key is no longer the plan's is stale."""
    parts: dict[str, str]
    """Digest of each part of the keys."""


class CellError(_Part):
    """Why a cell failed."""

    actor: Actor
    """Who must act."""
    reason: Reason
    message: str
    """One sentence, safe to show."""
    hint: str = ""
    """What to do next."""
    step: Literal["ingestion", "scoring"] | None = None
    """The step that failed; None before the first container."""


class Step(_Part):
    """What one container took, measured from outside it."""

    step: Literal["ingestion", "scoring"]
    wall_seconds: Seconds
    """From the container's start to its exit."""
    cpu_seconds: Seconds | None = None
    """User and system time of all its processes; None where the host does not tell."""
    peak_memory: int | None = None
    """Bytes, page cache included; None where the host does not tell."""
    exit_code: int | None = None
    """None where it was killed from outside."""
    gpus: list[str] = []
    """Model and memory of each GPU it was given."""
    log: str = ""
    """End of its output, where the phase's switches allow it to be shown."""


class DetailedResults(_Part):
    """The HTML page that the scoring program wrote; it stands beside the record."""

    sha256: Hex
    """Digest of the page: another content is not what was scored."""
    bytes: Annotated[int, Field(ge=0)]


class Provenance(_Part):
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
    """End of the evaluation."""
    evaluator: str
    """Version of pullbench."""
    image: str
    """Image as written in the bundle."""
    image_used: str | None = None
    """Image that ran in its place, where ``[tool.pullbench.images]`` maps it to another."""
    image_id: str | None = None
    """Id of the image that ran; None without a container."""
    isolation: Literal["docker", "gvisor", "none"]
    """``none`` is the subprocess engine: trusted local use."""
    queue: str
    cpu: str
    """Model of the processor."""
    cpus: int
    """Cores of the machine."""
    memory: int
    """Bytes of memory of the machine."""
    reused_predictions: bool = False
    """True where stored predictions were scored again and no participant's code ran."""


class Earlier(_Part):
    """What the same submission scored before the benchmark was changed."""

    score_key: Hex
    """Key of the record that this one replaced."""
    scores: dict[str, Score]
    """As they stood, unrounded."""
    finished: str
    """End of that evaluation."""


class Record(_Part):
    """Everything known of one cell."""

    version: Literal[1] = 1
    cell: CellName
    keys: RecordKeys
    status: Literal["finished", "failed"]
    scores: dict[str, Score] = {}
    """Column key -> value as the scoring program wrote it, unrounded."""
    extra: dict[str, Score] = {}
    """Numbers that the scoring program wrote under keys that are no column."""
    detailed_results: DetailedResults | None = None
    """Where the bundle enables them and the phase shows them."""
    error: CellError | None = None
    earlier: list[Earlier] = []
    """Scores of the same submission under earlier versions of the benchmark, the oldest first."""
    steps: list[Step] = []
    sealed: str | None = None
    """The whole record, encrypted to the organisers with age, in base64; where this one leaves
    out what is hidden."""
    provenance: Provenance

    @field_validator("scores", "extra", mode="before")
    @classmethod
    def _no_booleans(cls, value: object) -> object:
        if isinstance(value, dict) and any(isinstance(item, bool) for item in value.values()):
            raise ValueError("true and false are not scores")
        return value

    def step(self, name: str) -> Step | None:
        """Return what a step took, if it ran."""
        return next((step for step in self.steps if step.step == name), None)


def to_json(record: Record) -> bytes:
    """Canonical form: sorted keys, two blanks, a final newline."""
    data = record.model_dump(mode="json", exclude_none=True)
    if not record.earlier:
        del data["earlier"]
    text = json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode()


def from_json(content: bytes) -> Record:
    """Read a record. Raises ValueError with the first reason why it is none."""
    data = read_json(content, max_bytes=MAX_RECORD_BYTES)
    if isinstance(data, dict) and data.get("version") != RECORD_VERSION:
        raise ValueError(
            f"has record version {data.get('version')!r}; this pullbench reads {RECORD_VERSION}"
        )
    try:
        return Record.model_validate(data)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        place = ".".join(map(str, detail["loc"]))
        raise ValueError(f"is not a record: {place}: {detail['msg']}") from None


def is_settled(content: bytes, score_key: str) -> bool:
    """Whether a record in canonical form is of that key, and no platform fault, at a glance.

    It is asked of 200,000 records, so it reads none of them. In canonical form a line cannot begin
    so elsewhere: text holds no line ends, and of its neighbours at that depth none is text under
    that name. False says that one has to look.
    """
    return (
        content.endswith(b"}\n")
        and b'\n    "score": "%s"' % score_key.encode() in content
        and b'\n    "actor": "platform"' not in content
    )


def withheld(record: Record) -> Record:
    """Return what a phase that shows only whether a submission ran says of a record.

    Who must act stays, and why, where it is not the participant: the organiser and the platform
    have to know, and it tells nothing of the data.
    """
    error = record.error
    if error is not None and error.actor == Actor.PARTICIPANT:
        error = CellError(
            actor=Actor.PARTICIPANT,
            reason=Reason.WITHHELD,
            message="this phase shows only whether a submission ran",
            hint="Try it on the public data; the organiser can say more.",
        )
    elif error is not None and error.step is not None:
        # Messages about a step may repeat what a program wrote.
        error = error.model_copy(update={"message": "a program of the bundle failed", "hint": ""})
    # How long it took may tell how large the data is.
    provenance = record.provenance.model_copy(update={"started": record.provenance.finished})
    return record.model_copy(
        update={
            "scores": {}, "extra": {}, "steps": [], "earlier": [], "detailed_results": None,
            "error": error, "provenance": provenance,
        }
    )  # fmt: skip


def succeed(new: Record, old: Record) -> Record:
    """Return ``new`` with what ``old``, which it replaces, said of the same submission.

    Only another version of the benchmark makes another version of a score: a re-run of the same
    content replaces without a trace here, as git has one.
    """
    parts = [record.keys.parts.get("submission") for record in (new, old)]
    if parts[0] != parts[1]:
        return new
    earlier = list(old.earlier)
    if old.keys.score != new.keys.score and old.scores:
        earlier.append(
            Earlier(score_key=old.keys.score, scores=old.scores, finished=old.provenance.finished)
        )
    return new.model_copy(update={"earlier": earlier[-MAX_EARLIER:]})


def record_keys(keys: Keys) -> RecordKeys:
    """Keys of a cell as its record stores them."""
    return RecordKeys(prediction=keys.prediction, score=keys.score, parts=dict(keys.parts))
