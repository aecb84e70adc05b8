"""``pullbench import amlb-framework``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.errors import counted
from evaluator.core.log import say

if TYPE_CHECKING:
    from evaluator.plugins.openml.amlb.adding import AddedFramework

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("amlb-framework")
@click.argument("framework")
@click.argument("benchmark")
@click.argument("entry", metavar="PARTICIPANT/NAME")
@click.option(
    "--definitions", type=_FILE, multiple=True, required=True,
    help="A file such as frameworks.yaml; may be repeated.",
)  # fmt: skip
@click.option(
    "--modules", type=_FOLDER, multiple=True, required=True,
    help="Folder that holds the module, such as frameworks/; may be repeated.",
)  # fmt: skip
@click.option(
    "-p", "--param", "params", metavar="KEY=JSON", multiple=True,
    help="A parameter in place of the definition's; may be repeated.",
)  # fmt: skip
@click.option(
    "--install",
    is_flag=True,
    help="Give it an image of its own with what it needs, where that is plain.",
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
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.plugins.openml.amlb.adding import add_framework, check_entry, parse_params
    from evaluator.plugins.openml.amlb.frameworks import find_framework

    snapshot = load_snapshot(start)
    snapshot.benchmark(benchmark)
    check_entry(entry)
    added = add_framework(
        snapshot.tree.root, benchmark, entry, find_framework(framework, definitions),
        modules=modules, params=parse_params(params), install=install,
        submissions={f"{item.participant}/{item.name}" for item in snapshot.submissions
               if item.benchmark == benchmark},
    )  # fmt: skip
    files = counted(len(added.files), "files")
    say(f"submissions/{benchmark}/{entry}: {files} of {added.framework.module}")
    _say_installed(added, benchmark, install=install)
    if added.scale_written:
        say(
            f"benchmarks/{benchmark}/competition.yaml: {entry} is the {added.scale_end} of the "
            "analysis"
        )
    elif added.scale_advice:
        say(f"{entry} can be the {added.scale_end} of the analysis: write {added.scale_advice}")


def _say_installed(added: "AddedFramework", benchmark: str, *, install: bool) -> None:
    name = added.framework.name
    for file, _ in added.installed.files:
        say(f"benchmarks/{benchmark}/{file}: what {name} needs")
    version = added.framework.version
    if version[:1].isdigit() and not (added.setup.package or added.installed.environment):
        say(
            f"warning: {name} states version {version}, and nothing says of which package: it "
            "runs with what the image has."
        )
    if added.setup.text and not install:
        say(
            f"warning: {name} needs what is not set up here, since containers have no "
            f"network: {added.setup.text}. --install makes an image of its own with what is "
            "plain; or write one, as environments/NAME/Dockerfile of the benchmark."
        )
