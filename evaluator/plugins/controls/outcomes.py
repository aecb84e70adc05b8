"""What became of controls: a file of the bundle, its keys, and whether that was expected."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.json_reader import UnreadableError, form_reader
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.record import ACTOR_OF, Reason
from evaluator.core.formats.submission import FILE_NAME, Submission, parse_submission
from evaluator.core.git.tree import Tree
from evaluator.core.planning.digests import PartDigests

if TYPE_CHECKING:
    from evaluator.plugins.controls.keys import Control

OUTCOMES = "controls/outcomes.json"
PARTICIPANT = "control"
"""Whose submissions controls are while they run."""


class ControlOutcome(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What became of one control, by task."""

    keys: dict[str, str] = {}
    """Digests of all that decides it: the control, programs, data, image, limits, columns."""
    scores: dict[str, dict[str, float]] = {}
    failures: dict[str, str] = {}
    """Tasks on which it failed, and why."""
    refused: str = ""
    """Why it is no submission that runs."""
    hidden: bool = False
    """Whether its phase shows no scores."""

    def visible_keys(self, benchmark: Benchmark) -> set[str]:
        """The columns of which it may speak in public."""
        board = benchmark.leaderboard
        hidden = self.hidden or board.hidden
        return {column.key for column in board.columns if not (column.hidden or hidden)}


_outcomes = form_reader(dict[str, ControlOutcome], max_bytes=2**24)


def read_outcomes(content: bytes) -> dict[str, ControlOutcome] | None:
    """Outcomes by name, None if there are none that can be read."""
    try:
        return _outcomes(content)
    except UnreadableError:
        return None


def encode_outcomes(outcomes: Mapping[str, ControlOutcome]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(outcomes, order="sorted")) + b"\n"


def parse_control(
    tree: Tree, benchmark: Benchmark, path: str
) -> tuple[Submission | None, list[Problem]]:
    """Read a folder of the bundle as a submission; one without submission.yaml says nothing."""
    folder = f"{benchmark.path}/{path}"
    start, paths = len(folder) + 1, tree.under(folder)
    content = tree.read([f"{folder}/{FILE_NAME}"]).get(f"{folder}/{FILE_NAME}", b"")
    return parse_submission(
        (benchmark.name, PARTICIPANT, folder.rpartition("/")[2]), content,
        [name[start:] for name in paths], benchmark,
        executables=[name[start:] for name in paths if tree.entries[name].mode == "100755"],
    )  # fmt: skip


def tasks_of(phase: Phase) -> list[Task]:
    """Return the first task of each scoring program, on whose first repeat a control runs."""
    return list({task.scoring_program: task for task in reversed(phase.tasks)}.values())


def trials(
    tree: Tree, benchmark: Benchmark, controls: Iterable["Control"]
) -> dict[str, dict[str, str]]:
    """The keys of each control, by its name and task; no task if it is refused."""
    digests = PartDigests(tree)
    keys: dict[str, dict[str, str]] = {}
    for one in controls:
        submission, _ = parse_control(tree, benchmark, one.folder)
        phase = benchmark.phase(submission.phase) if submission else None
        keys[one.name] = {}
        if submission is None or phase is None:
            continue
        # Also submission.yaml, which says what it enters.
        content = tree.digest(f"{benchmark.path}/{one.folder}", frozenset({SCORES}))
        runs = digests.tasks(benchmark, phase, tasks_of(phase), submission.environment)
        keys[one.name] = {
            run.task.slug: run.keys.score(content, 0, run.stages) for run in runs if not run.number
        }
    return keys


_OF_THE_BENCHMARK = {reason for reason in Reason if ACTOR_OF[reason] != Actor.PARTICIPANT}


def fault_of(
    benchmark: Benchmark, controls: Mapping[str, "Control"], name: str,
    outcomes: Mapping[str, ControlOutcome],
) -> str:  # fmt: skip
    """What of an outcome is not as expected, to be read after the control's name."""
    return next(_faults(benchmark, controls, name, outcomes), "")


def _faults(
    benchmark: Benchmark, controls: Mapping[str, "Control"], name: str,
    outcomes: Mapping[str, ControlOutcome],
) -> Iterator[str]:  # fmt: skip
    control, outcome = controls[name], outcomes[name]
    visible = outcome.visible_keys(benchmark)
    if control.expect == "refused":
        if not outcome.refused:
            yield "must be refused, and is evaluated"
    elif outcome.refused:
        yield f"is refused before it runs: {outcome.refused}"
    elif control.expect == "failed":
        for task, scores in outcome.scores.items():
            yield f"must fail, and has {shown(scores, visible)} on '{task}'"
        # What a program stumbles over by chance gets scores when somebody changes the program.
        for task, why in outcome.failures.items():
            if why in _OF_THE_BENCHMARK:
                yield f"must be turned down, and fails on '{task}' by the benchmark: {why}"
    elif control.at_most:
        other = next(key for key, one in controls.items() if one.of == control.at_most)
        column = benchmark.leaderboard.primary
        visible &= outcomes[other].visible_keys(benchmark)
        for task, scores in outcome.scores.items():
            limit = outcomes[other].scores.get(task)
            if limit is None:
                yield f"cannot be compared with '{other}', which has no score on '{task}'"
            elif {column.key} <= scores.keys() & limit.keys():
                lead = (scores[column.key] - limit[column.key]) * (
                    -1 if column.sorting == "asc" else 1
                )
                if lead > 0:
                    yield (
                        f"pays: it has {shown({column.key: scores[column.key]}, visible)} on "
                        f"'{task}', better than '{other}' with "
                        f"{shown({column.key: limit[column.key]}, visible)}"
                    )
    else:
        for task, why in outcome.failures.items():
            yield f"must have scores, and fails on '{task}': {why}"
        for task, scores in outcome.scores.items():
            # What is hidden is not in the file.
            for key, bounds in (control.expect or {}).items():
                value = scores.get(key)
                for name, bound, sign in (("least", bounds.min, 1), ("most", bounds.max, -1)):
                    if value is not None and bound is not None and (value - bound) * sign < 0:
                        yield (
                            f"has {shown({key: value}, visible)} on '{task}', and must have at "
                            f"{name} {bound:.6g}"
                        )


def became(outcome: ControlOutcome, benchmark: Benchmark) -> str:
    """Say what became of a control."""
    visible = outcome.visible_keys(benchmark)
    parts = [
        outcome.refused and f"refused: {outcome.refused}",
        *(f"{task}: {shown(scores, visible)}" for task, scores in outcome.scores.items()),
        *(
            f"{task}: {why}" if why == Reason.WITHHELD else f"{task}: failed, {why}"
            for task, why in outcome.failures.items()
        ),
    ]
    return "; ".join(filter(None, parts))


def shown(scores: Mapping[str, float], visible: Collection[str]) -> str:
    values = [f"{key} {value:.6g}" for key, value in scores.items() if key in visible]
    return ", ".join(values) or "scores that are hidden"
