"""Verbs that evaluate: plan and run."""

import datetime as dt
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.cli import actions, shown
from evaluator.core.cli.group import NEEDS_CI, cli
from evaluator.core.cli.options import (
    at_option,
    engine_option,
    executor_option,
    head_option,
    jobs_option,
    json_option,
    less_option,
    pull_request_option,
    remote_option,
)
from evaluator.core.clock import utc_now
from evaluator.core.log import emit_json, in_ci, say
from evaluator.core.plugins import Service

if TYPE_CHECKING:
    from evaluator.core.formats.settings import Settings
    from evaluator.core.git.tree import Tree
    from evaluator.core.planning.plan import PlannedCell
    from evaluator.core.planning.snapshot import Snapshot

    Merge = Callable[[Path, str, str, str | None, int | None, dt.datetime], Snapshot]
    ToMatrix = Callable[[Sequence[PlannedCell], Mapping[str, Sequence[str]]], Mapping[str, object]]
    Oversized = Callable[[Tree, Iterable[str], Settings], Mapping[str, str]]

MERGE: "Service[Merge]" = Service("pull_requests.merge", *NEEDS_CI)
"""From root, base, head, remote, number and time to the base with what a pull request changes."""
TO_MATRIX: "Service[ToMatrix]" = Service("pull_requests.to_matrix")
"""From cells and the labels of runners by queue to what ``strategy.matrix`` is given."""
OVERSIZED: "Service[Oversized]" = Service("pull_requests.oversized")
"""From paths to those of submissions that no pull request may bring, and why."""


@cli.command()
@at_option
@json_option
@click.option("--all", "everything", is_flag=True, help="List the cells with valid records too.")
@click.pass_obj
def plan(start: Path, at: str | None, as_json: bool, everything: bool) -> None:
    """List the cells that are missing or stale, each with its reason.

    As JSON, with the matrix of jobs for CI.
    """
    from evaluator.core.planning.cells import cells
    from evaluator.core.planning.plan import make_local_plan
    from evaluator.core.planning.snapshot import load_snapshot

    snapshot = load_snapshot(start, at)
    planned = make_local_plan(snapshot, utc_now())
    if as_json:
        data: dict[str, object] = {
            "cells": [
                {
                    "cell": str(item.cell.id),
                    "state": item.state,
                    "reason": item.reason,
                    "prediction_key": item.cell.keys.prediction,
                    "score_key": item.cell.keys.score,
                }
                for item in planned.missing
            ],
            "refused": [
                {"submission": item.submission.id, "reason": item.reason, "hint": item.hint}
                for item in planned.refused
            ],
            "total": planned.total,
            "waiting": planned.waiting,
        }
        if to_matrix := TO_MATRIX.load():
            data["matrix"] = to_matrix(planned.missing, snapshot.settings.queues)
        emit_json(json.dumps(data, indent=2))
        return
    shown.problems(snapshot)
    if everything:
        for cell in cells(snapshot, utc_now()):
            say(str(cell.id))
    shown.plan(planned)
    shown.uncommitted_files(snapshot)


@cli.command()
@click.argument("cells", nargs=-1, envvar="PULLBENCH_CELLS")
@click.option("--fresh", is_flag=True, help="Evaluate valid cells too, from the submission on.")
@click.option("--failed", is_flag=True, help="With --fresh: those alone whose record is a failure.")
@at_option
@click.option("--base", envvar="PULLBENCH_BASE", help="Evaluate a pull request to this branch.")
@head_option
@remote_option
@pull_request_option
@engine_option
@executor_option
@jobs_option
@click.option(
    "--output", type=click.Path(path_type=Path, file_okay=False),
    help="Write records below this folder instead of into the working tree.",
)  # fmt: skip
@less_option
@click.option("--strict", is_flag=True, help="Exit with 1 where any cell failed.")
@click.pass_obj
def run(
    start: Path, cells: tuple[str, ...], fresh: bool, failed: bool, at: str | None,
    base: str | None, head: str | None, remote: str | None, pull_request: int | None, engine: str,
    executor: str, jobs: int, output: Path | None, with_less: bool, strict: bool,
) -> None:  # fmt: skip
    """Evaluate the planned cells, or CELLS, and write their records.

    A cell is named as `pullbench plan` prints it; a leading part names all below it, and so does
    the path of a benchmark or a submission. With --at, or --base and --head, a commit or a pull
    request is evaluated instead of the working tree.
    """
    if (at or base) and output is None:
        raise click.UsageError("a commit has no working tree: say with --output where records go")
    from evaluator.core.compute.run_folder import held, remove_tree
    from evaluator.core.formats.pinned_files import UNLOCKED
    from evaluator.core.planning.plan import cells_of_new_tasks, local_admission, make_local_plan
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.core.planning.typed_names import cell_name
    from evaluator.core.scores.hand_over import handed_over, refuse_programs
    from evaluator.core.scores.running import clear_leftovers, run
    from evaluator.core.scores.selection import choose
    from evaluator.core.scores.uploads import JOB_VARIABLE, digest_of, note_last_run, output_of

    if base and head:
        snapshot = MERGE.need()(start, base, head, remote, pull_request, utc_now())
    else:
        snapshot = load_snapshot(start, at)
    shown.problems(snapshot)
    cells = tuple(cell_name(name, start, snapshot.tree) for name in cells)
    planned = make_local_plan(snapshot, utc_now(), assigned=in_ci() and bool(cells))
    chosen = choose(snapshot, utc_now(), cells, planned, fresh=fresh, failed_only=failed)
    if not in_ci():  # where the base branch has judged by what it knows of the pull request
        shown.refusals(planned, cells, chosen)
    if not chosen:
        clear_leftovers(snapshot, engine)
        say("nothing is missing" if not planned.refused else "nothing is to be evaluated")
        shown.uncommitted_files(snapshot)
        return
    if unlocked := os.environ.get(UNLOCKED):
        if os.path.lexists(unlocked):  # else its cells say that nothing was unlocked
            click.get_current_context().with_resource(held(Path(unlocked)))
            click.get_current_context().call_on_close(partial(remove_tree, Path(unlocked)))
        refuse_programs((item.cell for item in chosen), snapshot.settings)
        chosen = handed_over(chosen, Path(unlocked))
    if executor == "local":  # else its workers say what they cannot evaluate
        chosen = runnable_here(snapshot, chosen, engine, with_less=with_less)
    if not chosen:
        return
    # What CI prints and uploads is read by others, before finish or collect counts it.
    for_others = output is not None and in_ci()
    note_last_run(snapshot.tree.root, output)
    if for_others and output and (job := os.environ.get(JOB_VARIABLE)):
        context = click.get_current_context()  # however the run ends
        context.call_on_close(lambda: actions.set_outputs({output_of(job): digest_of(output)}))
    show = shown.once(shown.uploaded_record if for_others else partial(shown.record, place=output))
    evaluate = partial(
        run, engine=engine, executor=executor, lanes=jobs, output=output, for_others=for_others,
        with_less=with_less, show=show, remote=remote if in_ci() else None,
    )  # fmt: skip
    summary = evaluate(snapshot, chosen, fresh=fresh)
    shown.summary(summary)
    snapshot, more = cells_of_new_tasks(
        snapshot, summary.records, utc_now(), local_admission(snapshot)
    )
    if more:
        say(f"{len(more)} cells more, since data sets were accepted")
        further = evaluate(snapshot, more)
        shown.summary(further)
        summary = replace(summary, records={**summary.records, **further.records})
    if not in_ci():
        shown.standings(start, summary.records, output)
        if output is None:
            shown.uncommitted_files(snapshot)
    if any(record.error and record.error.actor == "platform" for record in summary.failed):
        raise click.exceptions.Exit(3)
    if strict and summary.failed:
        raise click.exceptions.Exit(1)


def runnable_here(
    snapshot: "Snapshot", chosen: list["PlannedCell"], engine: str, *, with_less: bool = False
) -> list["PlannedCell"]:
    """Leave out what this machine cannot evaluate; in CI the runner fails with it instead."""
    if in_ci():
        return chosen
    from evaluator.core.scores.runnable import runnable

    paths = sorted({item.cell.submission.path for item in chosen})
    oversized = OVERSIZED.load()
    too_large = oversized(snapshot.tree, paths, snapshot.settings) if oversized else {}
    cells, lines = runnable(snapshot, chosen, engine, too_large, with_less=with_less)
    for line in lines:
        say(line, style="yellow")
    return cells
