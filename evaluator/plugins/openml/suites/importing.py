"""``pullbench import suite``: a suite in suites/ -> a directory below benchmarks/."""

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from evaluator.core.errors import Actor, InvalidInputError, Problem, PullbenchError
from evaluator.core.formats.quantities import slug, unique_slugs
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.table_folds import REFERENCE
from evaluator.importing.folder import SourceFolder
from evaluator.importing.importer import Importer, ImportRequest, ReadBundle
from evaluator.plugins.openml.suites.collections import read_collection
from evaluator.plugins.openml.suites.file import Suite, SuiteMember, read_suite, suite_path
from evaluator.plugins.openml.suites.tables import SourceTable
from evaluator.plugins.openml.tabular.bundle import MEMORY, small_budget, table_task, write_bundle
from evaluator.plugins.openml.tabular.writing import Fold, describe_table, whole_table, write_shared
from evaluator.plugins.openml.tasks.client import SERVER, OpenmlClient
from evaluator.plugins.openml.tasks.fetching import CACHE, fetch_tasks, write_folds
from evaluator.plugins.openml.tasks.importing import fold_keys
from evaluator.plugins.openml.tasks.source import private_option, server_option

if TYPE_CHECKING:
    import pandas as pd

SUITE = "suite.yaml"
"""The suite as it was, in the benchmark."""


def read(
    folder: SourceFolder,
    request: ImportRequest,
    *,
    suite: str,
    folds: int,
    seconds: int,
    private: bool | None,
    server: str | None,
) -> ReadBundle:
    """Bring in SUITE, the name of a suite in suites/, as a benchmark.

    Members are read from their sources, and refused where their values are no longer those of the
    suite. What is a task of a server has its official splits; other folds are dealt by a digest,
    class by class, and are the same everywhere.
    """
    loaded = read_suite(request.root, suite)
    client = OpenmlClient(server=server or SERVER)
    tables: list[SourceTable] = []
    problems: list[Problem] = []
    for member in loaded.members:
        try:
            tables.append(read_member(member, request.root, client))
        except InvalidInputError as error:
            problems += error.problems
        except PullbenchError as error:
            problems.append(
                Problem(file=suite_path(suite), key=f"members.{member.name}",
                        message=error.message, hint=error.hint, actor=Actor.ORGANISER)
            )  # fmt: skip
    if problems:
        raise InvalidInputError(problems)
    name = request.name or slug(suite)
    names = unique_slugs([member.name for member in loaded.members], "task")
    budget = small_budget(seconds, max(seconds // 2, 1), MEMORY)
    tasks = []
    for key, member, table in zip(names, loaded.members, tables, strict=True):
        if table.openml_task is not None:
            (task,) = fetch_tasks(client, [table.openml_task], request.root / CACHE)
            chosen = task.folds[:folds]
            write_folds(task, chosen, folder.root, key, partial(fold_keys, task, budget))
            count, classes = len(chosen), task.about["labels"]
        else:
            count, classes = folds, _write(folder, key, member, table, folds, budget)
        request.tell(f"{key}: {count} folds written")
        tasks.append(
            table_task(key, member.rows, member.features, classes, table.openml_task, count,
                       seconds=seconds, memory=MEMORY)
        )  # fmt: skip
    folder.write(SUITE, dump_yaml(loaded.model_dump(exclude_none=True)))
    return write_bundle(
        folder, request, name, tasks, title=loaded.title, private=private,
        description=loaded.description or loaded.title, overview=_overview(suite, loaded, names),
    )  # fmt: skip


def read_member(member: SuiteMember, root: Path, client: OpenmlClient) -> SourceTable:
    """Read a member. Raises PullbenchError where it is no longer what the suite says."""
    found = read_collection([member.source], root, root=root, client=client, target=member.target)
    table = found[0]
    if len(found) > 1 or table.sha256() != member.sha256:
        raise PullbenchError(
            f"'{member.name}' is not what it was: {member.source} has other values",
            hint="`pullbench suite attach` takes them as the next version of the suite.",
        )
    return table


def _write(
    folder: SourceFolder,
    key: str,
    member: SuiteMember,
    table: SourceTable,
    folds: int,
    budget: Mapping[str, int],
) -> list[str]:
    frame = table.frame.copy()
    for column in table.nominal():
        levels = sorted({str(value) for value in frame[column].dropna()})
        frame[column] = frame[column].map(str, na_action="ignore").astype("category")
        frame[column] = frame[column].cat.set_categories(levels)
    target = frame[table.target]
    labels = sorted(map(str, target.unique())) if member.classes else []
    stored, classes = whole_table(frame, table.target, classes=bool(member.classes), labels=labels)
    meta = {**describe_table(member.name, stored, table.target, classes), "id": member.name}
    write_shared(
        folder.root / REFERENCE / key, stored, meta,
        deal(member.name, target, folds, classes=bool(member.classes)),
        about=lambda fold: {"fold": fold.fold, "seed": fold.number, "budget": budget},
    )  # fmt: skip
    return classes


def deal(name: str, target: "pd.Series[Any]", folds: int, *, classes: bool) -> list[Fold]:
    """Folds with as many rows of each class as can be, the same on every machine."""

    def place(row: int) -> str:
        return hashlib.sha256(f"{name}/{row}".encode()).hexdigest()

    labels = [str(label) if classes else "" for label in target]
    ordered = sorted(range(len(labels)), key=lambda row: (labels[row], place(row)))
    of_row = np.empty(len(labels), dtype=np.int64)
    of_row[ordered] = np.arange(len(labels)) % folds
    return [
        Fold(number=fold, repeat=0, fold=fold, train=np.flatnonzero(of_row != fold),
             test=np.flatnonzero(of_row == fold))
        for fold in range(folds)
    ]  # fmt: skip


def _overview(name: str, suite: Suite, names: list[str]) -> str:
    lines = [
        f"# {suite.title}", "", suite.description, "",
        f"Made from version {suite.version} of `{suite_path(name)}`, a copy of which is "
        f"`{SUITE}`. Each data set is a task, and each fold a repeat of it.", "",
        "| Data set | Rows | Source | SHA-256 of its values |", "|---|---|---|---|",
        *(
            f"| {key} | {member.rows} | `{member.source}` | `{member.sha256[:12]}` |"
            for key, member in zip(names, suite.members, strict=True)
        ), "",
    ]  # fmt: skip
    return "\n".join(lines)


IMPORTER = Importer(
    options=(
        click.argument("suite"),
        server_option,
        click.option("--folds", type=click.IntRange(min=2), default=10, show_default=True,
                     help="Folds of each data set."),
        click.option("--seconds", type=click.IntRange(min=1), default=3600, show_default=True,
                     help="Time limit of one fold."),
        private_option,
    ),
    read=read,
)  # fmt: skip
