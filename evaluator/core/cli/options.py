"""Options that several verbs have."""

import os

import click

from evaluator.core.log import say_on_stderr
from evaluator.core.plugins import Contract

at_option = click.option("--at", metavar="REV", help="Read a commit instead of the working tree.")


def _data_alone(context: click.Context, _: click.Parameter, as_json: bool) -> bool:
    if as_json:
        context.with_resource(say_on_stderr())
    return as_json


json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_data_alone,
    help="Print JSON, and nothing else, to stdout.",
)  # fmt: skip
engine_option = click.option(
    "--engine",
    type=click.Choice(["auto", *Contract[object]("engines")]),
    default="auto",
    help="subprocess and warm run on the host WITHOUT isolation: only for programs that you trust. "
    "warm imports a program's libraries once, not for each cell.",
)
executor_option = click.option(
    "--executor",
    default="local",
    metavar="NAME",
    help="Where cells run: local, a scheduler of Dask at dask://HOST:PORT, or a cluster of "
    "[tool.pullbench.executors.NAME].",
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
    help="Remote that has the branches; empty for this clone.",
    callback=lambda _context, _option, remote: remote or None,
)  # fmt: skip
pull_request_option = click.option(
    "--pull-request", type=click.IntRange(min=1), envvar="PULLBENCH_PULL_REQUEST",
    help="Its number at the forge.",
)  # fmt: skip
phase_option = click.option(
    "--phase", help="Phase by name, slug or index; the last one begun by default."
)
task_option = click.option("--task", help="Rank one task alone.")
hidden_option = click.option(
    "--hidden", is_flag=True,
    help="Show what the organiser hides, too; what is sealed needs the key PULLBENCH_IDENTITY.",
)  # fmt: skip
