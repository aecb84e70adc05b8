"""``import --try``: samples as submissions for a moment; dates, quotas and rules do not count."""

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from evaluator.core.cli.shown import numbers, once, record
from evaluator.core.errors import printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.record import Record, Step
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.git.tree import Tree, open_repository, read_tree
from evaluator.core.log import in_ci, say
from evaluator.core.planning.plan import PlannedCell, accept_all, make_plan
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.scores.running import run
from evaluator.core.scores.selection import named_cells
from evaluator.importing.files import required_answers
from evaluator.importing.notes import print_notes
from evaluator.plugins.codalab.samples import SampleSubmission

PARTICIPANT = "samples"
TRIED = "build/try"
"""Folder of what imports were asked to try."""
_LOG_LINES = 20
"""Of a log, below a sample: the organiser has not seen its programs run."""
_IN_ALL_NAMES = {"phase", "task", "sample", "submission", "solution", "code", "result", "results"}


class SampleTrial:
    """The samples of one import."""

    def __init__(self, samples: Sequence[SampleSubmission]) -> None:
        self.samples = samples

    def keep(self, root: Path, name: str) -> None:
        folder = root / TRIED / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.samples = [
            replace(sample, folder=Path(shutil.move(sample.folder, folder / sample.name)))
            for sample in self.samples
        ]

    def run(self, start: Path, name: str) -> None:
        if not self.samples:
            say(
                "nothing to try: competition.yaml names no solution with files, and no folder or "
                "zip of the source is called submission or solution"
            )
            return
        snapshot = _with_samples(read_tree(open_repository(start)), name, self.samples)
        cells = _cells(snapshot, name)
        for sample in self.samples:
            of_sample = [item for item in cells if item.cell.submission.name == sample.name]
            phase = f" in phase '{of_sample[0].cell.phase.name}'" if of_sample else ""
            kind = of_sample[0].cell.submission.kind_name if of_sample else "a submission"
            say(f"trying {sample.name}, '{sample.source}', as {kind}{phase}, whatever the dates")
            if not of_sample:
                print_notes(one for one in snapshot.problems if f"/{sample.name}/" in one.file)
        summary = None
        if cells:
            summary = run(
                snapshot, cells, engine="docker", lanes=1, fresh=True, with_less=True,
                output=snapshot.tree.root / TRIED / name / "records", show=once(_tried),
            )  # fmt: skip
        if summary is None or len(summary.failed) == len(summary.records):
            say(f"none was scored; benchmarks/{name} is written all the same")
            failed = summary.failed if summary else ()
            platform = any(item.error and item.error.actor == "platform" for item in failed)
            raise click.exceptions.Exit(3 if platform else 1)


def _with_samples(tree: Tree, name: str, samples: Sequence[SampleSubmission]) -> Snapshot:
    """A snapshot with the samples entered, and what git ignores; nothing is written."""
    bundle = tree.root / "benchmarks" / name
    files = {f"benchmarks/{name}/{path}": place for path, place in _below(bundle).items()}
    tree.overlay({path: place for path, place in files.items() if path not in tree.entries})
    benchmark = read_snapshot(tree, only=name, participants=()).benchmark(name)
    entered: dict[str, Path] = {}
    for sample in samples:
        if not (sample.folder / FILE_NAME).exists():
            _enter(sample, benchmark)
        folder = f"submissions/{name}/{PARTICIPANT}/{sample.name}"
        entered |= {f"{folder}/{path}": place for path, place in _below(sample.folder).items()}
    tree.overlay(entered)
    return read_snapshot(tree, only=name, participants=(f"{name}/{PARTICIPANT}",))


def _below(folder: Path) -> dict[str, Path]:
    places = (place for place in folder.rglob("*") if place.is_file())
    return {place.relative_to(folder).as_posix(): place for place in places}


def _enter(sample: SampleSubmission, benchmark: Benchmark) -> None:
    """Write submission.yaml: the phase, the kind where a name tells it, and answers."""
    answers = required_answers(benchmark)
    data = {"phase": phase_of(sample, benchmark).slug, "kind": sample.kind, "fact_sheet": answers}
    content = dump_yaml({key: value for key, value in data.items() if value})
    (sample.folder / FILE_NAME).write_bytes(content)


def phase_of(sample: SampleSubmission, benchmark: Benchmark) -> Phase:
    """The first phase with a task that a sample solves, else the nearest by name."""
    for phase in benchmark.phases:
        if any(task.index in sample.tasks for task in phase.tasks):
            return phase
    named = _words(sample.name)

    def shared_words(phase: Phase) -> int:
        return len(named & _words(" ".join((phase.name, *(task.name for task in phase.tasks)))))

    return max(benchmark.phases, key=shared_words)


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", text.lower()) if word not in _IN_ALL_NAMES}


def _cells(snapshot: Snapshot, name: str) -> list[PlannedCell]:
    """The cells of the samples, as if their phases were open."""
    now = max(phase.start for phase in snapshot.benchmark(name).phases)
    plan = make_plan(snapshot, now, accept_all)
    sample_ids = [item.id for item in snapshot.submissions if item.participant == PARTICIPANT]
    return named_cells(snapshot, now, sample_ids, plan) if sample_ids else []


def _tried(item: PlannedCell, result: Record) -> str:
    """How a sample ended, in full: the organiser reads it. Elsewhere, what others may know."""
    if in_ci():
        return record(item, result)
    error = result.error
    if error is None:
        lines = [f"{result.cell}: {numbers(result.scores)}"]
        for step in result.steps:
            if step.exit_code:  # with `ingestion_may_fail` the scores alone do not tell
                lines.append(f"    though its {step.step} ended with exit code {step.exit_code}")
                lines += _log(step)
    else:
        because = f": {error.message}" if error.message else ""
        lines = [f"{result.cell}: failed, {error.reason}{because} [{error.actor} must act]"]
        lines += [f"    {line}" for line in error.hint.splitlines()]
        for step in [step for step in result.steps if step.step == error.step][:1]:
            lines += _log(step)
    return "\n".join(lines)


def _log(step: Step) -> list[str]:
    lines = [line for line in step.log.splitlines() if line.strip()]
    return [f"    | {printable(line)}" for line in lines[-_LOG_LINES:]]
