"""Verbs that bring bundles out, and into being."""

from collections.abc import Sequence
from pathlib import Path

import click

from evaluator import pipeline
from evaluator.cli.group import cli
from evaluator.cli.imported import show
from evaluator.cli.imports import check_name
from evaluator.cli.options import at_option
from evaluator.errors import Actor, InvalidInputError, Problem, UsageError
from evaluator.exports.codabench_bundle import export_bundle
from evaluator.git.tree import Tree
from evaluator.importers import fact_sheets, scaffold
from evaluator.importers.package import Package, package_of
from evaluator.importers.scaffold_data import still_private, with_data
from evaluator.importers.scaffold_repository import repository_files, scaffold_repository
from evaluator.importers.zipped import Files
from evaluator.log import emit, say

FIRST = "example/first"
"""Participant and name of the submission that a template brings along."""


@cli.command()
@click.argument("benchmark")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; BENCHMARK.zip by default.",
)  # fmt: skip
@click.option("--light", is_flag=True, help="Leave programs and data out, with keys for them.")
@click.option(
    "--files", type=click.Path(path_type=Path, file_okay=False),
    help="With --light: folder for what is left out, as KEY.zip.",
)  # fmt: skip
@at_option
@click.pass_obj
def export(
    start: Path,
    benchmark: str,
    output: Path | None,
    light: bool,
    files: Path | None,
    at: str | None,
) -> None:
    """Write a bundle that Codabench takes and `pullbench import` brings back, byte for byte."""
    if files is not None and not light:
        raise UsageError("--files belongs to --light")
    taken = pipeline.snapshot(start, at, only=benchmark)
    found = taken.benchmarks.get(benchmark)
    if found is None:
        raise _unknown(taken.problems, benchmark)
    done = export_bundle(found, _files(taken.tree, found.path), light=light)
    target = output or Path(f"{benchmark}.zip")
    target.write_bytes(done.content)
    if files is not None:
        files.mkdir(parents=True, exist_ok=True)
        for key, content in done.parts.items():
            (files / f"{key}.zip").write_bytes(content)
    show(done.problems)
    say(f"{target}: {len(done.content):,} bytes")


@cli.command()
@click.argument("name", required=False)
@click.option("--template", type=click.Choice(scaffold.kinds()), help="What to start from.")
@click.option("--from", "source", metavar="BENCHMARK", help="Copy this benchmark instead.")
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
    help="With --from: put these data in place of its own; paths are as in the bundle.",
)  # fmt: skip
@click.option("--title", help="Its title; made from NAME by default.")
@click.option(
    "--repository", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="Write a repository of benchmarks there, or renew what pullbench wrote in it.",
)  # fmt: skip
@click.option("--forge", metavar="URL", default="", help="Address of that repository on its forge.")
@click.option(
    "--organiser", "organisers", metavar="LOGIN", multiple=True,
    help="Who may approve there; may be repeated.",
)  # fmt: skip
@click.option(
    "--package", metavar="SOURCE",
    help="With --repository: what its workflows install, a wheel of pullbench or "
    "git+https://HOST/OWNER/NAME@COMMIT; by default this very pullbench, as a wheel.",
)  # fmt: skip
@click.pass_obj
def init(
    start: Path,
    name: str | None,
    template: str | None,
    source: str | None,
    data: Path | None,
    title: str | None,
    repository: Path | None,
    forge: str,
    organisers: tuple[str, ...],
    package: str | None,
) -> None:
    """Begin a benchmark from a template, with a first submission, or from another benchmark.

    With --repository DIR: begin a whole repository with one benchmark (NAME, by default `first`),
    the workflows, and this version of pullbench pinned. Run it again after an upgrade.
    """
    if data is not None and source is None:
        raise UsageError("--data belongs to --from")
    if repository is not None:
        if source is not None:
            raise UsageError("--from copies within one repository", hint="Give --template KIND.")
        _init_repository(
            start / repository, name or "first", template or "code", title, forge, organisers,
            package_of(package),
        )  # fmt: skip
        return
    if name is None:
        raise UsageError("a benchmark needs a name", hint="pullbench init NAME --template KIND")
    if forge or organisers or package:
        raise UsageError("--forge, --organiser and --package belong to --repository")
    if (template is None) == (source is None):
        raise UsageError("say where to begin", hint="Give --template KIND or --from BENCHMARK.")
    check_name(name)
    taken = pipeline.snapshot(start)
    root = taken.tree.root
    title = title or _title(name)
    if template is not None:
        _begin(root, name, template, title)
        say(f"  pullbench validate && pullbench run {name} && pullbench leaderboard {name}")
        return
    found = taken.benchmarks.get(source or "")
    if found is None:
        raise _unknown(taken.problems, source or "")
    copy = dict(_files(taken.tree, found.path))
    if data is not None:
        copy = with_data(found, copy, start / data)
    content, executable = copy["competition.yaml"]
    copy["competition.yaml"] = (scaffold.retitled(content, title), executable)
    scaffold.write_new(root / "benchmarks" / name, copy)
    but = "with other data and " if data is not None else ""
    say(f"benchmarks/{name} is a copy of benchmarks/{found.name}, {but}without its submissions")
    if data is not None:
        for task in still_private(found):
            say(f"note: private data of '{task}' are pinned as in {found.name}; pin your own")


@cli.command("fact-sheet")
@click.argument("name", type=click.Choice(fact_sheets.names()))
@click.option(
    "--under", type=click.Choice(list(fact_sheets.PLACES)),
    help="Key that they stand under; `sheet` asks of data sets. By default the one that fits NAME.",
)  # fmt: skip
def fact_sheet(name: str, under: str | None) -> None:
    """Print questions to ask about an algorithm or a data set, to paste into competition.yaml."""
    emit(fact_sheets.fact_sheet(name, under))


def _init_repository(
    folder: Path,
    name: str,
    template: str,
    title: str | None,
    forge: str,
    organisers: tuple[str, ...],
    package: Package,
) -> None:
    check_name(name)
    files = repository_files(
        title=_title(folder.resolve().name), benchmark=name, forge=forge, organisers=organisers,
        package=package,
    )  # fmt: skip
    begun = not (folder / "benchmarks").exists()
    done = scaffold_repository(folder, files)
    if begun:
        _begin(folder, name, template, title or _title(name))
    for path in done.new:
        say(f"new: {path}")
    for path in done.renewed:
        say(f"renewed: {path}")
    for path in done.changed:
        say(f"NOT renewed, since somebody changed it: {path}")
    say(f"{folder}: {len(done.new)} files written, {len(done.renewed)} renewed")
    if begun and not (folder / ".git").exists():
        say(f"  cd {folder} && git init -b main && git add . && git commit -m 'Begin'")
    if done.changed:
        say("Take what you need from the new text: delete a file and run this again to get it.")
        raise click.exceptions.Exit(1)


def _begin(root: Path, name: str, template: str, title: str) -> None:
    """Write a benchmark and its first submission."""
    bundle, submission = scaffold.from_template(template, title)
    scaffold.write_new(root / "submissions" / name / FIRST, submission)
    scaffold.write_new(root / "benchmarks" / name, bundle)
    say(f"benchmarks/{name} and submissions/{name}/{FIRST} are there")


def _title(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").capitalize()


def _files(tree: Tree, path: str) -> Files:
    """Files of a folder in git; links are refused."""
    names = tree.under(path)
    links = [name for name in names if not tree.entries[name].is_regular]
    if links:
        raise InvalidInputError(
            Problem(
                file=name, message="is a link or a submodule", actor=Actor.ORGANISER,
                hint="Replace it by the file or folder that it points to.",
            )
            for name in links
        )  # fmt: skip
    contents = tree.read(names)
    start = len(path) + 1
    return {
        name[start:]: (content, tree.entries[name].mode == "100755")
        for name, content in contents.items()
    }


def _unknown(problems: Sequence[Problem], name: str) -> InvalidInputError | UsageError:
    errors = [
        problem
        for problem in problems
        if problem.severity == "error" and problem.file.startswith(f"benchmarks/{name}/")
    ]
    if errors:
        return InvalidInputError(errors)
    return UsageError(f"there is no benchmark '{name}'", hint="`pullbench validate` lists faults.")
