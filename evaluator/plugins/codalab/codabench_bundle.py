"""``pullbench export``: a bundle's files -> a zip that Codabench takes, and that comes back.

Folds of one table become folders of files, which programs of any bundle can read.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import at_option
from evaluator.core.errors import Actor, InvalidInputError, Problem, UsageError, errors_in
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.phases import Task
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.core.formats.table_folds import INPUTS, REFERENCE, FoldError, lay_out
from evaluator.core.log import say
from evaluator.importing.files import Files, write_contents, zip_bytes
from evaluator.importing.notes import print_notes
from evaluator.plugins.codalab.codabench_differences import differences
from evaluator.plugins.codalab.codabench_findings import Bundle
from evaluator.plugins.codalab.codabench_rules import RULES
from evaluator.plugins.codalab.references import MARK


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A bundle as one file."""

    content: bytes
    problems: tuple[Problem, ...]
    """What was mended, and what Codabench does otherwise."""


def export_bundle(
    benchmark: Benchmark, files: Files, *, image: str = "", as_is: bool = False
) -> Exported:
    """Zip a bundle, for another pullbench if ``as_is``. Raises InvalidInputError."""
    files, problems = (files, []) if as_is else for_codabench(benchmark, files, image=image)
    return Exported(content=zip_bytes(files, comment=MARK), problems=tuple(problems))


def for_codabench(
    benchmark: Benchmark, files: Files, *, image: str = ""
) -> tuple[Files, list[Problem]]:
    """What Codabench takes, and notes on changes. Raises InvalidInputError for the rest."""
    document = read_yaml(files[FILE_NAME][0], f"{benchmark.path}/{FILE_NAME}", Actor.ORGANISER)
    bundle = Bundle(data=document.data, files=dict(files))
    if image:
        bundle.data["docker_image"] = image
    is_mended = bool(image)
    try:
        for task in lay_out_folds(benchmark, bundle):
            words = f"the folds of '{task}' are rows of a table: in the zip each has its own files"
            document.report(("pullbench", "repeat_data"), words, severity="note")
            is_mended = True
    except FoldError as error:
        document.report(("pullbench", "repeat_data"), f"finds no folds: {error}")
    for rule in RULES:
        for finding in list(rule.check(bundle)):
            if finding.mend is None:
                hint = f"{finding.hint} (Codabench's {rule.source})".lstrip()
                document.report(finding.at, finding.message, hint)
            else:
                words = f"{finding.message}: in the zip {finding.mend()}"
                document.report(finding.at, words, f"(Codabench's {rule.source})", severity="note")
                is_mended = True
    stopping = errors_in(document.problems)
    if stopping:
        raise InvalidInputError(stopping)
    for finding in differences(benchmark, bundle):
        document.report(finding.at, finding.message, finding.hint, severity="warning")
    if is_mended:
        bundle.files[FILE_NAME] = (dump_yaml(bundle.data), False)
    return bundle.files, document.problems


def lay_out_folds(benchmark: Benchmark, bundle: Bundle) -> list[str]:
    """Lay out folds that are rows of a table; return their tasks' names. Raises FoldError."""
    changed = []
    for task in benchmark.tasks:
        path = task.reference_data
        if benchmark.repeat_data_of(task) != "rows" or path is None or not bundle.holds(path):
            continue
        _lay_out(benchmark, task, path, bundle)
        changed.append(task.name)
    if changed:
        extension = bundle.data["pullbench"]
        extension["repeat_data"] = True
        for entry in (extension.get("tasks") or {}).values():
            entry.pop("repeat_data", None)
    return changed


def _lay_out(benchmark: Benchmark, task: Task, path: str, bundle: Bundle) -> None:
    inputs = f"{INPUTS}/{task.slug}"
    with tempfile.TemporaryDirectory(prefix="pullbench-") as scratch:
        source, target = Path(scratch, "source"), Path(scratch, "target")
        names = [name for name in bundle.files if name.startswith(f"{path}/")]
        moved = {name.removeprefix(f"{path}/"): bundle.files.pop(name)[0] for name in names}
        write_contents(source, moved)
        for repeat in range(benchmark.repeats_of(task)):
            lay_out(source, repeat, target)
            for part, folder in ((INPUTS, inputs), (REFERENCE, path)):
                for file in (target / part).iterdir():
                    bundle.files[f"{folder}/{repeat}/{file.name}"] = (file.read_bytes(), False)
                (target / part).rename(target / f"{part}-{repeat}")
    for entry in bundle.data["tasks"]:
        if entry["index"] == task.index:
            entry["input_data"] = inputs


@cli.command()
@click.argument("benchmark")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; BENCHMARK.zip by default.",
)  # fmt: skip
@click.option(
    "--image",
    metavar="NAME",
    default="",
    help="Image at a registry, in place of the bundle's, which no worker of Codabench can pull.",
)
@click.option(
    "--as-is",
    is_flag=True,
    help="For another pullbench: change nothing, and refuse nothing that Codabench would.",
)
@at_option
@click.pass_obj
def export(
    start: Path, benchmark: str, output: Path | None, image: str, as_is: bool, at: str | None
) -> None:
    """Write a bundle that Codabench takes; with --as-is, one that comes back byte for byte.

    What Codabench would refuse is mended in the zip, or refused with the reason; what it does
    otherwise is said.
    """
    if image and as_is:
        raise UsageError("--image is for Codabench, and --as-is is for another pullbench")
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.importing.files import bundle_files

    original, content = bundle_files(load_snapshot(start, at, only=benchmark), benchmark)
    exported = export_bundle(original, content, image=image, as_is=as_is)
    target = output or Path(f"{benchmark}.zip")
    target.write_bytes(exported.content)
    print_notes(exported.problems)
    say(f"{target}: {len(exported.content):,} bytes")
