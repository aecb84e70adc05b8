"""Checks of screens in the policies of bundles."""

from collections.abc import Iterator, Sequence

from evaluator.ci.policy.keys import policy_of
from evaluator.core.compute.mounts import METADATA
from evaluator.core.errors import Problem
from evaluator.core.formats.phases import clean_path
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.planning.typed_names import is_within

_PARTS = ("scoring_program", "ingestion_program", "input_data", "reference_data")


def check_screens(snapshot: Snapshot, _: Sequence[str]) -> Iterator[Problem]:
    """Report screens that have no command, or share files with a task."""
    for benchmark in snapshot.benchmarks.values():
        screen = clean_path(policy_of(benchmark).screen)
        if not screen:
            continue
        files = snapshot.tree.under(f"{benchmark.path}/{screen}")
        used = {path: part for task in benchmark.tasks for part in _PARTS
                if (path := getattr(task, part))}  # fmt: skip
        faults = [
            f"shares files with '{path}', the {part.replace('_', ' ')} of a task"
            for path, part in used.items()
            if is_within(path, screen) or is_within(screen, path)
        ]
        if not {path.rpartition("/")[2] for path in files} & {*METADATA}:
            faults.append("is no folder of the bundle with a metadata.yaml that has a command")
        for fault in faults:
            hint = "Give the screen a folder of its own, with a command."
            yield benchmark.problem("pullbench.policy.screen", f"'{screen}' {fault}", hint)
