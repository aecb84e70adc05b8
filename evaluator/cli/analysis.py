"""Verb about what results say together."""

from pathlib import Path

import click

from evaluator import pipeline
from evaluator.cli.group import cli
from evaluator.cli.main import at_option
from evaluator.log import say


@cli.command()
@click.argument("benchmark")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True,
    help="Folder for figures (SVG), their data (CSV), and all of it (analysis.json).",
)  # fmt: skip
@click.option("--phase", help="Phase by name, slug or index; the last one begun by default.")
@click.option(
    "--against", metavar="BENCHMARK[/PHASE]",
    help="Compare with this board, such as the same tasks with more time; other phases by default.",
)  # fmt: skip
@at_option
@click.pass_obj
def analyze(
    start: Path, benchmark: str, out: Path, phase: str | None, against: str | None, at: str | None
) -> None:
    """Say which methods of BENCHMARK differ, over its tasks and repeats, and draw it.

    The same commit gives the same bytes.
    """
    study, files = pipeline.analyse(start, benchmark, phase=phase, at=at, against=against)
    out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (out / name).write_bytes(content)
    for sentence in study:
        say(sentence)
    say(f"{out}: {len(files)} files")
