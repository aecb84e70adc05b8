"""Verbs for readers of results: boards, results as data, and what they say together."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import at_option, hidden_option, phase_option, task_option
from evaluator.core.errors import UsageError
from evaluator.core.log import emit, emit_json
from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    from evaluator.core.leaderboard.published import PublicBoard
    from evaluator.core.leaderboard.tables import Form

EXPORTERS: "Contract[Callable[[PublicBoard], str]]" = Contract("exporters")
"""By the value of ``leaderboard --format``."""


@cli.command()
@click.argument("benchmark")
@at_option
@phase_option
@task_option
@click.option(
    "--format", "form", type=click.Choice(list(EXPORTERS)), default="table",
)  # fmt: skip
@hidden_option
@click.option(
    "--from", "source", is_flag=False, flag_value="", metavar="[DIR]",
    help="With the records that `run --output DIR` wrote; the last run's without DIR.",
)  # fmt: skip
@click.pass_obj
def leaderboard(
    start: Path, benchmark: str, at: str | None, phase: str | None, task: str | None, form: "Form",
    hidden: bool, source: str | None,
) -> None:  # fmt: skip
    """Print the board of BENCHMARK, now or at a former commit."""
    from evaluator.core.git.tree import open_repository
    from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
    from evaluator.core.scores.uploads import last_run

    folder = Path(source) if source else None
    if source == "":
        folder = last_run(Path(open_repository(start).working_tree_dir or start), benchmark)
    if source is not None and (folder is None or not folder.is_dir()):
        raise UsageError(
            f"there is no folder {folder}" if folder else f"no last run has records of {benchmark}",
            hint=f"`pullbench run {benchmark} --output build/try` writes some.",
        )
    board = leaderboard_at(
        start, benchmark, phase=phase, task=task, at=at, hidden=hidden, source=folder
    )
    (emit_json if form == "json" else emit)(EXPORTERS[form](board))
