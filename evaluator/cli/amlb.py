"""``pullbench import amlb``: definitions of the AutoML Benchmark."""

import json
import re
from pathlib import Path
from typing import Any

import click

from evaluator import pipeline
from evaluator.cli.imported import show_import
from evaluator.cli.imports import (
    data_place,
    imports,
    private_option,
    server_option,
    timeout_option,
)
from evaluator.errors import Actor, UsageError
from evaluator.formats.bundle import FILE_NAME
from evaluator.importers.amlb.frameworks import find_framework
from evaluator.importers.amlb.importing import Options, import_amlb, is_openml
from evaluator.importers.amlb.installing import REQUIREMENTS, image_files, scale_end, scaled
from evaluator.importers.amlb.setup import setup_of
from evaluator.importers.amlb.submission import find_module, submission_files, write_submission
from evaluator.importers.openml.client import SERVER, Client
from evaluator.importers.openml.source import parse_source
from evaluator.log import say
from evaluator.planning.names import name_problem

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
@server_option
@timeout_option
@private_option
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
    server: str | None,
    patience: float,
    private: bool | None,
    **others: Any,
) -> None:
    """Bring in a benchmark DEFINITION of the AutoML Benchmark under a CONSTRAINT.

    DEFINITION is a file, or what OpenML has: openml/s/271, openml/t/59. Each data set becomes a
    task, each fold a repeat of it with data of its own, the constraint the limits of containers.
    Nothing is written where a task cannot be read.
    """
    taken = pipeline.snapshot(start)
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
    known = parse_source(definition).server if is_openml(definition) else None
    client = Client(server=server or known or SERVER, seconds=patience)
    place = data_place(taken, private)
    show_import(start, import_amlb(definition, taken.tree.root, given, client, place, say))


@imports.command("amlb-framework")
@click.argument("framework")
@click.argument("benchmark")
@click.argument("entry", metavar="PARTICIPANT/NAME")
@click.option(
    "--definitions", type=_FILE, multiple=True, required=True,
    help="A file such as frameworks.yaml; may be repeated.",
)  # fmt: skip
@click.option(
    "--modules", type=click.Path(path_type=Path, exists=True, file_okay=False), multiple=True,
    required=True, help="Folder that holds the module, such as frameworks/; may be repeated.",
)  # fmt: skip
@click.option(
    "-p", "--param", "params", metavar="KEY=JSON", multiple=True,
    help="A parameter in place of the definition's; may be repeated.",
)  # fmt: skip
@click.option(
    "--install",
    is_flag=True,
    help="Write what it needs into the image and the page of the benchmark, where that is plain.",
)
@click.pass_obj
def amlb_framework(
    start: Path,
    /,
    framework: str,
    benchmark: str,
    entry: str,
    definitions: tuple[Path, ...],
    modules: tuple[Path, ...],
    params: tuple[str, ...],
    install: bool,
) -> None:
    """Make a submission of a FRAMEWORK (NAME or NAME:TAG) of the AutoML Benchmark.

    Its module is copied as it stands; framework.json keeps its version and parameters. A constant
    predictor and a tuned forest become the ends of the scale of scores.
    """
    taken = pipeline.snapshot(start)
    if benchmark not in taken.benchmarks:
        raise UsageError(f"there is no benchmark '{benchmark}'")
    if not re.fullmatch(r"[^/.][^/]*/[^/.][^/]*", entry):
        raise UsageError("a submission is written PARTICIPANT/NAME")
    bundle = taken.tree.root / "benchmarks" / benchmark
    found = find_framework(framework, definitions)
    files = submission_files(found, find_module(found, list(modules)), _overrides(params))
    setup = setup_of(found, files)
    image = image_files(bundle, found, setup) if install else {}
    write_submission(taken.tree.root, benchmark, entry, files)
    say(f"submissions/{benchmark}/{entry}: {len(files)} files of {found.module}")
    for name, content in image.items():
        (bundle / name).write_bytes(content)
        say(f"benchmarks/{benchmark}/{name}: what {found.name} needs")
    if REQUIREMENTS in image:
        say("The image is another one now, so that all records are evaluated again.")
    if setup.text and not install:
        say(
            f"warning: {found.name} needs what is not set up here, since containers have no "
            f"network: {setup.text}. --install writes what is plain into the image of the "
            "benchmark; write the rest into its Dockerfile."
        )
    end = scale_end(found)
    if end is not None:
        there = {f"{item.participant}/{item.name}" for item in taken.submissions
                 if item.benchmark == benchmark}  # fmt: skip
        changed, advice = scaled(bundle, end, entry, there)
        if changed is not None:
            (bundle / FILE_NAME).write_bytes(changed)
            say(f"benchmarks/{benchmark}/{FILE_NAME}: {entry} is the {end} of the analysis")
        elif advice:
            say(f"{entry} can be the {end} of the analysis: write {advice}")


def _overrides(params: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in params:
        key, sign, value = text.partition("=")
        if not sign or not key:
            raise UsageError(f"'{text}' is not KEY=JSON")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found
