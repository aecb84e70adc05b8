"""``pullbench import``: a command for each importer of the registry; a bundle by default."""

from pathlib import Path
from typing import Any

import click

from evaluator import pipeline
from evaluator.cli.exchange import results_command
from evaluator.cli.group import cli
from evaluator.cli.imported import show_import
from evaluator.compute.private import content_digest
from evaluator.errors import Actor, UsageError
from evaluator.importers.importer import Request, import_benchmark
from evaluator.importers.placing import DataPlace
from evaluator.importers.registry import DEFAULT, IMPORTERS, RESULTS_IMPORTERS, find_importer
from evaluator.log import say
from evaluator.planning.names import name_problem
from evaluator.scores.runnable import data_folder

_COMMON = (
    click.option("--name", help="Name of the benchmark; made from its title by default."),
    click.option("--force", is_flag=True, help="Replace a benchmark of that name."),
)


class ImportGroup(click.Group):
    """Offers the importers; what is no command is the source of a bundle."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command where none is named."""
        names = {*self.list_commands(ctx), *ctx.help_option_names}
        return super().parse_args(ctx, args if args[:1] and args[0] in names else [DEFAULT, *args])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all."""
        return sorted({*super().list_commands(ctx), *IMPORTERS, *RESULTS_IMPORTERS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, an importer's or another; None where there is none of that name."""
        if cmd_name in IMPORTERS:
            return benchmark_command(cmd_name)
        if cmd_name in RESULTS_IMPORTERS:
            return results_command(cmd_name)
        return super().get_command(ctx, cmd_name)


@cli.group("import", cls=ImportGroup)
def imports() -> None:
    """Bring in a benchmark: `import SOURCE` a bundle, `import openml s/271` a suite.

    `import amlb FILE` takes a definition of the AutoML Benchmark.

    SOURCE is a Codabench or CodaLab bundle: a zip, a directory, or an address. A directory with
    the name of a command is written ./NAME.
    """


def benchmark_command(word: str) -> click.Command:
    """Return the command of an importer of the registry."""
    importer = find_importer(word)

    @click.pass_obj
    def run(start: Path, /, name: str | None, force: bool, **options: Any) -> None:
        snapshot = pipeline.snapshot(start)
        if name is not None:
            check_name(name)
        place = DataPlace(folder=data_folder(snapshot), digest=content_digest)
        root = snapshot.tree.root
        request = Request(root=root, name=name, force=force, data=place, tell=say)
        show_import(start, import_benchmark(importer, request, options))

    for option in reversed((*importer.options, *_COMMON)):
        run = option(run)
    return click.command(word, help=importer.read.__doc__)(run)


def check_name(name: str) -> None:
    """Raise UsageError where a benchmark cannot have this name."""
    problem = name_problem(name, f"benchmarks/{name}", Actor.ORGANISER)
    if problem:
        raise UsageError(problem.message, hint=problem.hint)
