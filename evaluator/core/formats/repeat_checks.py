"""Checks of tasks that are run several times, each time on data of its own."""

from bisect import bisect_left
from collections.abc import Collection, Sequence

from evaluator.core.formats.competition import Competition, TaskEntry
from evaluator.core.formats.extension import RepeatData, TaskExtension
from evaluator.core.formats.schema import Document, Key
from evaluator.core.formats.table_folds import DATASET, ROWS, TABLE, missing_files


def repeats_of(competition: Competition, task: TaskEntry) -> tuple[int, RepeatData]:
    """Return how often a task is run, and whether each time has data of its own."""
    extension = competition.pullbench
    of_task = extension.tasks.get(task.index, TaskExtension())
    form = extension.repeat_data if of_task.repeat_data is None else of_task.repeat_data
    return of_task.repeats or extension.repeats, form


def check_one_table(competition: Competition, task: TaskEntry, at: Key, document: Document) -> None:
    """Report what does not go with repeats that are rows of one table."""
    extension = competition.pullbench
    if repeats_of(competition, task)[1] != "rows":
        return
    held = {item.file for item in extension.private if item.task == task.index}
    if task.input_data or "input_data" in held:
        document.report(
            (*at, "input_data"), "is there beside a table of which it is made (repeat_data: rows).",
            "Leave it out: programs see train.parquet, test.parquet and dataset.json.",
        )  # fmt: skip
    if not task.reference_data and "reference_data" not in held:
        document.report(
            (*at, "reference_data"), "is missing.", f"With repeat_data: rows it has {TABLE}."
        )
    if extension.datasets is not None:
        document.report(
            ("pullbench", "repeat_data"), "cannot be 'rows' where participants submit data sets.",
            "A table is read outside of containers: it has to be the organiser's.",
        )  # fmt: skip


def check_rows(
    path: str, repeats: int, at: Key, document: Document, files: Collection[str]
) -> None:
    """Report the first file that repeats of one table lack."""
    missing = missing_files(files, path.removeprefix("./").rstrip("/"), repeats)
    if missing:
        document.report(
            at, f"'{path}' has no file '{missing[0]}'.",
            f"With repeat_data: rows it is a folder with {TABLE}, {DATASET} and for repeat r "
            f"r/{ROWS}.",
        )  # fmt: skip


def check_folds(path: str, repeats: int, at: Key, document: Document, files: Sequence[str]) -> None:
    """Report the first repeat without data, where each has its own; ``files`` are sorted."""
    path = path.removeprefix("./").rstrip("/")
    for repeat in range(repeats):
        folder = f"{path}/{repeat}/"
        first = bisect_left(files, folder)
        if first == len(files) or not files[first].startswith(folder):
            document.report(
                at, f"'{path}' has no folder '{repeat}'.",
                "With repeat_data each repeat has a folder with its number.",
            )  # fmt: skip
            return
