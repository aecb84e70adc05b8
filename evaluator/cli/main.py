"""The verbs of ``pullbench``."""

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from evaluator import pipeline
from evaluator.cli import actions, shown
from evaluator.cli.group import cli
from evaluator.clock import utc_now
from evaluator.errors import Problem
from evaluator.log import emit, emit_json, in_ci, say
from evaluator.planning.places import places_of
from evaluator.planning.plan import PlannedCell
from evaluator.planning.queues import to_matrix
from evaluator.planning.snapshot import Snapshot
from evaluator.pull_requests.comment import to_markdown
from evaluator.pull_requests.merge_preview import Source

at_option = click.option("--at", metavar="REV", help="Read a commit instead of the working tree.")

engine_option = click.option(
    "--engine",
    type=click.Choice(["auto", "docker", "subprocess", "warm"]),
    default="auto",
    help="subprocess and warm run on the host WITHOUT isolation: only for programs that you trust. "
    "warm imports a program's libraries once, not for each cell.",
)
less_option = click.option(
    "--with-less",
    is_flag=True,
    help="Evaluate also cells that ask for more cores, memory or GPUs than this machine has, "
    "within what it has; their records and boards say so.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=min(4, os.cpu_count() or 1),
    show_default=True,
    help="Cells evaluated side by side.",
)


head_option = click.option(
    "--head", envvar="PULLBENCH_HEAD", help="Commit that the pull request asks to merge."
)
actor_option = click.option(
    "--actor", envvar="PULLBENCH_ACTOR", help="Login of the pull request's author."
)
remote_option = click.option(
    "--remote", envvar="PULLBENCH_REMOTE", default="origin", show_default=True,
    help="Remote that has both; empty for this clone.",
)  # fmt: skip
pull_request_option = click.option(
    "--pull-request", type=click.IntRange(min=1), envvar="PULLBENCH_PULL_REQUEST",
    help="Its number at the forge.",
)  # fmt: skip


@cli.command()
@click.argument("path", default="")
@at_option
@click.option("--base", envvar="PULLBENCH_BASE", help="Judge a pull request to this branch.")
@head_option
@actor_option
@remote_option
@pull_request_option
@click.pass_obj
def validate(
    start: Path,
    path: str,
    at: str | None,
    base: str | None,
    head: str | None,
    actor: str | None,
    remote: str,
    pull_request: int | None,
) -> None:
    """Check bundles and submissions, all or those at PATH; report every problem at once.

    PATH is a file or folder, or the name of a benchmark or a submission, such as iris/alice. What
    this clone would propose is judged by the rules of pull requests, too: sizes, names, and whose
    paths it may change, against upstream/main or origin/main, where there is one. Its author is
    --actor, or else the participant at PATH.

    With --base, --head and --actor, check a pull request instead, by the rules of its base:
    whose paths it may change, quotas, windows, sizes, names, and all that it adds.
    """
    if base is not None:
        if not head or not actor:
            raise click.UsageError("--base needs --head and --actor, the author's login")
        source = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
        judged = pipeline.judge(start, source, actor, utc_now())
        actions.show(judged.problems)
        actions.summarise(to_markdown(pipeline.verdict(judged)))
        changed = f"{len(judged.proposal.changes)} paths changed"
        problems: Sequence[Problem] = judged.problems
    else:
        taken = pipeline.snapshot(start, at)
        places = places_of(path, start, taken)
        problems, against = pipeline.validate_here(taken, places, actor, utc_now())
        actions.show(problems)
        changed = shown.looked_at(taken, places) + (f", against {against}" if against else "")
    counts = Counter(problem.severity for problem in problems)
    notes = f", {counts['note']} notes" if counts["note"] else ""
    say(f"{changed}: {counts['error']} errors, {counts['warning']} warnings{notes}")
    if counts["error"]:
        raise click.exceptions.Exit(1)


@cli.command()
@at_option
@click.option("--json", "as_json", is_flag=True, help="Print cells and a CI matrix as JSON.")
@click.option("--all", "everything", is_flag=True, help="List the cells with valid records too.")
@click.pass_obj
def plan(start: Path, at: str | None, as_json: bool, everything: bool) -> None:
    """List the cells that are missing or stale, each with its reason."""
    taken = pipeline.snapshot(start, at)
    made = pipeline.plan(taken, utc_now())
    if as_json:
        cells = [
            {
                "cell": str(item.cell.id),
                "state": item.state,
                "reason": item.reason,
                "prediction_key": item.cell.keys.prediction,
                "score_key": item.cell.keys.score,
            }
            for item in made.missing
        ]
        refused = [
            {"submission": item.submission.id, "reason": item.reason, "hint": item.hint}
            for item in made.refused
        ]
        data = {"cells": cells, "refused": refused, "total": made.total, "waiting": made.waiting,
                "matrix": to_matrix(made.missing, taken.settings.queues)}  # fmt: skip
        emit_json(json.dumps(data, indent=2))
        return
    shown.refused(taken)
    if everything:
        shown.cells(taken, utc_now())
    shown.plan(made)


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
@jobs_option
@click.option(
    "--output", type=click.Path(path_type=Path, file_okay=False),
    help="Write records below this folder instead of into the working tree.",
)  # fmt: skip
@less_option
@click.option("--strict", is_flag=True, help="Exit with 1 where any cell failed.")
@click.pass_obj
def run(
    start: Path,
    cells: tuple[str, ...],
    fresh: bool,
    failed: bool,
    at: str | None,
    base: str | None,
    head: str | None,
    remote: str,
    pull_request: int | None,
    engine: pipeline.EngineName,
    jobs: int,
    output: Path | None,
    with_less: bool,
    strict: bool,
) -> None:
    """Evaluate the planned cells, or CELLS, and write their records.

    A cell is named as `pullbench plan` prints it; a leading part names all below it. With --at,
    or --base and --head, a commit or a pull request is evaluated instead of the working tree.
    """
    if (at or base) and output is None:
        raise click.UsageError("a commit has no working tree: say with --output where records go")
    if base and head:
        source = Source(base=base, head=head, remote=remote or None, pull_request=pull_request)
        taken = pipeline.proposed(start, source, utc_now())
    else:
        taken = pipeline.snapshot(start, at)
    shown.refused(taken)
    made = pipeline.plan(taken, utc_now())
    chosen = pipeline.choose(taken, utc_now(), cells, fresh=fresh, failed_only=failed, made=made)
    if not in_ci():  # where the base branch has judged by what it knows of the pull request
        shown.not_counted(made, cells, chosen)
    if not chosen:
        say("nothing is missing" if not made.refused else "nothing is to be evaluated")
        return
    chosen = _here(taken, chosen, engine, with_less=with_less)
    if not chosen:
        return
    # What CI prints and uploads is read by others, before finish or collect counts it.
    for_others = output is not None and in_ci()
    show = shown.once(shown.handed_over if for_others else partial(shown.record, place=output))
    summary = pipeline.run(
        taken, chosen, engine=engine, lanes=jobs, output=output, fresh=fresh,
        for_others=for_others, with_less=with_less, show=show,
    )  # fmt: skip
    shown.summary(summary)
    taken, opened = pipeline.opened(taken, summary, utc_now())
    if opened:
        say(f"{len(opened)} cells more, since data sets were accepted")
        further = pipeline.run(
            taken, opened, engine=engine, lanes=jobs, output=output, for_others=for_others,
            with_less=with_less, show=show,
        )  # fmt: skip
        shown.summary(further)
        summary = replace(summary, records={**summary.records, **further.records})
    if any(record.error and record.error.actor == "platform" for record in summary.failed):
        raise click.exceptions.Exit(3)
    if strict and summary.failed:
        raise click.exceptions.Exit(1)


def _here(
    taken: Snapshot,
    chosen: list[PlannedCell],
    engine: pipeline.EngineName,
    *,
    with_less: bool = False,
) -> list[PlannedCell]:
    """Leave out what this machine cannot evaluate; in CI that is the runner's fault, and said."""
    if in_ci():
        return chosen
    cells, lines = pipeline.runnable(taken, chosen, engine, with_less=with_less)
    for line in lines:
        say(line, style="yellow")
    return cells


@cli.command()
@click.argument("cells", nargs=-1)
@engine_option
@jobs_option
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N",
    help="Only N cells, of those that are soon evaluated.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Exit with 1 where any result differs.")
@click.pass_obj
def reproduce(
    start: Path,
    cells: tuple[str, ...],
    engine: pipeline.EngineName,
    jobs: int,
    sample: int | None,
    strict: bool,
) -> None:
    """Evaluate all cells, or CELLS, afresh and compare with their records, which stay.

    Times never repeat; where they are the score, only the outcome is compared.
    """
    taken = pipeline.snapshot(start)
    shown.refused(taken)
    chosen = _here(taken, pipeline.choose(taken, utc_now(), cells, fresh=True), engine)
    if sample is not None:
        chosen = pipeline.sample(taken, chosen, sample)
    if not chosen:
        say("nothing can be evaluated here")
        return
    summary = pipeline.run(
        taken, chosen, engine=engine, lanes=jobs, output=taken.tree.root / pipeline.REPRODUCED,
        fresh=True, show=shown.once(shown.record),
    )  # fmt: skip
    shown.summary(summary)
    found = pipeline.reproduced(taken, summary)
    shown.comparisons(found)
    if strict and any(item.verdict == "differs" for item in found):
        raise click.exceptions.Exit(1)


@cli.command()
@click.argument("benchmark")
@at_option
@click.option("--phase", help="Phase by name, slug or index; the last one begun by default.")
@click.option("--task", help="Rank one task alone.")
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table",
)  # fmt: skip
@click.option("--hidden", is_flag=True, help="Show what the organiser hides, too.")
@click.pass_obj
def leaderboard(
    start: Path,
    benchmark: str,
    at: str | None,
    phase: str | None,
    task: str | None,
    form: pipeline.Form,
    hidden: bool,
) -> None:
    """Print the board of BENCHMARK, now or at any commit."""
    board = pipeline.leaderboard_at(start, benchmark, phase=phase, task=task, at=at, hidden=hidden)
    (emit_json if form == "json" else emit)(pipeline.as_text(board, form))
