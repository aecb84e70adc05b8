"""``pullbench import``: a command for each importer of the registry; a bundle by default."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.shown import notes, once, tried
from evaluator.core.errors import counted
from evaluator.core.log import say
from evaluator.core.plugins import load, offers

if TYPE_CHECKING:
    from evaluator.core.importers.importer import Imported

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


class ImportGroup(click.Group):
    """Offers the importers; what is no command is the source of a bundle."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command where none is named."""
        names = {*self.list_commands(ctx), *ctx.help_option_names}
        return super().parse_args(ctx, args if args[:1] and args[0] in names else [_DEFAULT, *args])

    def list_commands(self, ctx: click.Context) -> list[str]:
        formats = (*offers("importers"), *offers("results_importers"), *offers("import_verbs"))
        return sorted({*super().list_commands(ctx), *formats})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, an importer's or another; None where there is none of that name."""
        if cmd_name in offers("importers"):
            return _benchmark_command(cmd_name)
        if cmd_name in offers("results_importers"):
            return _results_command(cmd_name)
        if cmd_name in offers("import_verbs"):
            return cast("click.Command", load("import_verbs", cmd_name))
        return super().get_command(ctx, cmd_name)


@cli.group("import", cls=ImportGroup)
def imports() -> None:
    """Bring in a benchmark: `import SOURCE` a bundle, `import openml s/271` a suite.

    `import amlb FILE` takes a definition of the AutoML Benchmark.

    SOURCE is a Codabench or CodaLab bundle: a zip, a directory, or an address. A directory with
    the name of a command is written ./NAME.
    """


def _benchmark_command(word: str) -> click.Command:
    importer = load("importers", word)

    @click.pass_obj
    def run(start: Path, /, name: str | None, force: bool, **options: Any) -> None:
        from evaluator.core.compute.pinned import content_digest
        from evaluator.core.formats.names import check_name
        from evaluator.core.importers.importer import Request, import_benchmark
        from evaluator.core.importers.placing import DataPlace
        from evaluator.core.planning.snapshot import load_snapshot
        from evaluator.core.planning.unstored import check_unstored
        from evaluator.core.scores.runnable import data_folder

        snapshot = load_snapshot(start)
        if name is not None:
            check_name(name)
        place = DataPlace(folder=data_folder(snapshot), digest=content_digest)
        request = Request(root=snapshot.tree.root, name=name, force=force, data=place, tell=say)
        imported = import_benchmark(importer, request, options)
        notes(imported.problems)
        if imported.refused:
            say("refused: nothing was written")
            raise click.exceptions.Exit(1)
        say(f"benchmarks/{imported.name}: {counted(len(imported.files), 'files')}")
        notes(check_unstored(load_snapshot(start), f"benchmarks/{imported.name}"))
        if imported.ships_solutions:
            say(f"`pullbench solutions {imported.name}` enters its solutions as baselines")
        if imported.samples is not None:
            _try(start, imported)
        else:
            say(f"  pullbench validate && pullbench plan {imported.name}")

    for option in reversed((*importer.options, *_OF_BENCHMARKS)):
        run = option(run)
    return click.command(word, help=importer.read.__doc__)(run)


def _try(start: Path, imported: "Imported") -> None:
    """Evaluate the samples of an import and print what comes of each."""
    if not imported.samples:
        say(
            "nothing to try: competition.yaml names no solution with files, and no folder or zip "
            "of the source is called submission or solution"
        )
        return
    from evaluator.core.git.tree import open_repository, read_tree
    from evaluator.core.importers.importer import TRIED
    from evaluator.core.scores.running import run
    from evaluator.core.scores.smoke_test import cells_to_try, with_samples

    snapshot = with_samples(read_tree(open_repository(start)), imported.name, imported.samples)
    cells = cells_to_try(snapshot, imported.name)
    for sample in imported.samples:
        own = [item for item in cells if item.cell.submission.name == sample.name]
        phase = f" in phase '{own[0].cell.phase.name}'" if own else ""
        kind = own[0].cell.submission.kind_name if own else "a submission"
        say(f"trying {sample.name}, '{sample.source}', as {kind}{phase}, whatever the dates")
        if not own:
            notes(problem for problem in snapshot.problems if f"/{sample.name}/" in problem.file)
    summary = None
    if cells:
        summary = run(
            snapshot, cells, engine="docker", lanes=1, fresh=True, with_less=True,
            output=snapshot.tree.root / TRIED / imported.name / "records", show=once(tried),
        )  # fmt: skip
    if summary is None or len(summary.failed) == len(summary.records):
        say(f"none was scored; benchmarks/{imported.name} is written all the same")
        failed = summary.failed if summary else ()
        platform = any(item.error and item.error.actor == "platform" for item in failed)
        raise click.exceptions.Exit(3 if platform else 1)


def _results_command(word: str) -> click.Command:
    importer = load("results_importers", word)
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

        snapshot = load_snapshot(start)
        reports = importer.report(snapshot.benchmark(benchmark), phase, participant, url, options)
        for path, content in reports.files.items():
            file = snapshot.tree.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        notes(reports.problems)
        say(
            f"submissions/{benchmark}/{participant}: {reports.submissions} submissions, "
            f"{reports.rows} rows"
        )

    for option in reversed((*importer.options, *_OF_RESULTS, participant_option)):
        run = option(run)
    return click.command(word, help=importer.read.__doc__)(run)
