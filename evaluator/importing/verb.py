"""``pullbench import``: a command for each importer that is installed; a bundle by default."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluator.core.cli.group import Verbs, cli
from evaluator.core.errors import counted
from evaluator.core.log import say
from evaluator.core.plugins import Contract
from evaluator.importing.notes import print_notes

_DEFAULT = "bundle"
"""What is meant where no word is a command."""
_OF_BENCHMARKS = (
    click.option("--name", help="Name of the benchmark; made from its title by default."),
    click.option("--force", is_flag=True, help="Replace a benchmark of that name."),
)
_OF_RESULTS = (
    click.option("--benchmark", required=True, help="Benchmark that takes them."),
    click.option("--phase", help="Phase by name, slug or index; the first by default."),
    click.option("--url", default="", help="Address of the source."),
)


if TYPE_CHECKING:
    from evaluator.importing.importer import Importer, ResultsImporter

IMPORTERS: "Contract[Importer]" = Contract("importers")
RESULTS_IMPORTERS: "Contract[ResultsImporter]" = Contract("results_importers")


class ImportGroup(Verbs):
    """Offers the importers; what is no command is the source of a bundle."""

    contract = Contract[click.Command]("import_verbs")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        names = {*self.list_commands(ctx), *ctx.help_option_names}
        return super().parse_args(ctx, args if args[:1] and args[0] in names else [_DEFAULT, *args])

    def list_commands(self, ctx: click.Context) -> list[str]:
        formats = (*IMPORTERS, *RESULTS_IMPORTERS)
        return sorted({*super().list_commands(ctx), *formats})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in IMPORTERS:
            return _benchmark_command(cmd_name)
        if cmd_name in RESULTS_IMPORTERS:
            return _results_command(cmd_name)
        return super().get_command(ctx, cmd_name)


@cli.group("import", cls=ImportGroup)
def imports() -> None:
    """Bring in a benchmark: `import SOURCE` a bundle, `import openml s/271` a suite.

    `import amlb FILE` takes a definition of the AutoML Benchmark.

    SOURCE is a Codabench or CodaLab bundle: a zip, a directory, or an address. A directory with
    the name of a command is written ./NAME.
    """


def _benchmark_command(word: str) -> click.Command:
    importer = IMPORTERS[word]

    @click.pass_obj
    def run(start: Path, /, name: str | None, force: bool, **options: Any) -> None:
        from evaluator.core.planning.snapshot import load_snapshot
        from evaluator.core.scores.runnable import data_folder
        from evaluator.importing.committed_files import check_unstored
        from evaluator.importing.files import check_name
        from evaluator.importing.importer import ImportRequest, import_benchmark
        from evaluator.importing.pinned import content_digest
        from evaluator.importing.placing import DataPlace

        snapshot = load_snapshot(start)
        if name is not None:
            check_name(name)
        place = DataPlace(folder=data_folder(snapshot), digest=content_digest)
        request = ImportRequest(
            root=snapshot.tree.root, name=name, force=force, data=place, tell=say
        )
        imported = import_benchmark(importer, request, options)
        print_notes(imported.problems)
        if imported.refused:
            say("refused: nothing was written")
            raise click.exceptions.Exit(1)
        say(f"benchmarks/{imported.name}: {counted(len(imported.files), 'files')}")
        print_notes(check_unstored(load_snapshot(start), f"benchmarks/{imported.name}"))
        if imported.ships_solutions:
            say(f"`pullbench solutions {imported.name}` enters its solutions as baselines")
        if imported.trial is not None:
            imported.trial.run(start, imported.name)
        else:
            say(f"  pullbench validate && pullbench plan {imported.name}")

    for option in reversed((*importer.options, *_OF_BENCHMARKS)):
        run = option(run)
    return click.command(word, help=importer.read.__doc__)(run)


def _results_command(word: str) -> click.Command:
    importer = RESULTS_IMPORTERS[word]
    participant_option = click.option(
        "--participant", default=importer.participant, show_default=True,
        help="Whose they shall be.",
    )  # fmt: skip

    @click.pass_obj
    def run(
        start: Path, /, benchmark: str, phase: str | None, participant: str, url: str,
        **options: Any,
    ) -> None:  # fmt: skip
        from evaluator.core.planning.snapshot import load_snapshot
        from evaluator.importing.files import write_contents

        snapshot = load_snapshot(start)
        reports = importer.report(snapshot.benchmark(benchmark), phase, participant, url, options)
        write_contents(snapshot.tree.root, reports.files)
        print_notes(reports.problems)
        say(
            f"submissions/{benchmark}/{participant}: {reports.submissions} submissions, "
            f"{reports.rows} rows"
        )

    for option in reversed((*importer.options, *_OF_RESULTS, participant_option)):
        run = option(run)
    return click.command(word, help=importer.read.__doc__)(run)
