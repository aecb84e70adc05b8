"""Runs controls as cells of their own, and tells what became of them. They are on no board."""

import datetime as dt
from collections.abc import Collection, Mapping

import msgspec

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import open_pull_request
from evaluator.core.cli.evaluation import runnable_here
from evaluator.core.errors import PlatformError
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import Tree
from evaluator.core.planning.cells import Cell, cells_of
from evaluator.core.planning.digests import PartDigests
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.rules import check_tree
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.scores.redaction import coarse, disclose, unhidden
from evaluator.core.scores.running import BUILD, run
from evaluator.plugins.controls.keys import controls_of
from evaluator.plugins.controls.outcomes import PARTICIPANT, ControlOutcome, trials

FOLDER = f"{BUILD}/controls"
"""Where records of controls go; `pullbench log --from` reads them there."""


def evaluate(
    tree: Tree, name: str, *, engine: str, lanes: int, only: Collection[str] = (),
    fresh: bool = True,
) -> dict[str, ControlOutcome] | None:  # fmt: skip
    """Run the controls of a benchmark, all or some; None if this machine cannot run all of them.

    ``tree`` is changed: they are put among its submissions. Raises PlatformError.
    """
    benchmark = read_snapshot(tree, only=name, participants=()).benchmark(name)
    controls = {key: one for key, one in controls_of(benchmark).items() if not only or key in only}
    keys = trials(tree, benchmark, controls.values())
    place = f"submissions/{name}/{PARTICIPANT}"
    _enter(tree, place, {key: f"{benchmark.path}/{one.folder}" for key, one in controls.items()})
    snapshot = read_snapshot(tree, only=name, participants=[f"{name}/{PARTICIPANT}"])
    refused = {
        problem.file.split("/")[3]: problem.message
        for problem in reversed([*snapshot.problems, *check_tree(snapshot, [place])])  # the first
        if problem.severity == "error" and problem.file.startswith(f"{place}/")
    }
    outcomes = {
        key: ControlOutcome(refused=refused.get(key, ""), keys=keys[key]) for key in controls
    }
    entered = [one for one in snapshot.submissions if place == one.path.rpartition("/")[0]]
    planned = [
        PlannedCell(cell=_with_scores(cell), state="asked", reason="a control")
        for cell in cells_of(snapshot, entered, PartDigests(tree))
        if cell.id.submission not in refused
        and cell.id.task in keys[cell.id.submission]
        and not cell.id.repeat
    ]
    if len(runnable_here(snapshot, planned, engine)) < len(planned):
        return None
    done = run(
        snapshot, planned, engine=engine, lanes=lanes, output=tree.root / FOLDER, fresh=fresh,
        only_compared=True,
    )  # fmt: skip
    for cell, record in done.records.items():
        if record.is_platform_fault and record.error:
            raise PlatformError(f"{cell}: {record.error.message}", hint=record.error.hint)
        outcome, phase = outcomes[cell.submission], benchmark.phase(cell.phase)
        outcome.hidden = phase is not None and phase.shows == "status"
        if record.error is None:
            outcome.scores[cell.task] = dict(coarse(record, phase).scores)
        else:
            outcome.failures[cell.task] = disclose(record, benchmark).reason
    return outcomes


def _with_scores(cell: Cell) -> Cell:
    """The cell as if its phase showed scores: without them no control can be judged."""
    if cell.phase.shows != "status":
        return cell
    benchmark = unhidden(cell.benchmark)
    phase = benchmark.phase(cell.phase.slug) or cell.phase
    return msgspec.structs.replace(cell, benchmark=benchmark, phase=phase)


def _enter(tree: Tree, place: str, folders: Mapping[str, str]) -> None:
    """Put folders of a bundle among the submissions, in place of what somebody has there."""
    for path in tree.under(place):
        tree.entries.put(path, None)
    changed = {}
    for name, folder in folders.items():
        for path in tree.under(folder):
            target = f"{place}/{name}{path[len(folder) :]}"
            tree.entries.put(target, tree.entries[path])
            if path in tree.dirty:
                changed[target] = tree.root / path
    tree.overlay(changed)


def changed_controls(
    repo: Repo, ref: PullRequestRef, now: dt.datetime
) -> tuple[str, tuple[str, ...]]:
    """A pull request's merge, and the benchmarks whose controls it may change."""
    pull = open_pull_request(repo, ref, now)

    def keys(snapshot: Snapshot, name: str) -> Mapping[str, Mapping[str, str]]:
        benchmark = snapshot.benchmarks.get(name)
        if benchmark is None:
            return {}
        return trials(snapshot.tree, benchmark, controls_of(benchmark).values())

    return pull.merged, tuple(
        name for name in sorted(pull.benchmarks)
        if name in pull.after.benchmarks and keys(pull.after, name) != keys(pull.before, name)
    )  # fmt: skip
