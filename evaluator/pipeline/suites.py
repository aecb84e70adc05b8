"""Suites: collections of data sets are checked, written to suites/ and published."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.pipeline import snapshots

if TYPE_CHECKING:
    from evaluator.exports.predictions import Publication
    from evaluator.formats.suite import Criteria, Suite
    from evaluator.importers.openml.client import Client
    from evaluator.importers.suites.criteria import Checked
    from evaluator.importers.suites.data_publishing import PublishedData


def with_server(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options ``--server`` and ``--timeout``, whose values make a client."""
    from evaluator.importers.openml.options import server_option, timeout_option

    return server_option(timeout_option(command))


def server_client(server: str | None, seconds: float) -> "Client":
    """Return the client of a server of OpenML, by default its public one."""
    from evaluator.importers.openml.client import SERVER, Client

    return Client(server=server or SERVER, seconds=seconds)


def local_suites(start: Path) -> dict[str, "Suite"]:
    """Return the suites in suites/, by name. Raises InvalidInputError."""
    from evaluator.formats.suite import FOLDER
    from evaluator.importers.suites.file import read_suite

    root = snapshots.root(start)
    names = sorted(path.stem for path in (root / FOLDER).glob("*.yaml"))
    return {name: read_suite(root, name) for name in names}


def server_suites(client: "Client") -> Sequence[Mapping[str, Any]]:
    """Return the suites that a server has. Raises PullbenchError, PlatformError."""
    suites: Sequence[Mapping[str, Any]] = client.ask("suites")
    return suites


def runs_on(
    client: "Client", source: str, flows: Sequence[int], most: int
) -> Iterator[Mapping[str, Any]]:
    """Yield what others ran on a suite or a task of a server. Raises UsageError, PlatformError."""
    from evaluator.importers.exchange.openml_runs import listed_runs

    return listed_runs(source, client, flows, most)


def local_suite(start: Path, name: str, at: str | None) -> "Suite | None":
    """Return a suite of the working tree or of a commit; None where suites/ has none."""
    from evaluator.errors import Actor
    from evaluator.formats.names import name_problem
    from evaluator.formats.suite import suite_path
    from evaluator.git.files import read_file
    from evaluator.importers.suites.file import parse_suite

    path = suite_path(name)
    if name_problem(name, path, Actor.ORGANISER):
        return None
    content = read_file(start, path, at)
    return None if content is None else parse_suite(content, path)


def server_suite(client: "Client", name: str) -> Mapping[str, Any]:
    """Return a suite of a server, by s/99 or an alias. Raises UsageError, PullbenchError."""
    from evaluator.importers.openml.source import parse_source

    suite: Mapping[str, Any] = client.ask("suite", parse_source(name).key)
    return suite


def selected_tasks(client: "Client", name: str) -> "Sequence[Mapping[str, Any]] | None":
    """Return what a server lists of tasks:KEY=VALUE,…; None for the name of a suite.

    Raises UsageError, PullbenchError.
    """
    from evaluator.importers.openml.selection import selected_tasks
    from evaluator.importers.openml.source import parse_source

    source = parse_source(name)
    return selected_tasks(source, client) if source.kind == "filter" else None


def check(
    start: Path, collection: Sequence[str], client: "Client", target: str | None
) -> list["Checked"]:
    """Check data sets by the criteria of the OpenML-CC18. Raises UsageError."""
    from evaluator.importers.suites.collections import below, read_collection
    from evaluator.importers.suites.criteria import check_all

    root = snapshots.root(start)
    cache = root / "build" / "openml"
    tables = read_collection(collection, start, client=client, cache=cache, target=target)
    return check_all(below(root, start, tables))


def create(
    start: Path,
    name: str,
    collection: Sequence[str],
    client: "Client",
    *,
    target: str | None,
    title: str | None,
    description: str,
    criteria: "Criteria",
) -> "Suite":
    """Write a suite of the data sets that pass. Raises UsageError where it is there."""
    from evaluator.errors import UsageError
    from evaluator.formats.names import check_name
    from evaluator.formats.suite import suite_path
    from evaluator.importers.suites.file import created, write_suite

    check_name(name)
    root = snapshots.root(start)
    if (root / suite_path(name)).exists():
        raise UsageError(f"{suite_path(name)} is there already", hint="See `suite attach`.")
    checked = check(start, collection, client, target)
    return write_suite(root, name, created(title or name, description, checked, criteria))


def attach(
    start: Path, name: str, collection: Sequence[str], client: "Client", target: str | None
) -> "Suite":
    """Add to a suite what passes. Raises UsageError."""
    from evaluator.importers.suites.file import attached, read_suite, write_suite

    root = snapshots.root(start)
    suite = read_suite(root, name)
    checked = check(start, collection, client, target)
    return write_suite(root, name, attached(suite, checked))


def detach(start: Path, name: str, members: Sequence[str]) -> "Suite":
    """Remove members from a suite. Raises UsageError."""
    from evaluator.importers.suites.file import detached, read_suite, write_suite

    root = snapshots.root(start)
    return write_suite(root, name, detached(read_suite(root, name), members))


def publish(start: Path, name: str, client: "Client", alias: str | None) -> str:
    """Bring a server to this version of a suite; returns what was done. Raises UsageError."""
    from evaluator.importers.suites.file import read_suite, write_suite
    from evaluator.importers.suites.publishing import publish_suite

    root = snapshots.root(start)
    published, outcome = publish_suite(read_suite(root, name), client, alias)
    write_suite(root, name, published)
    return outcome


def publish_data(
    start: Path,
    name: str,
    client: "Client",
    *,
    licence: str,
    creator: str,
    citation: str,
    procedure: int,
    dry_run: bool,
) -> Iterator["PublishedData"]:
    """Create data sets and tasks at a server for the members of a suite that have none.

    The number of each task is written into the suite's file at once; a dry run sends and writes
    nothing. Raises UsageError, PullbenchError, PlatformError.
    """
    from evaluator.importers.suites.data_publishing import Rights, publish_data
    from evaluator.importers.suites.file import read_suite, with_task, write_suite
    from evaluator.importers.suites.importing import read_member
    from evaluator.importers.suites.publishing import api_key

    root = snapshots.root(start)
    suite = read_suite(root, name)
    key = "" if dry_run else api_key()
    rights = Rights(licence=licence, creator=creator, citation=citation)
    for published in publish_data(
        suite, lambda member: read_member(member, root, client), client, rights, procedure, key,
        dry_run=dry_run,
    ):  # fmt: skip
        if not dry_run and published.task is not None:
            suite = write_suite(root, name, with_task(suite, published.name, published.task))
        yield published


def publish_runs(start: Path, submission: str, client: "Client") -> Iterator["Publication"]:
    """Upload the stored predictions of a submission, task by task. Raises UsageError."""
    from evaluator.exports.predictions import publish_runs

    return publish_runs(start, submission, client)
