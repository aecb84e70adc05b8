"""The verb that analyses a board."""

from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import at_option, phase_option
from evaluator.core.errors import counted
from evaluator.core.log import say


@cli.command()
@click.argument("benchmark")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True,
    help="Folder for figures (SVG), their data (CSV), and all of it (analysis.json).",
)  # fmt: skip
@phase_option
@click.option(
    "--against", metavar="BENCHMARK[/PHASE]",
    help="Compare with this board, such as the same tasks with more time; other phases by default.",
)  # fmt: skip
@at_option
@click.pass_obj
def analyze(
    start: Path, benchmark: str, out: Path, phase: str | None, against: str | None, at: str | None
) -> None:
    """Print which methods of BENCHMARK differ, over its tasks and repeats, and draw it.

    The same commit gives the same bytes.
    """
    from evaluator.importing.files import write_contents
    from evaluator.plugins.insight.statistics.sentences import findings
    from evaluator.plugins.insight.statistics.study import analyse
    from evaluator.plugins.insight.study_files import study_files

    study = analyse(start, benchmark, phase=phase, at=at, against=against)
    sentences, files = list(findings(study)), study_files(study)
    write_contents(out, files)
    for sentence in sentences:
        say(sentence)
    say(f"{out}: {counted(len(files), 'files')}")
