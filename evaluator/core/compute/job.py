"""A cell as a compute worker gets it: digests, limits and names, the same on every machine."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Protocol

import msgspec

from evaluator.core.compute.engine.resources import Capacity, Grant, grant
from evaluator.core.compute.gateway import WayOut
from evaluator.core.errors import Actor
from evaluator.core.formats.budget import Budget
from evaluator.core.formats.cell import CellId, Keys
from evaluator.core.formats.content_cache import ContentCache
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.kinds.kind import KINDS, SubmissionKind
from evaluator.core.formats.pinned_files import PrivateData, SealedFile
from evaluator.core.formats.record import StepName
from evaluator.core.formats.stages import VARIABLE


class Elsewhere(Protocol):
    """Files of a submission that lie elsewhere: plain data of a plugin, which can be pickled."""

    def complete(self, job: "Job", folder: Path, cache: ContentCache) -> Path:
        """The folder of the submission with them. Raises PlatformError, CellFailedError."""


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """Digests of the folders that a cell needs; empty if its bundle has none.

    ``evaluator.core.compute.contents`` says what a digest is of. Encrypted data have that of the
    encrypted file; data outside the repository have none.
    """

    submission: str
    """Without submission.yaml and scores/."""
    scoring_program: str
    ingestion_program: str = ""
    input_data: str = ""
    reference_data: str = ""
    data: str = ""
    """What is mounted at ``/app/data``."""
    context: str = ""
    """Of the build of the benchmark's image."""
    code_context: str = ""
    """Of the build of the image in which submitted code runs."""


class JobImage(msgspec.Struct, frozen=True, kw_only=True):
    """An image of a bundle."""

    name: str
    """As the bundle names it."""
    used: str
    """As this deployment does."""
    digest: str
    """Content id of the build's context."""


class Job(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One cell to evaluate: plain data, which can be pickled."""

    cell: CellId
    keys: Keys
    contents: Contents
    private: tuple[PrivateData, ...] = ()
    sealed: SealedFile | None = None
    """Of the submission."""
    fold: int | None = None
    """Number of the repeat, if each has data of its own."""
    is_rows: bool = False
    """Whether the fold's data are made of the table that the reference data hold."""
    commit: str | None
    """Commit that the inputs come from; None if they were not committed."""
    submitted: str = ""
    """ISO time at which the submission came. Empty until there is a record: a thousand cells need
    not wait for a thousand answers of git."""

    kind_name: str
    scores_files: bool
    ingestion_program: str
    """Path in the repository, for messages; empty without one. So is ``scoring_program``."""
    scoring_program: str
    task_name: str
    task_index: int
    parallel: bool
    is_check: bool
    stages: tuple[str, ...] | None

    image: JobImage
    """Of the scoring program: the benchmark's."""
    code_image: JobImage
    """Of submitted code: the same, or the environment that the submission names."""
    queue: str
    network: str
    scoring_network: str
    ingestion_may_fail: bool
    exclusive: bool
    gpus: int
    """What a container of the task is to have; so is ``asked``."""
    asked: Limits
    seconds: int
    """Limit of each step; 0 is none."""
    budget: Budget | None

    score_keys: tuple[str, ...]
    """Keys that the scoring program writes; so are ``optional_keys``, which may be left out."""
    optional_keys: frozenset[str]
    extra_keys: frozenset[str] | None
    """Further ones that are recorded; None is all."""
    attachments: tuple[str, ...]
    """Suffixes of those that are kept."""
    names_outputs: bool
    """Whether a message may name what the prediction step wrote."""

    ways_out: dict[StepName, WayOut] = {}
    """What a step may reach; in parallel mode the agent's side has that of the prediction step."""
    is_scored_apart: bool = False
    """Whether its predictions are handed over, to a job that has the reference data."""
    ended_well: frozenset[StepName] = frozenset()
    """Steps of the organiser's programs that ended well on other files, see planning.controls."""
    capacity: Capacity | None = None
    """What the machine has; None until it is known on which one it runs."""
    elsewhere: tuple[Elsewhere, ...] = ()
    """What the submission's folder lacks in git."""
    predicted_for: str = ""
    """The ``record_name`` of the first of a run's cells that share one prediction: its record says
    that the code ran, whichever comes first. Empty for a cell by itself."""

    @property
    def record_name(self) -> str:
        return f"{self.cell} {self.keys.score}"

    @property
    def fold_turn(self) -> tuple[str, int, int] | None:
        """Benchmark, task and fold, if each fold holds answers to others."""
        cell = self.cell
        return None if self.fold is None else (cell.benchmark, self.task_index, self.fold)

    @property
    def kind(self) -> SubmissionKind:
        return KINDS[self.kind_name]

    @property
    def submission_path(self) -> str:
        return f"submissions/{self.cell.submission_id}"

    @property
    def author(self) -> Actor:
        """Whose code the prediction step runs."""
        return self.kind.prediction_author

    @cached_property
    def grant(self) -> Grant:
        """Resources of the prediction step, or of the agent's side."""
        return grant(self.asked, self.gpus, self.capacity)

    @cached_property
    def scoring_grant(self) -> Grant:
        return grant(self.asked, 0, self.capacity)

    @property
    def limits(self) -> Limits:
        return self.grant.limits

    @property
    def environment(self) -> Mapping[str, str]:
        variables: dict[str, str] = {}
        if self.cell.repeat is not None:
            variables["PULLBENCH_REPEAT"] = str(self.cell.repeat)
        if self.stages is not None:
            variables[VARIABLE] = ",".join(self.stages)
        return variables
