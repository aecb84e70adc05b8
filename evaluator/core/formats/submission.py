"""submission.yaml -> Submission."""

import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, field_validator

from evaluator.core.errors import Actor, Problem, errors_in
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import OPENED, CellId, Place
from evaluator.core.formats.fact_sheet import check_answers
from evaluator.core.formats.kinds.kind import (
    KINDS,
    Candidate,
    Reported,
    SubmissionKind,
    find_kind,
    kinds_asked,
)
from evaluator.core.formats.parsing import Extensible, NameIn, make, parse
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.pinned_files import SealedFile
from evaluator.core.formats.schema import Document, read_yaml
from evaluator.core.formats.stages import held_stages
from evaluator.core.plugins import Contract

StrictNumber = Annotated[float, Field(strict=True)] | Annotated[int, Field(strict=True)]
FILE_NAME = "submission.yaml"
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are drawn as blanks."""

ReportedFold = dict[str, StrictNumber] | Annotated[str, Field(min_length=1, max_length=1000)]
"""Column -> value, or why the fold failed."""

_EMPTY: Any = Field(default_factory=dict, json_schema_extra={"default": {}})
"""A default that is made anew; pydantic would copy ``{}`` deeply for each submission."""


class SubmissionFile(Extensible):
    """submission.yaml."""

    plugin_keys = Contract[Any]("submission_keys")

    kind: Annotated[str, NameIn(KINDS)] | None = None
    """``code`` is run by the ingestion program; ``results`` are predictions, scored as they are;
    ``reported`` are scores from elsewhere, never evaluated; ``dataset`` is data for programs to be
    tried on. Without it, the kind follows from the files."""
    name: Annotated[str, Field(max_length=100)] = ""
    """Shown on the board; the directory's name where it is empty or nothing of it can be seen."""
    phase: Annotated[str | None, BeforeValidator(lambda v: str(v) if isinstance(v, int) else v)] = (
        None
    )
    """Name, slug or index of the phase; needed where the benchmark has more than one."""
    environment: Annotated[str, Field(max_length=60)] = ""
    """Of code: the environment of the benchmark that it runs in; empty is the benchmark's image."""
    description: Annotated[str, Field(max_length=5000)] = ""
    fact_sheet: dict[str, Any] = _EMPTY
    source: Annotated[str, Field(max_length=500)] = ""
    """Of reported scores: where they are stated."""
    source_url: Annotated[str, Field(max_length=500)] = ""
    """Of reported scores: address of the source."""
    scores: dict[str, dict[str, StrictNumber]] = _EMPTY
    """Reported scores: task -> column -> value."""
    deviations: dict[str, dict[str, StrictNumber]] = _EMPTY
    """Of reported scores: task -> column -> sample standard deviation of the value."""
    failures: dict[str, Annotated[str, Field(min_length=1, max_length=1000)]] = _EMPTY
    """Of reported scores: task -> why it has none, as the source states it."""
    folds: dict[str, Annotated[list[ReportedFold], Field(min_length=1, max_length=1000)]] = _EMPTY
    """Reported scores by fold, or repeat, for tasks that have no ``scores``: column -> value, or a
    text that says why the fold failed."""
    rank: Annotated[int, Field(strict=True, ge=1)] | None = None
    """Of reported scores: the rank that the source states."""
    leaderboard: bool = True
    """Whether the participant wants it on the board, where the submission rule leaves a choice."""
    cancelled: bool = False
    """Whether it is withdrawn: it is not evaluated, and is on no board."""
    retired: Annotated[str, Field(max_length=500)] = ""
    """Of a data set: why it no longer counts. Results on it stay, marked."""
    replaces: Annotated[str, Field(pattern="^([^/]+/[^/]+)?$")] = ""
    """Of a data set: ``participant/name`` of the version that it takes the place of."""

    @property
    def states_scores(self) -> bool:
        return bool(
            self.source or self.source_url or self.scores or self.deviations or self.failures
            or self.folds or self.rank
        )  # fmt: skip

    @field_validator("fact_sheet", "description", mode="before")
    @classmethod
    def _empty(cls, value: object, info: Any) -> object:
        return ({} if info.field_name == "fact_sheet" else "") if value is None else value


@dataclass(frozen=True, kw_only=True)
class Submission:
    """One entry of a participant's. ``SubmissionFile`` says what is not said here."""

    benchmark: str
    participant: str
    name: str
    """The directory's name."""
    title: str
    kind_name: str
    """Name of its kind, as declared, else as its files tell; files and caches hold names."""
    phase: str
    """Slug of the phase that it enters."""
    environment: str = ""
    description: str
    fact_sheet: Mapping[str, str | bool]
    leaderboard: bool
    cancelled: bool = False
    reported: Reported | None = None
    retired: str = ""
    replaces: str = ""
    solution: str = ""
    """Path in the bundle of the organiser's solution whose files it has; empty for none."""
    stages: tuple[str, ...] = ()
    """Of code, where the benchmark has a workflow in stages: keys of those that it brings."""
    sealed: SealedFile | None = None
    """Its one file, where that is encrypted until a date."""
    of_plugins: Mapping[str, Any] = field(default_factory=dict)
    """Values of keys that plugins offer, by key."""

    @cached_property
    def id(self) -> str:
        return f"{self.benchmark}/{self.participant}/{self.name}"

    @property
    def short_name(self) -> str:
        """By which its benchmark knows it."""
        return f"{self.participant}/{self.name}"

    @property
    def competitor(self) -> str:
        """Whose attempt it is: the participant's, or of reported scores nobody's but its own."""
        return self.id if self.reported else self.participant

    @property
    def kind(self) -> SubmissionKind:
        return KINDS[self.kind_name]

    @property
    def path(self) -> str:
        return f"submissions/{self.id}"

    @property
    def opened_path(self) -> str:
        """Where CI puts what was sealed, once its date has come."""
        return f"{self.path}/{OPENED}"

    @property
    def place(self) -> Place:
        return Place(self.benchmark, self.participant, self.name, self.phase)

    def cell(self, task: str, repeat: int | None = None) -> CellId:
        return self.place.cell(task, repeat)


class Outline(NamedTuple):
    """What a submission was entered as that stood somewhere once; nothing else is checked."""

    entry: SubmissionFile
    phase: Phase
    kind: SubmissionKind


def outline(
    content: bytes, files: Collection[str], benchmark: Benchmark, executables: Collection[str]
) -> Outline | None:
    """Read no more of submission.yaml than that; None if its mistakes let it enter nothing."""
    document = read_yaml(content if content.strip() else b"{}", FILE_NAME, Actor.PARTICIPANT)
    entry = parse(SubmissionFile, document)
    phase = None if entry is None else _phase(entry, benchmark, document)
    if entry is None or phase is None or errors_in(document.problems):
        return None
    kind = _kind(entry, benchmark, phase, files, executables, document)
    return Outline(entry, phase, kind)


def parse_submission(
    location: tuple[str, str, str],
    content: bytes,
    files: Collection[str],
    benchmark: Benchmark,
    *,
    executables: Collection[str] = (),
) -> tuple[Submission | None, list[Problem]]:
    """Read submission.yaml at ``submissions/<benchmark>/<participant>/<name>/``.

    ``files`` are the submission's other files, from its directory, without ``scores/``;
    ``executables`` are those among them that may be executed. An empty submission.yaml says
    nothing but that there is a submission.
    """
    _, participant, name = location
    path = "/".join(("submissions", *location, FILE_NAME))
    document = read_yaml(content if content.strip() else b"{}", path, Actor.PARTICIPANT)
    entry = parse(SubmissionFile, document)
    if entry is None:
        return None, document.problems
    phase = _phase(entry, benchmark, document)
    needs_files = entry.kind is None or KINDS[entry.kind].is_evaluated
    if needs_files and not any(file != FILE_NAME for file in files):
        document.report((), "is alone: the submission has no other file.", "Add your work.")
    kind = _kind(entry, benchmark, phase, files, executables, document)
    _check_environment(entry, kind, benchmark, document)
    answers = check_answers(kind.sheet(benchmark), entry.fact_sheet, document)
    candidate = Candidate(
        entry=entry, files=files, benchmark=benchmark, phase=phase, document=document
    )
    for each in kinds_asked():
        if each is kind:
            each.check(candidate)
        else:
            each.check_others(kind, candidate)
    reported = kind.stated_scores(candidate)
    if phase is None or errors_in(document.problems):
        return None, document.problems
    submission = make(
        Submission,
        entry,
        benchmark=benchmark.name,
        participant=participant,
        name=name,
        title=entry.name if _is_seen(entry.name) else name,
        kind_name=kind.name,
        phase=phase.slug,
        fact_sheet=answers,
        reported=reported,
        sealed=kind.sealed_file(candidate),
        of_plugins=entry.of_plugins,
        stages=held_stages(benchmark.stages, files) if kind.runs_code else (),
    )
    return submission, document.problems


def _is_seen(text: str) -> bool:
    """Whether a text has a character that leaves ink; one without cannot be pointed at."""
    return any(
        unicodedata.category(character)[0] not in "CZM" and character not in _BLANKS
        for character in text
    )


def _kind(
    entry: SubmissionFile,
    benchmark: Benchmark,
    phase: Phase | None,
    files: Collection[str],
    executables: Collection[str],
    document: Document,
) -> SubmissionKind:
    if entry.kind is not None:
        return KINDS[entry.kind]
    if phase is None or ("kind",) in document.refused:
        return next(iter(KINDS.values()))  # refused for that; a second fault would say nothing
    kind, recognised = find_kind(benchmark, phase, frozenset(files) - {FILE_NAME}, executables)
    if recognised.hint:
        message = f"is not given, and is taken as '{kind.name}', for {recognised.reason}."
        document.report(("kind",), message, recognised.hint, severity="warning")
    return kind


def _check_environment(
    entry: SubmissionFile, kind: SubmissionKind, benchmark: Benchmark, document: Document
) -> None:
    if entry.environment and not kind.runs_code:
        document.report(
            ("environment",), f"is for code, and this is '{kind.name}'.", "Leave it out."
        )
    elif entry.environment and entry.environment not in benchmark.environments:
        names = ", ".join(f"'{name}'" for name in benchmark.environments)
        document.report(
            ("environment",), f"'{entry.environment}' is not there.",
            f"Name one of {names}, or leave it out." if names
            else "The benchmark has none: leave it out.",
        )  # fmt: skip


def _phase(entry: SubmissionFile, benchmark: Benchmark, document: Document) -> Phase | None:
    names = ", ".join(f"'{phase.slug}'" for phase in benchmark.phases)
    if entry.phase is None:
        if len(benchmark.phases) == 1:
            return benchmark.phases[0]
        document.report(("phase",), "is missing.", f"Name one of {names}.")
        return None
    phase = benchmark.phase(entry.phase)
    if phase is None:
        document.report(("phase",), f"'{entry.phase}' is not there.", f"Name one of {names}.")
    return phase
