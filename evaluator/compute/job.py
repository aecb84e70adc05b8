"""A cell with its folders on this host: all that a compute worker needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from evaluator.compute.engine.spec import Capacity
from evaluator.compute.granting import Grant, grant
from evaluator.compute.mounts import Inputs
from evaluator.errors import Actor
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId, Keys
from evaluator.formats.extension import Limits
from evaluator.formats.phases import Phase, Task
from evaluator.formats.stages import VARIABLE
from evaluator.formats.submission import Submission


def scores_files(submission: Submission, task: Task) -> bool:
    """Whether a submission's files are scored as they are, and none of them is run."""
    return submission.kind.scores_files(task) or task.is_check


@dataclass(frozen=True, kw_only=True)
class Job:
    """One cell to evaluate."""

    cell: CellId
    keys: Keys
    benchmark: Benchmark
    phase: Phase
    task: Task
    submission: Submission
    prepare: Callable[[], Inputs]
    """Lay the folders out. Called in the worker's thread, so that what is wrong with one
    submission's files becomes that cell's record. Raises InvalidInputError, PlatformError."""
    commit: str | None
    """Commit that the inputs come from; None where they were not committed."""
    submitted: Callable[[], str | None]
    """Asks git for the ISO time at which the submission was committed; None where it was not.
    Called for the record, so that a thousand cells need not wait for a thousand answers."""

    capacity: Capacity | None = None
    """What the machine has; None until it is known on which one it runs."""
    predicted_for: str = ""
    """Of cells of a run that share one prediction, the first one's ``record_name``: its record says
    that the code ran, whichever comes first. Empty for a cell by itself."""

    @property
    def record_name(self) -> str:
        """The cell and its key: what its record is of."""
        return f"{self.cell} {self.keys.score}"

    @property
    def scores_files(self) -> bool:
        """Whether the submission's files are scored as they are."""
        return scores_files(self.submission, self.task)

    @property
    def author(self) -> Actor:
        """Whose code the prediction step runs."""
        return self.submission.kind.prediction_author

    @property
    def names_outputs(self) -> bool:
        """Whether a message may name what the prediction step wrote."""
        return not (self.phase.hide_output or self.phase.hide_prediction_output)

    @cached_property
    def grant(self) -> Grant:
        """Resources of the prediction step, or of the agent's side."""
        return grant(self.benchmark, self.task, self.capacity)

    @cached_property
    def scoring_grant(self) -> Grant:
        """Resources of the scoring program."""
        return grant(self.benchmark, self.task, self.capacity, predicts=False)

    @property
    def limits(self) -> Limits:
        """Limits of one container of the task."""
        return self.grant.limits

    @property
    def seconds(self) -> int:
        """Limit of each step; 0 is none."""
        return self.phase.seconds_of(self.task)

    @property
    def environment(self) -> Mapping[str, str]:
        """Variables with the repeat that a program runs, and with whose stages."""
        variables: dict[str, str] = {}
        if self.cell.repeat is not None:
            variables["PULLBENCH_REPEAT"] = str(self.cell.repeat)
        if self.task.stages is not None:
            variables[VARIABLE] = ",".join(self.task.stages)
        return variables
