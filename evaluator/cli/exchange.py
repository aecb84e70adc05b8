"""Results from elsewhere -> submissions of kind `reported`: a command for each importer."""

from pathlib import Path
from typing import Any

import click

from evaluator import pipeline
from evaluator.cli.imported import show
from evaluator.errors import UsageError
from evaluator.importers.exchange.importer import ReadResults
from evaluator.importers.exchange.reporting import Stated, report
from evaluator.importers.registry import find_results_importer
from evaluator.log import say
from evaluator.planning.names import NAME

_COMMON = (
    click.option("--benchmark", required=True, help="Benchmark that takes them."),
    click.option("--phase", help="Phase by name, slug or index; the first by default."),
    click.option("--url", default="", help="Address of the source."),
)


def results_command(word: str) -> click.Command:
    """Return the command of an importer of the registry."""
    importer = find_results_importer(word)
    participant_option = click.option(
        "--participant", default=importer.participant, show_default=True,
        help="Whose they shall be.",
    )  # fmt: skip

    @click.pass_obj
    def run(
        start: Path, /, benchmark: str, phase: str | None, participant: str, url: str,
        **options: Any,
    ) -> None:  # fmt: skip
        results = importer.read(**options)
        stated = Stated(
            participant=participant, source=results.source, url=url or results.url,
            constraint=results.constraint,
        )  # fmt: skip
        _write(start, results, benchmark, phase, stated)

    for option in reversed((*importer.options, *_COMMON, participant_option)):
        run = option(run)
    return click.command(word, help=importer.read.__doc__)(run)


def _write(start: Path, results: ReadResults, name: str, phase: str | None, stated: Stated) -> None:
    if not NAME.fullmatch(stated.participant):
        raise UsageError(f"'{stated.participant}' cannot be part of an address")
    snapshot = pipeline.snapshot(start)
    benchmark = snapshot.benchmarks.get(name)
    if benchmark is None:
        raise UsageError(f"there is no benchmark '{name}'", hint="See `pullbench validate`.")
    if not benchmark.reported:
        raise UsageError(
            f"{name} takes no results from elsewhere",
            hint="An organiser may set 'reported: true' under 'pullbench' in competition.yaml.",
        )
    chosen = benchmark.phase(phase) if phase else benchmark.phases[0]
    if chosen is None:
        raise UsageError(f"there is no phase '{phase}'")
    reports = report(results.rows, benchmark, chosen, stated, results.file)
    show(reports.problems)
    for path, content in reports.files.items():
        file = snapshot.tree.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    count = sum(path.endswith("submission.yaml") for path in reports.files)
    say(f"submissions/{name}/{stated.participant}: {count} submissions, {len(results.rows)} rows")
