"""``pullbench import amlb-framework``: frameworks of the AutoML Benchmark -> submissions."""

import json
import re
from pathlib import Path
from typing import Any

import click

from evaluator import pipeline
from evaluator.cli.imports import imports
from evaluator.errors import UsageError
from evaluator.formats.bundle import FILE_NAME
from evaluator.importers.amlb.frameworks import find_framework
from evaluator.importers.amlb.installing import REQUIREMENTS, image_files, scale_end, scaled
from evaluator.importers.amlb.setup import setup_of
from evaluator.importers.amlb.submission import find_module, submission_files, write_submission
from evaluator.log import say

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


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
