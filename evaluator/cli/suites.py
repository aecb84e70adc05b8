"""Verbs for suites: what a server offers, what passes, what is kept and published."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table as Shown

from evaluator import pipeline
from evaluator.cli.group import cli
from evaluator.cli.options import at_option
from evaluator.errors import Actor, PullbenchError, UsageError, printable
from evaluator.exports.predictions import evaluated_folds
from evaluator.formats.suite import FOLDER, Suite, suite_path
from evaluator.git.files import read_file
from evaluator.importers.openml.client import SERVER, Client
from evaluator.importers.openml.options import server_option, timeout_option
from evaluator.importers.openml.source import parse_source
from evaluator.importers.suites.collections import read_collection
from evaluator.importers.suites.criteria import Checked, check_all
from evaluator.importers.suites.file import (
    attached,
    created,
    detached,
    parse_suite,
    read_suite,
    write_suite,
)
from evaluator.importers.suites.publishing import (
    api_key,
    partial_run,
    publish_suite,
    run_of,
)
from evaluator.log import complain, emit_json, say
from evaluator.planning.names import name_problem

target_option = click.option(
    "--target", help="Column to predict; one called target or class, else the last, by default."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@cli.group()
def suite() -> None:
    """Check, keep and publish collections of data sets: a server's, or those in suites/."""


@suite.command("list")
@server_option
@click.option("--local", is_flag=True, help="Those in suites/ of this repository.")
@json_option
@timeout_option
@click.pass_obj
def list_(start: Path, server: str | None, local: bool, as_json: bool, patience: float) -> None:
    """List the suites of a server, or of this repository."""
    if local:
        root = pipeline.snapshot(start).tree.root
        found = [
            {"name": path.stem, "version": one.version, "members": len(one.members),
             "title": one.title}
            for path in sorted((root / FOLDER).glob("*.yaml"))
            for one in [read_suite(root, path.stem)]
        ]  # fmt: skip
    else:
        found = [
            {"suite": f"s/{row['id']}", "alias": row.get("alias") or "",
             "status": row["status"], "name": row["name"]}
            for row in _client(server, patience).ask("suites")
        ]  # fmt: skip
    _show(found, as_json)


@suite.command()
@click.argument("name")
@server_option
@at_option
@json_option
@timeout_option
@click.pass_obj
def show(
    start: Path, name: str, server: str | None, at: str | None, as_json: bool, patience: float
) -> None:
    """Show a suite: NAME in suites/, at any commit with --at, or s/99 or an alias of a server."""
    path = suite_path(name)
    content = (
        None if server or name_problem(name, path, Actor.ORGANISER) else read_file(start, path, at)
    )
    if content is not None:
        one = parse_suite(content, path)
        say(f"{one.title}, version {one.version}, {one.criteria}")
        _show([member.model_dump() for member in one.members], as_json)
        if not as_json:
            _left_out(one)
        return
    found = _client(server, patience).ask("suite", parse_source(name).key)
    say(f"s/{found['id']} {found['name']}: {len(found['tasks'])} tasks, {found['status']}")
    _show([{"task": f"t/{number}"} for number in found["tasks"]], as_json)


@suite.command()
@click.argument("collection", nargs=-1, required=True)
@server_option
@target_option
@json_option
@timeout_option
@click.pass_obj
def check(
    start: Path, collection: tuple[str, ...], server: str | None, target: str | None,
    as_json: bool, patience: float,
) -> None:  # fmt: skip
    """Check data sets by the criteria of the OpenML-CC18; exit with 1 where one fails.

    COLLECTION: folders and files (CSV, ARFF, Parquet), members of a wheel (FILE.whl!FOLDER), of
    an installed package (package:NAME/FOLDER), or suites and tasks of a server (s/99, t/3).
    """
    checked = _checked(start, collection, server, target, patience)
    rows: list[dict[str, Any]] = [
        {"name": item.table.name, "passed": item.passed}
        | {check.criterion: check.figure if check.passed else f"FAIL {check.figure}"
           for check in item.checks}
        for item in checked
    ]  # fmt: skip
    _show(rows, as_json)
    passed = sum(item.passed for item in checked)
    say(f"{passed} of {len(checked)} data sets pass")
    if passed < len(checked):
        raise click.exceptions.Exit(1)


@suite.command()
@click.argument("name")
@click.argument("collection", nargs=-1, required=True)
@click.option("--title", help="Its title; NAME by default.")
@click.option("--description", default="")
@server_option
@target_option
@timeout_option
@click.pass_obj
def create(
    start: Path, name: str, collection: tuple[str, ...], title: str | None, description: str,
    server: str | None, target: str | None, patience: float,
) -> None:  # fmt: skip
    """Write suites/NAME.yaml with the data sets that pass, and why each other is left out."""
    problem = name_problem(name, suite_path(name), Actor.ORGANISER)
    if problem:
        raise UsageError(problem.message, hint=problem.hint)
    root = pipeline.snapshot(start).tree.root
    if (root / suite_path(name)).exists():
        raise UsageError(f"{suite_path(name)} is there already", hint="See `suite attach`.")
    checked = _checked(start, collection, server, target, patience)
    _write(root, name, created(title or name, description, checked))


@suite.command()
@click.argument("name")
@click.argument("collection", nargs=-1, required=True)
@server_option
@target_option
@timeout_option
@click.pass_obj
def attach(
    start: Path, name: str, collection: tuple[str, ...], server: str | None, target: str | None,
    patience: float,
) -> None:  # fmt: skip
    """Add to a suite what passes; its version grows where its members change."""
    root = pipeline.snapshot(start).tree.root
    before = read_suite(root, name)
    _write(root, name, attached(before, _checked(start, collection, server, target, patience)))


@suite.command()
@click.argument("name")
@click.argument("members", nargs=-1, required=True)
@click.pass_obj
def detach(start: Path, name: str, members: tuple[str, ...]) -> None:
    """Take members out of a suite."""
    root = pipeline.snapshot(start).tree.root
    _write(root, name, detached(read_suite(root, name), members))


@suite.command()
@click.argument("name")
@server_option
@click.option("--alias", help="Name of the suite in addresses of the server.")
@timeout_option
@click.pass_obj
def publish(start: Path, name: str, server: str | None, alias: str | None, patience: float) -> None:
    """Create the suite at a server, or bring it there to this version. Needs OPENML_API_KEY."""
    root = pipeline.snapshot(start).tree.root
    published, done = publish_suite(read_suite(root, name), _client(server, patience), alias)
    write_suite(root, name, published)
    say(done)


@suite.command("publish-runs")
@click.argument("submission")
@server_option
@timeout_option
@click.pass_obj
def publish_runs(start: Path, submission: str, server: str | None, patience: float) -> None:
    """Upload the stored predictions of BENCHMARK/PARTICIPANT/NAME, one run for each task.

    Only whole tasks of a benchmark made from OpenML: the server compares a run with all rows of
    the official splits, so that it takes none on some of the folds. What is left out is said, and
    the exit code is then 1. Needs OPENML_API_KEY.
    """
    key = api_key()
    client = _client(server, patience)
    left_out = 0
    for folds in evaluated_folds(start, submission):
        entry = folds.submission
        text = f"{entry.name or entry.id}: {entry.description}".strip(": ")
        flow = f"pullbench.{entry.id.replace('/', '.')}"
        try:
            if folds.lacking:
                raise partial_run(folds.lacking, f"pullbench run {submission} --fresh")
            made = run_of(flow, folds.version, text[:500] or flow, folds.files)
        except PullbenchError as error:
            left_out += 1
            complain(f"{folds.task} is not published: {error}")
            continue
        done = client.ask("publish_run", made, key=key)
        say(f"{folds.task}: r/{done['id']} of flow {done['flow']}, {len(made['rows'])} rows")
    if left_out:
        raise click.exceptions.Exit(1)


def _client(server: str | None, patience: float) -> Client:
    return Client(server=server or SERVER, seconds=patience)


def _checked(
    start: Path, collection: Sequence[str], server: str | None, target: str | None, patience: float
) -> list[Checked]:
    root = pipeline.snapshot(start).tree.root
    client = _client(server, patience)
    cache = root / "build" / "openml"
    return check_all(read_collection(collection, start, client=client, cache=cache, target=target))


def _write(root: Path, name: str, one: Suite) -> None:
    write_suite(root, name, one)
    say(f"{suite_path(name)}: version {one.version}, {len(one.members)} data sets")
    _left_out(one)


def _left_out(one: Suite) -> None:
    if one.left_out:
        say(f"{len(one.left_out)} left out:")
        rows = [{"name": item.name, "why": "; ".join(item.reasons)} for item in one.left_out]
        _show(rows, as_json=False)


def _show(rows: Sequence[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        emit_json(json.dumps(list(rows), indent=2))
        return
    if not rows:
        return
    made = Shown()
    for name in rows[0]:
        made.add_column(name, overflow="fold")
    for row in rows:
        made.add_row(*(printable("" if v is None else str(v)) for v in row.values()))
    console = Console(width=None if Console().is_terminal else 200)
    console.print(made, markup=False)
