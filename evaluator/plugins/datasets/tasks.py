"""Participants' data sets: which are accepted, and the tasks that they become.

A data set is accepted by its check, a cell like any other; so a plan needs git and a clock still.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.datasets import CHECK, Datasets, Origin, dataset_slug
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.record import Record
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.planning.digests import PartDigests
from evaluator.core.planning.snapshot import Dataset, Snapshot


def with_datasets(snapshot: Snapshot) -> Snapshot:
    """The snapshot with the state of data sets, and a task for each that is one."""
    digests = PartDigests(snapshot.tree)
    datasets = find_datasets(
        snapshot.benchmarks, snapshot.submissions, snapshot.record_files.get, digests.submission
    )
    of_benchmark: dict[str, list[Dataset]] = defaultdict(list)
    for item in datasets.values():
        of_benchmark[item.submission.benchmark].append(item)
    return replace(
        snapshot,
        datasets=datasets,
        benchmarks={
            name: with_tasks(benchmark, of_benchmark[name])
            for name, benchmark in snapshot.benchmarks.items()
        },
    )


def find_datasets(
    benchmarks: Mapping[str, Benchmark],
    submissions: Iterable[Submission],
    record: Callable[[CellId], Record | None],
    content: Callable[[Submission], str],
) -> dict[str, Dataset]:
    """The state of all data sets that are not withdrawn, by submission id.

    ``content`` gives the digest of a submission as keys hold it. A check of the same content
    counts until there is a new one, even if its program has changed since: otherwise every
    data set would leave the board when the organiser corrects a comment in it.
    """
    datasets: dict[str, Dataset] = {}
    for submission in submissions:
        if not submission.kind.brings_data or submission.cancelled:
            continue
        if benchmarks[submission.benchmark].check_task is None:
            datasets[submission.id] = Dataset(submission=submission, state="accepted")
        else:
            datasets[submission.id] = _state(submission, record(submission.cell(CHECK)), content)
    return _mark_retired(datasets)


def _state(
    submission: Submission, record: Record | None, content: Callable[[Submission], str]
) -> Dataset:
    if record is None or record.keys.parts.get("submission") != content(submission):
        return Dataset(submission=submission, state="unchecked")
    if record.error is None:
        return Dataset(submission=submission, state="accepted")
    if record.error.actor == Actor.PARTICIPANT:
        return Dataset(submission=submission, state="refused", reason=record.error.message)
    return Dataset(submission=submission, state="unchecked")


def _mark_retired(datasets: Mapping[str, Dataset]) -> dict[str, Dataset]:
    successors: dict[str, str] = {}
    for dataset in datasets.values():
        item = dataset.submission
        if item.replaces and dataset.counts:
            successors[f"{item.benchmark}/{item.replaces}"] = item.short_name
    result = dict(datasets)
    for name, dataset in datasets.items():
        successor = successors.get(name, "")
        reason = dataset.submission.retired or (f"replaced by {successor}" if successor else "")
        if reason and dataset.counts:
            result[name] = replace(dataset, state="retired", reason=reason, successor=successor)
    return result


def with_tasks(benchmark: Benchmark, datasets: Iterable[Dataset]) -> Benchmark:
    """The benchmark with a task for each accepted data set, in the order of their names.

    A data set is a task of the phase that it entered, and of those into which submissions are
    carried from there. Retired ones come last. Tasks of other data sets are removed.
    """
    rules = benchmark.datasets
    if rules is None or rules.become != "tasks":
        return benchmark
    template = next(task for task in benchmark.tasks if task.index == rules.task)
    start = max(task.index for task in benchmark.tasks) + 1
    chosen = sorted(
        (item for item in datasets if item.state in ("accepted", "retired")),
        key=lambda item: (item.state == "retired", item.submission.participant,
                          item.submission.name),
    )  # fmt: skip
    by_phase: dict[str, list[Task]] = defaultdict(list)
    added: list[Task] = []
    for position, dataset in enumerate(chosen):
        task = _task(dataset, template, rules, start + position)
        added.append(task)
        for slug in _phases_of(benchmark.phases, dataset.submission.phase):
            by_phase[slug].append(task)
    return replace(
        benchmark,
        tasks=(*_bundle_tasks(benchmark.tasks), *added),
        phases=tuple(
            replace(phase, tasks=(*_bundle_tasks(phase.tasks), *by_phase[phase.slug]))
            for phase in benchmark.phases
        ),
    )


def _bundle_tasks(tasks: Sequence[Task]) -> tuple[Task, ...]:
    return tuple(task for task in tasks if task.origin is None)


def _task(dataset: Dataset, template: Task, rules: Datasets, index: int) -> Task:
    item = dataset.submission
    return replace(
        template,
        index=index,
        slug=dataset_slug(item.participant, item.name),
        name=item.title,
        description=item.description,
        input_data=rules.input_data.rstrip("/"),
        reference_data=rules.reference_data.rstrip("/"),
        private=(),
        origin=Origin(
            participant=item.participant, name=item.name,
            retired=dataset.reason if dataset.state == "retired" else "",
            successor=dataset.successor,
        ),
    )  # fmt: skip


def _phases_of(phases: Sequence[Phase], entered: str) -> list[str]:
    slugs: list[str] = []
    for phase in phases:
        if phase.slug == entered or (slugs and phase.auto_migrate):
            slugs.append(phase.slug)
        elif slugs:
            break
    return slugs


def check_datasets(snapshot: Snapshot, prefixes: Sequence[str] = ()) -> Iterator[Problem]:
    """Report data sets that replace what they may not, or are there, below ``prefixes``."""
    near = [
        item
        for item in snapshot.datasets.values()
        if not prefixes or f"{item.submission.path}/".startswith(tuple(prefixes))
    ]
    if not near:
        return
    digests = PartDigests(snapshot.tree)
    same: dict[tuple[str, str], list[Dataset]] = {}
    for item in snapshot.datasets.values():
        key = (item.submission.benchmark, digests.submission(item.submission))
        same.setdefault(key, []).append(item)
    for item in near:
        submission = item.submission
        if submission.replaces:
            yield from _successor(snapshot, submission)
        if item.state in ("accepted", "retired"):
            continue  # it was there first, or an organiser let it in
        for other in same[submission.benchmark, digests.submission(submission)]:
            if other is not item and other.state in ("accepted", "retired"):
                yield Problem(
                    file=submission.path,
                    message=f"holds the same files as the data set {other.submission.short_name}",
                    hint="Bring other data; programs have met these.",
                    actor=Actor.PARTICIPANT,
                )


def _successor(snapshot: Snapshot, submission: Submission) -> Iterator[Problem]:
    def problem(message: str, hint: str) -> Problem:
        return Problem(
            file=f"{submission.path}/{FILE_NAME}", key="replaces", message=message, hint=hint,
            actor=Actor.PARTICIPANT,
        )  # fmt: skip

    participant, _, name = submission.replaces.partition("/")
    if f"{submission.benchmark}/{submission.replaces}" not in snapshot.datasets:
        yield problem(
            f"names '{submission.replaces}', which is no data set of this benchmark.",
            "Write 'participant/name' of the version that it takes the place of.",
        )
    elif participant != submission.participant:
        yield problem(
            f"names a data set of {participant}.",
            "Only your own can be replaced; an organiser may retire any with 'retired:'.",
        )
    elif name == submission.name:
        yield problem("names itself.", "Name the older version.")
