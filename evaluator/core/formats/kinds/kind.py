"""What a submission kind is: what it holds, whose code runs, how it is scored, judged and shown.

A kind is a file with a class below ``SubmissionKind`` and one line in ``plugin``. Everything else
asks the object; no other place knows a kind by its name.

Codabench has no such word. There a submission without ``metadata`` is copied to the predictions
*and* given to the ingestion program, and nobody sees that one crash; so results come through a task
that expects code. Here one of the two happens, and it is known before anything runs.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.fact_sheet import Sheet
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.pinned_files import SealedFile
from evaluator.core.formats.schema import Document
from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    from evaluator.core.formats.submission import SubmissionFile


MAX_REASON = 1000
"""Characters of the reason for one task."""


@dataclass(frozen=True, kw_only=True)
class Reported:
    """Scores that somebody else states."""

    source: str
    url: str
    """Address of the source; empty where there is none."""
    scores: Mapping[str, Mapping[str, float]]
    """Task slug -> column key -> value."""
    deviations: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Task slug -> column key -> sample standard deviation, as the source states it."""
    failures: Mapping[str, str] = field(default_factory=dict)
    """Task slug -> why there is no value, as the source states it."""
    folds: Mapping[str, tuple[Mapping[str, float] | str, ...]] = field(default_factory=dict)
    """Task slug -> by fold the values, or why it failed; none for tasks that are stated whole."""
    rank: int | None = None

    def why(self, task: str) -> str:
        folds = self.folds.get(task, ())
        failed = [f"fold {n}: {fold}" for n, fold in enumerate(folds) if isinstance(fold, str)]
        if not failed:
            return self.failures.get(task, "")
        return f"{len(failed)} of {len(folds)} folds failed; {'; '.join(failed)}"[:MAX_REASON]


@dataclass(frozen=True, kw_only=True)
class Recognised:
    """Why files are taken for a submission of a kind."""

    reason: str
    hint: str = ""
    """What to write where the files make sense as another kind, too; empty where they do not."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A submission that is to be judged."""

    entry: "SubmissionFile"
    files: Collection[str]
    """Paths from its directory."""
    benchmark: Benchmark
    phase: Phase | None
    """None where it names none that there is."""
    document: Document
    """Takes what is wrong with it."""


class SubmissionKind:
    """A kind of submission; as it stands, work that is evaluated and has a row on the board."""

    name: str
    """As submission.yaml has it."""
    is_evaluated: bool = True
    """Whether containers run for it: it has cells, needs files, and spends attempts."""
    runs_code: bool = False
    """Whether the participant's code runs, in the stages of a workflow where there are any."""
    holds_predictions: bool = False
    """Whether its files are what a participant's code would have written, scored as they are."""
    brings_data: bool = False
    """Whether it is data that programs are tried on, once it is accepted."""
    prediction_author: Actor = Actor.PARTICIPANT
    """Whose code the prediction step runs."""
    asked_first: bool = False
    """Whether it is asked before other kinds if files are its: they have a form of their own."""
    mark: str = ""
    """What pages say behind the name of each submission of it; nothing by default."""
    citation: str = "Entry to"
    """How it is cited, before the title of the benchmark."""
    invitation: str = "Enter the phase"
    """Heading of how to submit, before the name of the phase."""
    anchor: str = ""
    """Ends the address of that heading; only one kind at a time can do without."""

    def recognise(
        self,
        benchmark: Benchmark,
        phase: Phase,
        files: Collection[str],
        executables: Collection[str],
    ) -> Recognised | None:
        """Say why files, but for submission.yaml, are of this kind; None if they are not."""
        return None

    def check(self, candidate: Candidate) -> None:
        """Report what is wrong with a submission of this kind."""

    def check_others(self, kind: "SubmissionKind", candidate: Candidate) -> None:
        """Report in a submission of another kind what belongs to this one."""

    def stated_scores(self, candidate: Candidate) -> Reported | None:
        """Read the scores that a submission states itself, and report what is wrong with them."""
        return None

    def sealed_file(self, candidate: Candidate) -> SealedFile | None:
        """The file of a submission without mistakes that is encrypted until a date."""
        return None

    def opened(
        self, sealed: SealedFile, cell: CellId, folder: Path, decrypt: Callable[[], Path]
    ) -> Path:
        """The predictions of one in ``folder``. Raises CellFailedError, PlatformError."""
        raise NotImplementedError

    def scores_files(self, task: Task) -> bool:
        """Whether a task scores the files as they are, without a prediction step."""
        return self.holds_predictions

    def is_row(self, benchmark: Benchmark) -> bool:
        return True

    def sheet(self, benchmark: Benchmark) -> Sheet:
        return Sheet(
            questions=benchmark.fact_sheet, forms=benchmark.answer_forms,
            filled=benchmark.quota_by,
        )  # fmt: skip

    def is_usual(self, benchmark: Benchmark, phase: Phase) -> bool:
        """Whether a phase is made for it; the first kind that says so is shown how to submit."""
        return False

    def is_offered(self, benchmark: Benchmark) -> bool:
        """Whether the page on submitting shows it beside the kind that a phase is made for."""
        return False

    def takes(self, phase: Phase) -> str:
        """Say what a phase takes that is made for this kind, or that offers it."""
        return self.name

    def meaning(self, benchmark: Benchmark, phase: Phase) -> str:
        """Say what happens to a submission, behind ``kind:`` in a submission.yaml to fill in."""
        return "is evaluated"

    def expected_files(self, benchmark: Benchmark, phase: Phase) -> Iterator[str]:
        """Yield what must stand beside submission.yaml, in words."""
        yield "your work, in the form that the benchmark's pages describe"


KINDS = Contract[SubmissionKind]("kinds")


def find_kind(
    benchmark: Benchmark, phase: Phase, files: Collection[str], executables: Collection[str] = ()
) -> tuple[SubmissionKind, Recognised]:
    """The first kind that takes the names of files, without submission.yaml, for its own."""
    return next(
        (kind, recognised)
        for kind in kinds_asked()
        if (recognised := kind.recognise(benchmark, phase, files, executables)) is not None
    )


def usual_kind(benchmark: Benchmark, phase: Phase) -> SubmissionKind:
    return next(kind for kind in kinds_asked() if kind.is_usual(benchmark, phase))


def kinds_asked() -> Iterator[SubmissionKind]:
    yield from sorted(KINDS.values(), key=lambda kind: not kind.asked_first)
