"""A benchmark as the rest of the program sees it: every reference in competition.yaml resolved."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from evaluator.core.errors import Actor, Problem, errors_in
from evaluator.core.formats.bundle_checks import check
from evaluator.core.formats.columns import Leaderboard, make_leaderboard
from evaluator.core.formats.competition import IGNORED_KEYS, Competition, Page
from evaluator.core.formats.datasets import CHECK, Datasets
from evaluator.core.formats.extension import Analysis, Limits, PredictionsFile, RepeatData
from evaluator.core.formats.fact_sheet import AnswerForm, Question
from evaluator.core.formats.names import FOLDER, environments, image_name
from evaluator.core.formats.parsing import make, parse
from evaluator.core.formats.phases import Phase, Task, clean_path, make_phases, make_tasks
from evaluator.core.formats.schema import read_yaml
from evaluator.core.formats.stages import Stage

FILE_NAME = "competition.yaml"


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A submission that the organiser ships with the bundle."""

    name: str
    description: str
    path: str | None
    tasks: frozenset[int] = frozenset()
    """Indexes of those that it solves."""


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """One bundle. ``extension`` and ``competition`` say what is not said here."""

    name: str
    """The directory below benchmarks/."""
    title: str
    description: str
    stand_in: str
    """What its data are where they are not those that its name promises; the title says so."""
    logo: str
    docker_image: str
    has_dockerfile: bool
    environments: tuple[str, ...]
    limits: Limits
    network: str
    scoring_network: str
    ingestion_may_fail: bool
    repeats: int
    repeat_data: RepeatData
    exclusive: bool
    gpus: int
    queue: str
    reported: bool
    baseline: str
    datasets: Datasets | None
    stages: tuple[Stage, ...]
    predictions: tuple[PredictionsFile, ...]
    analysis: Analysis
    fingerprint: str
    extra: tuple[str, ...]
    fact_sheet: dict[str, Question]
    answer_forms: Mapping[str, AnswerForm]
    """Questions of it whose answers must be addresses."""
    quota_by: str
    needs_approval: bool
    dates: bool
    pages: tuple[Page, ...]
    terms: str
    solutions: tuple[Solution, ...]
    tasks: tuple[Task, ...]
    phases: tuple[Phase, ...]
    leaderboard: Leaderboard
    """With all columns; ``boards`` has that of each phase."""
    contact_email: str | None
    reward: str | None
    enable_detailed_results: bool
    show_detailed_results_in_submission_panel: bool
    show_detailed_results_in_leaderboard: bool
    make_programs_available: bool
    make_input_data_available: bool
    of_plugins: Mapping[str, Any]
    """Values of keys that plugins offer, by key."""

    @property
    def path(self) -> str:
        return f"benchmarks/{self.name}"

    def problem(
        self, key: str, message: str, hint: str = "", *, severity: str = "error"
    ) -> Problem:
        """A fault of competition.yaml, for its organiser."""
        file = f"{self.path}/{FILE_NAME}"
        return Problem(
            file=file, key=key, message=message, hint=hint, actor=Actor.ORGANISER, severity=severity
        )

    def code_image(self, environment: str) -> str:
        return image_name(self.name, environment) if environment else self.docker_image

    def context_path(self, environment: str = "") -> str:
        return f"{self.path}/{FOLDER}/{environment}" if environment else self.path

    @cached_property
    def boards(self) -> Mapping[str, Leaderboard]:
        return {
            phase.slug: self.leaderboard.of_phase(
                phase.columns, phase.primary, phase.submission_rule
            )
            for phase in self.phases
        }

    def data_path(
        self, task: Task, part: Literal["input_data", "reference_data"], repeat: int | None = None
    ) -> str | None:
        """Path of a task's data, or of a repeat's folder; where repeats are rows all share one."""
        written: str | None = getattr(task, part)
        if written is None:
            return None
        if self.repeat_data_of(task) is True and repeat is not None:
            written = f"{written}/{repeat}"
        if task.origin is None:
            return f"{self.path}/{written}"
        return f"submissions/{self.name}/{task.origin.id}/{written}"

    def repeats_of(self, task: Task) -> int:
        return 1 if task.is_check else task.extension.repeats or self.repeats

    def repeat_data_of(self, task: Task) -> RepeatData:
        of_task = task.extension.repeat_data
        return self.repeat_data if of_task is None else of_task

    def limits_of(self, task: Task) -> Limits:
        asked = {"memory": task.extension.memory, "cpus": task.extension.cpus}
        limits = {name: value for name, value in asked.items() if value is not None}
        return self.limits.model_copy(update=limits)

    def extra_keys(self, task: str) -> frozenset[str] | None:
        """Keys of numbers beside columns that a task records; None for all of a check."""
        if task == CHECK and self.check_task is not None:
            return None
        return frozenset({*self.extra, self.fingerprint})

    @property
    def check_task(self) -> Task | None:
        if self.datasets is None or not self.datasets.check_program:
            return None
        return Task(
            index=-1, slug=CHECK, name="Check", description="Accepts or refuses the data set.",
            scoring_program=clean_path(self.datasets.check_program) or "", ingestion_program=None,
            input_data=None, reference_data=None, parallel=False, is_check=True,
        )  # fmt: skip

    @property
    def entries_change_others(self) -> bool:
        """Whether an entry may change other rows: it is a task, a part, or carried to a phase."""
        migrates = any(phase.auto_migrate for phase in self.phases)
        return migrates or bool(self.stages) or self.datasets is not None

    @property
    def ranks_datasets(self) -> bool:
        return self.datasets is not None and self.datasets.become == "rows"

    @property
    def row_noun(self) -> Literal["submission", "data set"]:
        return "data set" if self.ranks_datasets else "submission"

    @property
    def task_noun(self) -> Literal["task", "method"]:
        return "method" if self.ranks_datasets else "task"

    @property
    def shows_detailed_results(self) -> bool:
        """Whether a page holds them: readers are not logged in, so that all see it."""
        return (
            self.show_detailed_results_in_submission_panel
            or self.show_detailed_results_in_leaderboard
        )

    @property
    def board_questions(self) -> tuple[Question, ...]:
        asked = self.fact_sheet
        if self.datasets is not None and self.ranks_datasets:
            asked = self.datasets.sheet
        return tuple(item for item in asked.values() if item.is_on_leaderboard)

    def repeats_in(self, phase: Phase) -> int:
        return max(map(self.repeats_of, phase.tasks), default=1)

    def phase(self, name: str) -> Phase | None:
        wanted = name.strip()
        for phase in self.phases:
            if wanted in {phase.slug, phase.name, str(phase.index)}:
                return phase
        return None


def parse_bundle(
    name: str, content: bytes, files: Collection[str]
) -> tuple[Benchmark | None, list[Problem]]:
    """Read competition.yaml, among ``files``; None if a problem is an error."""
    document = read_yaml(content, f"benchmarks/{name}/{FILE_NAME}", Actor.ORGANISER)
    competition = parse(Competition, document, ignored=IGNORED_KEYS)
    if competition is None:
        return None, document.problems
    check(competition, document, files)
    if errors_in(document.problems):
        return None, document.problems
    return _build(name, competition, files), document.problems


def _build(name: str, competition: Competition, files: Collection[str]) -> Benchmark:
    extension = competition.pullbench
    tasks = make_tasks(competition.tasks, extension)
    data = extension.data
    return make(
        Benchmark,
        competition,
        extension,
        name=name,
        title=f"{competition.title} (stand-in data)" if data else competition.title,
        stand_in=data.stand_in if data else "",
        logo=competition.image,
        has_dockerfile="Dockerfile" in files,
        environments=environments(files),
        reported=bool(extension.reported),
        of_plugins=extension.of_plugins,
        stages=tuple(extension.stages),
        predictions=tuple(extension.predictions),
        extra=tuple(extension.extra),
        fact_sheet=competition.fact_sheet or {},
        answer_forms={
            key: item.type for key, item in extension.questions.items() if item.type != "text"
        },
        needs_approval=extension.approval == "required",
        pages=tuple(competition.pages),
        solutions=tuple(
            make(Solution, entry, path=clean_path(entry.path), tasks=frozenset(entry.tasks))
            for entry in competition.solutions
        ),
        tasks=tuple(tasks.values()),
        phases=make_phases(competition.phases, tasks, extension),
        leaderboard=make_leaderboard(competition.leaderboards[0], extension),
    )
