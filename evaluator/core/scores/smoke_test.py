"""Samples of a bundle as submissions for a moment: its dates, quotas and rules do not count."""

import re
from collections.abc import Sequence
from pathlib import Path

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.git.tree import Tree
from evaluator.core.importers.samples import Sample
from evaluator.core.planning.plan import PlannedCell, accept_all, make_plan
from evaluator.core.planning.snapshot import Snapshot, take_snapshot
from evaluator.core.planning.solutions import required_answers
from evaluator.core.scores.choosing import named_cells

PARTICIPANT = "samples"
_IN_ALL_NAMES = {"phase", "task", "sample", "submission", "solution", "code", "result", "results"}


def with_samples(tree: Tree, name: str, samples: Sequence[Sample]) -> Snapshot:
    """Return a snapshot in which somebody has entered the samples; nothing of it is written.

    Files of the benchmark that git ignores are in it.
    """
    bundle = tree.root / "benchmarks" / name
    files = {f"benchmarks/{name}/{path}": place for path, place in _below(bundle).items()}
    tree.lay_over({path: place for path, place in files.items() if path not in tree.entries})
    benchmark = take_snapshot(tree, only=name, participants=()).benchmark(name)
    entered: dict[str, Path] = {}
    for sample in samples:
        if not (sample.folder / FILE_NAME).exists():
            _enter(sample, benchmark)
        folder = f"submissions/{name}/{PARTICIPANT}/{sample.name}"
        entered |= {f"{folder}/{path}": place for path, place in _below(sample.folder).items()}
    tree.lay_over(entered)
    return take_snapshot(tree, only=name, participants=(f"{name}/{PARTICIPANT}",))


def _below(folder: Path) -> dict[str, Path]:
    return {
        place.relative_to(folder).as_posix(): place
        for place in folder.rglob("*")
        if place.is_file()
    }


def _enter(sample: Sample, benchmark: Benchmark) -> None:
    """Write submission.yaml: the phase, the kind where a name tells it, and answers."""
    answers = required_answers(benchmark)
    data = {"phase": phase_of(sample, benchmark).slug, "kind": sample.kind, "fact_sheet": answers}
    content = dump_yaml({key: value for key, value in data.items() if value})
    (sample.folder / FILE_NAME).write_bytes(content)


def phase_of(sample: Sample, benchmark: Benchmark) -> Phase:
    """Return the first phase with a task that a sample solves, else the one its name is nearest.

    ``final-submission.zip`` is for the phase with *final* in its name, or in those of its tasks.
    """
    for phase in benchmark.phases:
        if any(task.index in sample.tasks for task in phase.tasks):
            return phase
    named = _words(sample.name)
    return max(
        benchmark.phases,
        key=lambda phase: len(
            named & _words(" ".join((phase.name, *(task.name for task in phase.tasks))))
        ),
    )


def _words(text: str) -> set[str]:
    """Return the words that can tell one phase from another."""
    return {word for word in re.findall(r"[a-z]+", text.lower()) if word not in _IN_ALL_NAMES}


def cells_to_try(snapshot: Snapshot, name: str) -> list[PlannedCell]:
    """Return the cells of the samples, as if their phases were open."""
    now = max(phase.start for phase in snapshot.benchmark(name).phases)
    plan = make_plan(snapshot, now, accept_all)
    own = [item.id for item in snapshot.submissions if item.participant == PARTICIPANT]
    return named_cells(snapshot, now, own, plan) if own else []
