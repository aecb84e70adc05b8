"""``pullbench import``: a bundle by default, or what stands as a word before the source."""

from pathlib import Path

import click

from evaluator import pipeline
from evaluator.cli.group import cli
from evaluator.compute.private import content_digest
from evaluator.errors import Actor, UsageError
from evaluator.importers.openml.client import SECONDS, SERVER, Client
from evaluator.importers.openml.importing import Request, import_openml
from evaluator.importers.openml.source import parse_source
from evaluator.importers.tabular.placing import DataPlace
from evaluator.log import say
from evaluator.planning.names import name_problem
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.runnable import data_folder

DEFAULT = "bundle"
server_option = click.option(
    "--server", metavar="URL",
    help=f"API of another server than {SERVER}, such as https://test.openml.org/api/v1/xml.",
)  # fmt: skip
timeout_option = click.option(
    "--timeout", "patience", type=click.FloatRange(min=1), default=SECONDS, show_default=True,
    help="Seconds that the server may take for one task.",
)  # fmt: skip

private_option = click.option(
    "--private/--in-git", default=None,
    help="Where data go: below the data folder, pinned, or into git; by size by default.",
)  # fmt: skip


class ImportGroup(click.Group):
    """Takes what is no command of its own as the source of a bundle."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command where none is named."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


@cli.group("import", cls=ImportGroup)
def imports() -> None:
    """Bring in a benchmark: `import SOURCE` a bundle, `import openml s/271` a suite.

    `import amlb FILE` takes a definition of the AutoML Benchmark.

    SOURCE is a Codabench or CodaLab bundle: a zip, a directory, or an address. A directory with
    the name of a command is written ./NAME.
    """


@imports.command("openml")
@click.argument("source")
@server_option
@click.option("--name", help="Name of the benchmark; made from the suite's by default.")
@click.option("-t", "--task", "tasks", multiple=True, help="Only this task; may be repeated.")
@click.option(
    "--folds", type=click.IntRange(min=1), help="Take the first folds of each task alone."
)
@click.option(
    "--seconds", type=click.IntRange(min=1), default=3600, show_default=True,
    help="Time limit of one fold.",
)  # fmt: skip
@private_option
@timeout_option
@click.option("--force", is_flag=True, help="Replace a benchmark of that name.")
@click.pass_obj
def openml_(
    start: Path,
    source: str,
    server: str | None,
    name: str | None,
    tasks: tuple[str, ...],
    folds: int | None,
    seconds: int,
    private: bool | None,
    patience: float,
    force: bool,
) -> None:
    """Bring in an OpenML suite (s/271 or its alias) or one task (t/3), with official splits.

    All repeats become folds of one benchmark; data, splits and their digests are kept, so that
    evaluation needs no network. Splits that are not whole are refused.
    """
    taken = pipeline.snapshot(start)
    if name is not None:
        problem = name_problem(name, f"benchmarks/{name}", Actor.ORGANISER)
        if problem:
            raise UsageError(problem.message, hint=problem.hint)
    found = parse_source(source)
    request = Request(
        source=found, name=name, tasks=tasks, folds=folds, seconds=seconds, force=force
    )
    client = Client(server=server or found.server or SERVER, seconds=patience)
    made = import_openml(
        request, client, taken.tree.root, place=data_place(taken, private), tell=say
    )
    counts = sorted(set(made.folds))
    each = "" if len(counts) == 1 else f"{counts[0]} to "
    say(f"benchmarks/{made.name}: {len(made.folds)} tasks of {each}{counts[-1]} folds, {made.data}")


def data_place(taken: Snapshot, private: bool | None) -> DataPlace:
    """Say where this machine keeps data that are not for git."""
    return DataPlace(folder=data_folder(taken), digest=content_digest, private=private)
