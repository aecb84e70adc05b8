"""Verbs for suites: what a server offers, what passes, what is written."""

import json
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from rich.console import Console
from rich.table import Table

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import at_option, json_option
from evaluator.core.errors import Actor, UsageError, counted, printable
from evaluator.core.log import emit_json, say
from evaluator.plugins.openml.suites.file import (
    Suite,
    attach_members,
    detach_members,
    new_suite,
    parse_suite,
    read_suite,
    suite_path,
    write_suite,
)
from evaluator.plugins.openml.tasks.client import SERVER, OpenmlClient
from evaluator.plugins.openml.tasks.source import server_option

if TYPE_CHECKING:
    from evaluator.plugins.openml.suites.criteria import CheckedTable
_SELECTED = {
    "name": "name", "status": "status", "target": "target_feature", "rows": "NumberOfInstances",
    "features": "NumberOfFeatures", "classes": "NumberOfClasses",
    "procedure": "estimation_procedure",
}  # fmt: skip
"""Column that is shown of a task -> what the server calls it."""
target_option = click.option(
    "--target", help="Column to predict; one called target or class, else the last, by default."
)


def with_server(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command a ``client``, of the server that ``--server`` names."""

    @wraps(command)
    def run(*args: Any, server: str | None, **options: Any) -> Any:
        return command(*args, client=OpenmlClient(server=server or SERVER), **options)

    return server_option(run)


def _root(start: Path) -> Path:
    from evaluator.core.git.tree import open_repository

    return Path(open_repository(start).working_tree_dir or start)


@cli.group()
def suite() -> None:
    """Check and keep collections of data sets: a server's, or those in suites/."""


@suite.command("list")
@with_server
def list_(client: OpenmlClient) -> None:
    """List the suites of a server."""
    rows = [
        {"suite": f"s/{row['id']}", "alias": row.get("alias") or "",
         "status": row["status"], "name": row["name"]}
        for row in client.ask("suites")
    ]  # fmt: skip
    _print_rows(rows)


@suite.command()
@click.argument("name")
@with_server
@at_option
@json_option
@click.pass_obj
def show(start: Path, name: str, client: OpenmlClient, at: str | None, *, as_json: bool) -> None:
    """Show a suite: NAME in suites/, at any commit with --at, or s/99 or an alias of a server.

    Or the tasks of a server that have some properties: tasks:rows=500..100000,tag=uci.
    """
    server = click.get_current_context().params["server"]
    local = None if server else _local_suite(start, name, at)
    if local is not None:
        say(f"{local.title}, version {local.version}, {local.criteria}")
        _print_rows([member.model_dump() for member in local.members], as_json)
        _say_left_out(local)
        return
    from evaluator.plugins.openml.tasks.source import parse_source, selected_tasks

    source = parse_source(name)
    if source.kind == "filter":
        rows = [
            {"task": f"t/{row['tid']}", "data": f"d/{row['did']}"}
            | {name: row.get(key) for name, key in _SELECTED.items()}
            for row in selected_tasks(source, client)
        ]
        _print_rows(rows, as_json)
        return
    remote = client.ask("suite", source.key)
    say(f"s/{remote['id']} {remote['name']}: {len(remote['tasks'])} tasks, {remote['status']}")
    _print_rows([{"task": f"t/{number}"} for number in remote["tasks"]], as_json)


@suite.command()
@click.argument("source")
@with_server
@click.option("--flow", "flows", type=int, multiple=True, help="Only runs of this flow.")
@click.option(
    "--most", type=click.IntRange(min=1), default=50, show_default=True, help="Runs on each task."
)
def runs(source: str, client: OpenmlClient, flows: tuple[int, ...], most: int) -> None:
    """List what others ran on SOURCE of a server: s/99, an alias, or t/3.

    `import openml-runs` brings them in as reported rows.
    """
    from evaluator.plugins.openml.exchange.openml_runs import list_runs

    names = {
        "flow": "flow_id", "setup": "setup_id", "uploader": "uploader",
        "uploaded": "upload_time", "error": "error_message",
    }  # fmt: skip
    rows = [
        {"run": f"r/{row['run_id']}", "task": f"t/{row['task_id']}"}
        | {name: row[key] for name, key in names.items()}
        for row in list_runs(source, client, flows, most)
    ]
    _print_rows(rows)
    say(counted(len(rows), "runs"))


@suite.command()
@click.argument("collection", nargs=-1, required=True)
@with_server
@target_option
@json_option
@click.pass_obj
def check(
    start: Path,
    collection: tuple[str, ...],
    client: OpenmlClient,
    target: str | None,
    *,
    as_json: bool,
) -> None:
    """Check data sets by the criteria of the OpenML-CC18; exit with 1 where one fails.

    COLLECTION: folders and files (CSV, ARFF, Parquet), members of a wheel (FILE.whl!FOLDER), of
    an installed package (package:NAME/FOLDER), tables of a benchmark (benchmark:NAME), or suites
    and tasks of a server (s/99, t/3, tasks:rows=500..,tag=uci).
    """
    checked = _check(start, collection, client, target)
    rows: list[dict[str, Any]] = [
        {"name": item.table.name, "passed": item.passed}
        | {check.criterion: check.figure if check.passed else f"FAIL {check.figure}"
           for check in item.checks}
        for item in checked
    ]  # fmt: skip
    _print_rows(rows, as_json)
    passed = sum(item.passed for item in checked)
    say(f"{passed} of {len(checked)} data sets pass")
    if passed < len(checked):
        raise click.exceptions.Exit(1)


@suite.command()
@click.argument("name")
@click.argument("collection", nargs=-1, required=True)
@click.option("--title", help="Its title; NAME by default.")
@click.option(
    "--criteria", type=click.Choice(["OpenML-CC18", "none"]), default="OpenML-CC18",
    show_default=True, help="What members have to pass; with none all are taken.",
)  # fmt: skip
@with_server
@target_option
@click.pass_obj
def create(
    start: Path, name: str, collection: tuple[str, ...], title: str | None,
    criteria: Literal["OpenML-CC18", "none"], client: OpenmlClient, target: str | None,
) -> None:  # fmt: skip
    """Write suites/NAME.yaml with the data sets that pass, and why each other is left out."""
    from evaluator.importing.files import check_name

    check_name(name)
    root = _root(start)
    if (root / suite_path(name)).exists():
        raise UsageError(f"{suite_path(name)} is there already", hint="See `suite attach`.")
    checked = _check(start, collection, client, target)
    new = new_suite(title or name, checked, criteria)
    _say_written(name, write_suite(root, name, new))


@suite.command()
@click.argument("name")
@click.argument("collection", nargs=-1, required=True)
@with_server
@target_option
@click.pass_obj
def attach(
    start: Path, name: str, collection: tuple[str, ...], client: OpenmlClient, target: str | None
) -> None:
    """Add to a suite what passes; its version grows where its members change."""
    root = _root(start)
    suite = read_suite(root, name)
    checked = _check(start, collection, client, target)
    _say_written(name, write_suite(root, name, attach_members(suite, checked)))


@suite.command()
@click.argument("name")
@click.argument("members", nargs=-1, required=True)
@click.pass_obj
def detach(start: Path, name: str, members: tuple[str, ...]) -> None:
    """Take members out of a suite."""
    root = _root(start)
    _say_written(name, write_suite(root, name, detach_members(read_suite(root, name), members)))


def _local_suite(start: Path, name: str, at: str | None) -> Suite | None:
    from evaluator.core.formats.names import name_problem
    from evaluator.core.git.tree import open_repository, read_tree

    path = suite_path(name)
    if name_problem(name, path, Actor.ORGANISER):
        return None
    content = read_tree(open_repository(start), at).read([path]).get(path)
    return None if content is None else parse_suite(content, path)


def _check(
    start: Path, collection: Sequence[str], client: OpenmlClient, target: str | None
) -> list["CheckedTable"]:
    from evaluator.plugins.openml.suites.collections import read_collection, with_repository_path
    from evaluator.plugins.openml.suites.criteria import check_all

    root = _root(start)
    tables = read_collection(collection, start, root=root, client=client, target=target)
    return check_all([with_repository_path(root, start, table) for table in tables])


def _say_written(name: str, suite: Suite) -> None:
    say(f"{suite_path(name)}: version {suite.version}, {counted(len(suite.members), 'data sets')}")
    _say_left_out(suite)


def _say_left_out(suite: Suite) -> None:
    if suite.left_out:
        say(f"{len(suite.left_out)} left out:")
    for item in suite.left_out:
        say(f"  {item.name}: {'; '.join(item.reasons)}")


def _print_rows(rows: Sequence[dict[str, Any]], as_json: bool = False) -> None:
    if as_json:
        emit_json(json.dumps(list(rows), indent=2))
        return
    if not rows:
        return
    table = Table()
    for name in rows[0]:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(printable("" if v is None else str(v)) for v in row.values()))
    console = Console(width=None if Console().is_terminal else 200)
    console.print(table, markup=False)
