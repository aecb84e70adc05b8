"""``pullbench import amlb``: definitions of the AutoML Benchmark."""

from pathlib import Path
from typing import Any

import click

from evaluator import pipeline
from evaluator.cli.imported import show_import
from evaluator.cli.imports import imports
from evaluator.errors import Actor, UsageError
from evaluator.importers.amlb.importing import Options, import_amlb
from evaluator.planning.snapshot import name_problem

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@imports.command("amlb")
@click.argument("definition")
@click.argument("constraint", default="test")
@click.option("-t", "--task", "tasks", multiple=True, help="Only this task; may be repeated.")
@click.option(
    "-f", "--fold", "folds", type=click.IntRange(min=0), multiple=True,
    help="Only this fold; may be repeated.",
)  # fmt: skip
@click.option(
    "--constraints", type=_FILE, multiple=True, help="A file of constraints; may be repeated."
)
@click.option("-i", "--indir", type=_FOLDER, help="What {input} stands for.")
@click.option("-o", "--outdir", type=_FOLDER, help="What {output} stands for.")
@click.option("-u", "--userdir", type=_FOLDER, help="What {user} stands for.")
@click.option("--rootdir", type=_FOLDER, help="What {root} stands for.")
@click.option(
    "--digests", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Digests of what is fetched, in lines `SHA-256  ADDRESS`.",
)  # fmt: skip
@click.option("--pin", is_flag=True, help="Fetch what has no digest, and add it to that file.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of fold 0.")
@click.option("--inference-time", is_flag=True, help="Ask frameworks for their inference times.")
@click.option("--name", help="Name of the benchmark; that of the file by default.")
@click.option("--force", is_flag=True, help="Replace a benchmark of that name.")
@click.pass_obj
def amlb(
    start: Path,
    /,
    definition: str,
    constraint: str,
    indir: Path | None,
    outdir: Path | None,
    userdir: Path | None,
    rootdir: Path | None,
    **others: Any,
) -> None:
    """Bring in a benchmark DEFINITION of the AutoML Benchmark under a CONSTRAINT.

    Each data set becomes a task, each fold a repeat of it with data of its own, the constraint
    the limits of containers. Nothing is written where a task cannot be read.
    """
    root = pipeline.snapshot(start).tree.root
    name = others["name"]
    problem = name and name_problem(name, f"benchmarks/{name}", Actor.ORGANISER)
    if problem:
        raise UsageError(problem.message, hint=problem.hint)
    folders = {
        "user": userdir or Path("~/.config/automlbenchmark").expanduser(),
        "input": indir or Path("~/.openml/cache").expanduser(),
        "output": outdir or Path("results"),
        "root": rootdir or Path(),
    }
    given = Options(constraint=constraint, folders=folders, **others)
    show_import(start, import_amlb(definition, root, given))
