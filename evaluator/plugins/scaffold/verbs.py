"""Verbs that begin benchmarks, repositories and submissions."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evaluator.core.cli.group import cli
from evaluator.core.errors import UsageError, counted
from evaluator.core.log import emit, say
from evaluator.core.plugins import Contract
from evaluator.importing.files import Files
from evaluator.plugins.scaffold.benchmark import (
    CHALLENGE,
    COURSE,
    METRICS,
    begin_benchmark,
    copy_benchmark,
    fact_sheets,
    from_template,
    kinds,
    questions,
    title_of,
)

if TYPE_CHECKING:
    from evaluator.core.formats.bundle import Benchmark

WRITTEN = Contract[Callable[[Path], Iterable[str]]]("written_by_init")
"""Each writes what follows from the bundles of a repository, and returns the paths."""


@cli.command()
@click.argument("benchmark")
@click.option("--participant", default="organiser", show_default=True, help="Whose they shall be.")
@click.pass_obj
def solutions(start: Path, benchmark: str, participant: str) -> None:
    """Enter the solutions that a bundle ships, so that they are evaluated as baselines.

    A submission with the files of a solution is marked so on the board, whoever enters it. What
    somebody has entered already is left alone.
    """
    from evaluator.core.clock import utc_now
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.importing.files import check_name, write_contents
    from evaluator.plugins.scaffold.entry import solution_entries

    check_name(participant)
    snapshot = load_snapshot(start, only=benchmark)
    folders = solution_entries(
        snapshot.tree, snapshot.benchmark(benchmark), snapshot.submissions, participant, utc_now()
    )
    for folder, files in folders.items():
        write_contents(snapshot.tree.root / folder, files)
        say(folder)
    say("Commit them, and the next run evaluates them." if folders else "nothing to enter")


@cli.command()
@click.argument("name", required=False)
@click.option(
    "--template", type=click.Choice([*kinds(), CHALLENGE, COURSE]), help="What to start from."
)
@click.option(
    "--labels", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="CSV",
    help="With --template challenge: rows with their labels, which stay secret.",
)  # fmt: skip
@click.option("--id", "id_column", metavar="COLUMN", default="id", show_default=True,
              help="Of --labels: what names a row.")  # fmt: skip
@click.option("--target", metavar="COLUMN", default="label", show_default=True,
              help="Of --labels: what to predict.")  # fmt: skip
@click.option("--metric", type=click.Choice(list(METRICS)), default="accuracy", show_default=True,
              help="What scores predictions of --target.")  # fmt: skip
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
    labels: Path | None,
    id_column: str,
    target: str,
    metric: str,
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
    if (template == CHALLENGE) != (labels is not None):
        raise UsageError("--template challenge and --labels CSV belong together")

    def begin(root: Path, name: str) -> tuple[Files, Files]:
        from evaluator.plugins.scaffold.challenge import begin_challenge, read_labels
        from evaluator.plugins.scaffold.course import begin_course

        private = root.resolve().parent / f"{name}-private"
        if template == COURSE:
            files = begin_course(root, title or title_of(name), private)
            say(f"{private} has the class list, the labels and the keys: keep it, and keep it out")
            say(
                "  of every repository. keys.env has secrets: PULLBENCH_IDENTITY of the environment"
            )
            say("  `publish`, and PULLBENCH_DATA_IDENTITY of the environment `scoring`")
            return files
        if labels is None:
            return from_template(template or "code", title or title_of(name))
        table = read_labels(labels, id_column, target, metric)
        files = begin_challenge(table, title or title_of(name), private)
        say(f"{private} has the labels and the keys: keep it, and keep it out of every repository")
        say(
            "  the key `public` is the secret PULLBENCH_DATA_IDENTITY of the environment `scoring`;"
        )
        say("  put the key `final` beside it when the phase Final begins")
        return files

    if repository is not None:
        if source is not None:
            raise UsageError("--from copies within one repository", hint="Give --template KIND.")
        folder, first = start / repository, name or "first"
        _init_repository(
            folder, first, partial(begin, folder, first), forge, organisers, package
        )  # fmt: skip
        return
    if name is None:
        raise UsageError("a benchmark needs a name", hint="pullbench init NAME --template KIND")
    if forge or organisers or package:
        raise UsageError("--forge, --organiser and --package belong to --repository")
    if (template is None) == (source is None):
        raise UsageError("say where to begin", hint="Give --template KIND or --from BENCHMARK.")
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.importing.files import check_name

    check_name(name)
    if template is not None:
        root = load_snapshot(start).tree.root
        _say_begun(name, begin_benchmark(root, name, *begin(root, name)))
        _write_what_follows(root)
        say(f"  pullbench validate && pullbench run {name} && pullbench leaderboard {name}")
        return
    original = _copy_benchmark(start, name, source or "", title, data)
    _write_what_follows(start)
    but = "with other data and " if data is not None else ""
    say(f"benchmarks/{name} is a copy of benchmarks/{original.name}, {but}without its submissions")
    if data is not None:
        for task in original.tasks:
            if task.private:
                say(
                    f"note: private data of '{task.name}' are pinned as in {original.name}; "
                    "pin your own"
                )


def _copy_benchmark(
    start: Path, name: str, source: str, title: str | None, data: Path | None
) -> "Benchmark":
    """Write a benchmark as another, on its data or others; return that one."""
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.importing.files import bundle_files
    from evaluator.plugins.scaffold.other_data import with_data

    snapshot = load_snapshot(start)
    original, files = bundle_files(snapshot, source)
    if data is not None:
        files = with_data(original, files, start / data)
    copy_benchmark(snapshot.tree.root, name, files, title)
    return original


def _init_repository(
    folder: Path,
    name: str,
    begin: Callable[[], tuple[Files, Files]],
    forge: str,
    organisers: tuple[str, ...],
    package: str | None,
) -> None:
    from evaluator.importing.files import check_name
    from evaluator.plugins.scaffold.package import package_of
    from evaluator.plugins.scaffold.repository import begin_repository

    pinned = package_of(package)
    check_name(name)
    scaffolded = begin_repository(
        folder, benchmark=name, begin=begin, forge=forge, organisers=organisers, package=pinned,
    )  # fmt: skip
    if scaffolded.submission:
        _say_begun(name, scaffolded.submission)
    for path in scaffolded.new:
        say(f"new: {path}")
    for path in scaffolded.renewed:
        say(f"renewed: {path}")
    for path in scaffolded.changed:
        say(f"NOT renewed, since somebody changed it: {path}")
    if (folder / ".git").exists():
        _write_what_follows(folder)
    written = counted(len(scaffolded.new), "files")
    say(f"{folder}: {written} written, {len(scaffolded.renewed)} renewed")
    if scaffolded.submission and not (folder / ".git").exists():
        say(f"  cd {folder} && git init -b main && git add . && git commit -m 'Begin'")
    if scaffolded.submission:
        say("Push it, and set up its forge: pullbench github setup")
    if scaffolded.changed:
        say("Take what you need from the new text: delete a file and run this again to get it.")
        raise click.exceptions.Exit(1)


def _write_what_follows(root: Path) -> None:
    for write in WRITTEN.values():
        for path in write(root):
            say(f"new: {path}")


def _say_begun(name: str, submission: str) -> None:
    say(f"benchmarks/{name} and {submission} are there")


@cli.command("fact-sheet")
@click.argument("name", type=click.Choice(fact_sheets()))
def fact_sheet(name: str) -> None:
    """Print questions to ask about an algorithm or a data set, to paste into competition.yaml."""
    emit(questions(name))


@cli.command()
@click.argument("benchmark")
@click.option("--as", "who", metavar="LOGIN/NAME", default="",
              help="Your login, and a name for the submission; git's user.name and `first` by "
              "default.")  # fmt: skip
@click.option("--kit", default="", help="Which sample of the starting kit, if it has several.")
@click.pass_obj
def enter(start: Path, benchmark: str, who: str, kit: str) -> None:
    """Begin a submission to BENCHMARK: copy its starting kit, and say what to do next.

    Where it has none, submission.yaml is written, with the organiser's questions.
    """
    from evaluator.core.clock import moment_text, utc_now
    from evaluator.plugins.scaffold.entry import begin_entry

    login, _, name = who.partition("/")
    done = begin_entry(start, benchmark, login, name, kit, utc_now())
    participant = done.path.rpartition("/")[0]
    say(f"{done.path}: " + (f"a copy of {done.source}" if done.source else "submission.yaml"))
    for other in done.others:
        say(f"  there is also --kit {other}")
    if not done.is_open:
        say(f"no phase of {benchmark} is open: it can be tried here, and not be entered",
            style="yellow")  # fmt: skip
    elif done.phase.end:
        say(f"{done.phase.name} ends on {moment_text(done.phase.end)}")
    for rule in done.rules:
        say(rule)
    if not done.source:
        todo = f"answer what {done.path}/submission.yaml asks, add {'; '.join(done.missing)}"
    elif done.asks:
        todo = f"replace its files with your work, and the answers in {done.path}/submission.yaml"
    else:
        todo = "replace its files with your work"
    say(f"Next: {todo}, and then")
    say(f"  pullbench validate {participant}")
    say(f"  pullbench run {participant.removeprefix('submissions/')} --output build/try")
    say(f'  git switch -c enter && git add {participant} && git commit -m "Enter {benchmark}"')
    say("  git push --set-upstream origin enter    and open a pull request")
    if "seal" in done.phase.of_plugins:
        say("Or, so that nobody copies it, leave it uncommitted and")
        say(f"  pullbench submit {done.path} --benchmark {benchmark} --participant {login} --seal")
