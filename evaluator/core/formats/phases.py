"""Tasks and phases of a benchmark: what is to be solved, and when."""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from evaluator.core.formats.budget import Budget
from evaluator.core.formats.competition import PhaseEntry, TaskEntry
from evaluator.core.formats.datasets import Origin
from evaluator.core.formats.extension import Extension, Ladder, PhaseExtension, TaskExtension
from evaluator.core.formats.parsing import make
from evaluator.core.formats.pinned_files import PrivateData
from evaluator.core.formats.quantities import unique_slugs
from evaluator.core.formats.stages import base_slug, variant_slug, variants

_PLAIN_PHASE = PhaseExtension.model_construct()
_PLAIN_TASK = TaskExtension.model_construct()


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is to be solved. Programs and data are paths in the bundle: a directory or a zip."""

    index: int
    slug: str
    name: str
    description: str
    scoring_program: str
    ingestion_program: str | None
    input_data: str | None
    reference_data: str | None
    parallel: bool
    """``ingestion_only_during_scoring``."""
    extension: TaskExtension = _PLAIN_TASK
    """Where it differs from the others in repeats and limits."""
    private: tuple[PrivateData, ...] = ()
    origin: Origin | None = None
    """The data set that it was made of; its data are paths in that, not in the bundle."""
    is_check: bool = False
    """Whether it accepts or refuses a data set instead of scoring a program."""
    stages: tuple[str, ...] | None = None
    """In a cell of a workflow in stages, those that are the participant's; else None."""

    @property
    def heading(self) -> str:
        """Its name and, where tasks are measured by different metrics, that of what ranks."""
        return " ".join([self.name, *(f"({metric})" for metric in self.extension.metrics[:1])])

    @property
    def retired(self) -> str:
        """Why it no longer counts; empty while it does."""
        return str(self.extension.withdrawn or (self.origin and self.origin.retired) or "")

    @property
    def needs_the_organisers_machine(self) -> bool:
        """Whether some of its data are neither in the repository in the clear nor at an address."""
        return any(one.url is None for one in self.private)

    @property
    def hides_labels(self) -> bool:
        return any(one.file == "reference_data" for one in self.private)

    def variants(self, held: Sequence[str]) -> "tuple[Task, ...]":
        return tuple(
            replace(self, slug=variant_slug(self.slug, stages), stages=stages)
            for stages in variants(held)
        )


@dataclass(frozen=True, kw_only=True)
class Phase:
    """A window in time with its tasks and limits. See ``PhaseExtension``, too."""

    index: int
    slug: str
    name: str
    description: str
    start: dt.datetime
    end: dt.datetime | None
    tasks: tuple[Task, ...]
    max_submissions_per_day: int
    max_submissions: int
    execution_time_limit: int
    auto_migrate: bool
    hide_output: bool
    hide_prediction_output: bool
    hide_score_output: bool
    starting_kit: str | None
    public_data: str | None
    only_results: bool = False
    """``accepts_only_result_submissions``."""
    shows: Literal["results", "status"] = "results"
    feedback_digits: int | None = None
    ladder: Ladder | None = None
    budget: Budget | None = None
    max_submissions_per_week: int = 0
    columns: tuple[str, ...] = ()
    primary: str = ""
    submission_rule: str = ""
    only_reported: bool = False
    """Whether it takes published results alone, and is never open."""
    of_plugins: Mapping[str, Any] = field(default_factory=dict)
    """Values of keys that plugins offer, by key."""

    @property
    def limits_attempts(self) -> bool:
        return any(
            (self.max_submissions, self.max_submissions_per_week, self.max_submissions_per_day)
        )

    @property
    def has_ingestion(self) -> bool:
        return any(task.ingestion_program for task in self.tasks)

    @property
    def is_played(self) -> bool:
        return any(task.parallel for task in self.tasks)

    @property
    def hides_logs(self) -> bool:
        return self.hide_output or self.hide_prediction_output or self.hide_score_output

    def seconds_of(self, task: Task) -> int:
        """The limit of each step of a task; 0 is none."""
        return task.extension.seconds or self.execution_time_limit

    def budget_of(self, task: Task) -> float:
        """The seconds that a prediction step may take, in whatever way they are limited."""
        limit = self.seconds_of(task) or math.inf
        return limit if self.budget is None else min(limit, self.budget.seconds_of(task.index))

    def is_parallel(self, task: str) -> bool:
        return any(item.parallel and item.slug == base_slug(task) for item in self.tasks)

    def is_open(self, now: dt.datetime) -> bool:
        in_time = self.start <= now and (self.end is None or now < self.end)
        return in_time and not self.only_reported

    def has_started(self, now: dt.datetime) -> bool:
        return self.start <= now


def make_tasks(entries: Sequence[TaskEntry], extension: Extension) -> dict[int, Task]:
    ordered = sorted(entries, key=lambda task: task.index)
    slugs = unique_slugs([task.name for task in ordered], "task")
    return {
        entry.index: make(
            Task,
            entry,
            slug=task_slug,
            name=entry.name or task_slug,
            scoring_program=clean_path(entry.scoring_program) or "",
            ingestion_program=clean_path(entry.ingestion_program),
            input_data=clean_path(entry.input_data),
            reference_data=clean_path(entry.reference_data),
            parallel=entry.ingestion_only_during_scoring,
            extension=extension.tasks.get(entry.index, _PLAIN_TASK),
            private=tuple(item for item in extension.private if item.task == entry.index),
        )
        for entry, task_slug in zip(ordered, slugs, strict=True)
    }


def make_phases(
    entries: Sequence[PhaseEntry], tasks: dict[int, Task], extension: Extension
) -> tuple[Phase, ...]:
    ordered = sorted(entries, key=lambda phase: phase.index)
    slugs = unique_slugs([phase.name for phase in ordered], "phase")
    return tuple(
        make(
            Phase, entry, more,
            index=position,
            slug=phase_slug,
            tasks=tuple(tasks[index] for index in dict.fromkeys(entry.tasks)),
            auto_migrate=entry.auto_migrate_to_this_phase,
            starting_kit=clean_path(entry.starting_kit),
            public_data=clean_path(entry.public_data),
            only_results=entry.accepts_only_result_submissions,
            columns=tuple(more.columns),
            only_reported=extension.reported == "only",
            of_plugins=more.of_plugins,
        )
        for position, (entry, phase_slug) in enumerate(zip(ordered, slugs, strict=True))
        for more in [extension.phases.get(entry.index, _PLAIN_PHASE)]
    )  # fmt: skip


def clean_path(path: str | None) -> str | None:
    return path.removeprefix("./").rstrip("/") if path else None
