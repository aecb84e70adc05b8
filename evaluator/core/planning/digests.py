"""Digests of content, which make the keys of a cell; which of them changed, and when."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from evaluator.core.formats.budget import budget_part
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import SCORES, STAGES, TaskKeys, changed_parts, digest
from evaluator.core.formats.columns import columns_part
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.record import StepName, shortened
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.tree import Tree
from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    from evaluator.core.planning.cells import Cell

CONTEXT_FOLDER = "docker"
"""With Dockerfile and requirements*.txt the context of an image build, and nothing else: a
changed page or data set must not make another image."""

KEY_PARTS = Contract[Callable[[Tree, Benchmark, StepName], object]]("key_parts")
"""By one of a plugin's keys of a bundle: what of it, as plain data, changes what a step does."""


class TaskRepeat(NamedTuple):
    """One run of a task in a phase, whatever the submission."""

    phase: Phase
    task: Task
    stages: str | None
    """Names of the stages that take part; None where the benchmark has none."""
    name: tuple[str, int | None]
    """Slug and repeat, as cells have them: None where the task has one run."""
    number: int
    """Of the repeat, from 0."""
    keys: TaskKeys


class PartDigests:
    """Digests of the parts of keys; those of a task are made once for all its submissions."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._tasks: dict[tuple[str, int, str, int | None, str], TaskKeys] = {}
        self._phases: dict[tuple[str, int, str], list[TaskRepeat]] = {}
        self._images: dict[tuple[str, str], str] = {}

    def submission(self, submission: Submission, stages: Collection[str] | None = None) -> str:
        """Content without scores and answers: kind, environment and ``stages`` count."""
        content = self._tree.digest(submission.path, excluded(self._tree, submission, stages))
        environment = [submission.environment] if submission.environment else []
        return digest([content, submission.kind_name, *environment])

    def tasks(
        self, benchmark: Benchmark, phase: Phase, tasks: Sequence[Task], environment: str
    ) -> Sequence[TaskRepeat]:
        """Keys of each repeat but for the submission, whose code runs in ``environment``."""
        key = (benchmark.name, phase.index, environment)
        if tasks is phase.tasks and key in self._phases:
            return self._phases[key]
        every = [
            TaskRepeat(
                phase, task, None if task.stages is None else ",".join(task.stages),
                (task.slug, None if repeats == 1 else repeat), repeat,
                self._task(benchmark, phase, task, repeat, environment),
            )
            for task in tasks
            for repeats in [benchmark.repeats_of(task)]
            for repeat in range(repeats)
        ]  # fmt: skip
        if tasks is phase.tasks:
            self._phases[key] = every
        return every

    def _task(
        self, benchmark: Benchmark, phase: Phase, task: Task, repeat: int, environment: str
    ) -> TaskKeys:
        fold = repeat if benchmark.repeat_data_of(task) else None
        key = (benchmark.name, phase.index, task.slug, fold, environment)
        if key not in self._tasks:
            self._tasks[key] = TaskKeys(self._make(benchmark, phase, task, fold, environment))
        return self._tasks[key]

    def _make(
        self, benchmark: Benchmark, phase: Phase, task: Task, fold: int | None, environment: str
    ) -> dict[str, str]:
        def of(path: str | None) -> str:
            return self._tree.digest(path) if path else ""

        def program(path: str | None) -> str:
            return of(path and f"{benchmark.path}/{path}")

        pins = {item.file: item.sha256 for item in task.private}

        is_rows = benchmark.repeat_data_of(task) == "rows"

        def rows() -> str:
            if "reference_data" in pins:
                return digest(["rows", pins["reference_data"], fold])
            path = benchmark.data_path(task, "reference_data") or ""
            return digest(["rows", self._tree.digest(path, _other_repeats(self._tree, path, fold))])

        def data(part: Literal["input_data", "reference_data"]) -> str:
            if is_rows:  # both parts are made of the one table
                return rows()
            pinned = pins.get(part, "")
            if pinned:
                return pinned if fold is None else digest([pinned, fold])
            return of(benchmark.data_path(task, part, fold))

        # The size of a stored log changes no result.
        task_limits = benchmark.limits_of(task)
        limits = {name: value for name, value in task_limits if name != "log_size"} | {
            "cpus": repr(task_limits.cpus),
            "seconds": phase.seconds_of(task),
            "network": benchmark.network,
            "gpus": benchmark.gpus,
            "parallel": task.parallel,
            **budget_part(phase.budget, task.index),
        }
        of_scoring: dict[str, object] = {}
        for name in sorted(KEY_PARTS.keys() & benchmark.of_plugins.keys()):
            limits[name] = KEY_PARTS[name](self._tree, benchmark, "ingestion")
            if part := KEY_PARTS[name](self._tree, benchmark, "scoring"):
                of_scoring[name] = part
        if benchmark.ingestion_may_fail:
            limits["ingestion_may_fail"] = True
        input_data, scoring_program = data("input_data"), program(task.scoring_program)
        if "data" in pins:
            input_data = digest([input_data, pins["data"]])
        if benchmark.scoring_network != "none":
            scoring_program = digest([scoring_program, benchmark.scoring_network])
        if of_scoring:
            scoring_program = digest([scoring_program, of_scoring])
        columns = columns_part(benchmark.boards[phase.slug], recorded_keys(benchmark, phase, task))
        if phase.feedback_digits is not None:
            columns = [columns, phase.feedback_digits]
        return {
            "ingestion_program": program(task.ingestion_program),
            "input_data": input_data,
            "image": self.images_of(benchmark, environment),
            "limits": digest(limits),
            "scoring_program": scoring_program,
            "reference_data": data("reference_data"),
            "columns": digest(columns),
        }

    def images_of(self, benchmark: Benchmark, environment: str) -> str:
        """Digest of the image that predicts, and of that which scores where it is another one."""
        image = self._image(benchmark)
        return digest([image, self._image(benchmark, environment)]) if environment else image

    def _image(self, benchmark: Benchmark, environment: str = "") -> str:
        key = (benchmark.name, environment)
        if key not in self._images:
            files = build_context(self._tree, benchmark, environment)
            context = [[name, self._tree.digest(path)] for name, path in files.items()]
            self._images[key] = digest([benchmark.code_image(environment), context])
        return self._images[key]


def _other_repeats(tree: Tree, path: str, fold: int | None) -> frozenset[str]:
    names = {name[len(path) + 1 :].partition("/")[0] for name in tree.under(path)}
    return frozenset(name for name in names if name.isdecimal() and name != str(fold))


def excluded(tree: Tree, submission: Submission, stages: Collection[str] | None) -> frozenset[str]:
    """First segments of paths that programs do not see: with ``stages``, all but those."""
    if stages is None:
        return frozenset({SCORES, FILE_NAME})
    start = len(submission.path) + 1
    names = {path[start:].partition("/")[0] for path in tree.under(submission.path)}
    return frozenset(names.difference(stages))


def recorded_keys(benchmark: Benchmark, phase: Phase, task: Task) -> tuple[str, ...]:
    if phase.shows == "status" or task.is_check:
        return ()
    return benchmark.boards[phase.slug].score_keys


def build_context(tree: Tree, benchmark: Benchmark, environment: str = "") -> dict[str, str]:
    """Path in an image build -> in the repository; without a Dockerfile, requirements alone."""
    folder = benchmark.context_path(environment)
    has_dockerfile = bool(environment) or benchmark.has_dockerfile
    start = len(folder) + 1
    return {
        name: path
        for path in tree.under(folder)
        if (name := path[start:]) == "Dockerfile"
        or (has_dockerfile and name.startswith(f"{CONTEXT_FOLDER}/"))
        or ("/" not in name and name.startswith("requirements") and name.endswith(".txt"))
    }


class Explainer:
    """Explains stale cells; asks git once for each cause."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._last_change = lru_cache(maxsize=None)(tree.last_change)

    def __call__(self, cell: "Cell", old: Mapping[str, str]) -> str:
        changed = changed_parts(old, shortened(cell.keys.parts))
        if not changed:
            return "evaluated by another version of pullbench"
        return "; ".join(self._change_of(cell, part) for part in changed)

    def _change_of(self, cell: "Cell", part: str) -> str:
        text = f"{part.replace('_', ' ')} changed"
        paths = _part_paths(self._tree, cell, part)
        if not paths:
            return text
        commit = self._last_change(paths)
        return f"{text} in {commit}" if commit else f"{text}, not committed"


def _part_paths(tree: Tree, cell: "Cell", part: str) -> tuple[str, ...]:
    base = cell.benchmark.path
    if part == "submission":
        return (cell.submission.path,)
    if part == STAGES:
        return (cell.submission.path, f"{base}/competition.yaml")
    if part == "image":
        names = {"", cell.submission.environment}
        paths = [p for name in names for p in build_context(tree, cell.benchmark, name).values()]
        return (f"{base}/competition.yaml", *sorted(paths))
    if part in {"limits", "columns", "repeat"}:
        return (f"{base}/competition.yaml",)
    if part == "input_data" and cell.benchmark.repeat_data_of(cell.task) == "rows":
        part = "reference_data"
    if any(item.file == part for item in cell.task.private):
        return (f"{base}/competition.yaml",)
    if part == "input_data":
        path = cell.benchmark.data_path(cell.task, "input_data", cell.id.repeat)
    elif part == "reference_data":
        path = cell.benchmark.data_path(cell.task, "reference_data", cell.id.repeat)
    else:
        program: str | None = getattr(cell.task, part)
        path = program and f"{base}/{program}"
    return (path,) if path else (f"{base}/competition.yaml",)
