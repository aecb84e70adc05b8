"""Checks of competition.yaml beyond its schema: references, order in time, files that exist."""

from bisect import bisect_left
from collections.abc import Collection, Sequence

from evaluator.core.errors import nearest
from evaluator.core.formats.competition import Competition, TaskEntry
from evaluator.core.formats.datasets import CHECK
from evaluator.core.formats.extension import RepeatData, TaskExtension
from evaluator.core.formats.extension_checks import check_extension, check_leaderboards
from evaluator.core.formats.names import check_environments
from evaluator.core.formats.parsing import STAND_IN
from evaluator.core.formats.paths import path_fault, url_fault
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import Document, Key
from evaluator.core.formats.table_folds import DATASET, ROWS, TABLE, missing_files


def check(competition: Competition, document: Document, files: Collection[str]) -> None:
    columns = competition.leaderboards[0].columns
    _unique(("tasks",), competition.tasks, "index", document)
    _unique(("phases",), competition.phases, "index", document)
    _unique(("solutions",), competition.solutions, "index", document)
    _unique(("leaderboards", 0, "columns"), columns, "index", document)
    _unique(("leaderboards", 0, "columns"), columns, "key", document)
    _unique(("pullbench", "stages"), competition.pullbench.stages, "key", document)
    _titles(competition, document)
    _tasks(competition, document, files)
    _phases(competition, document, files)
    _windows(competition, document)
    check_leaderboards(competition, document)
    _texts(competition, document, files)
    check_extension(competition, document)
    _datasets(competition, document, files)
    _private(competition, document, files)
    _stages(competition, document)
    check_environments(files, document)
    for key, question in (competition.fact_sheet or {}).items():
        at: Key = ("fact_sheet", key)
        if question.key != key:
            document.report((*at, "key"), f"must repeat the name above it, '{key}'.")
        if question.type == "select" and not question.choices:
            document.report((*at, "selection"), "is empty, so that nothing can be chosen.")


def _unique(at: Key, entries: Sequence[object], name: str, document: Document) -> None:
    first: dict[int | str, int] = {}
    for position, entry in enumerate(entries):
        value = getattr(entry, name)
        if first.setdefault(value, position) != position:
            message = f"is {value!r}, as that of {at[-1]}[{first[value]}]."
            document.report((*at, position, name), message, "Give each its own.")


def _titles(competition: Competition, document: Document) -> None:
    """Warn of columns that look the same; those of single phases may never meet."""
    extension, first = competition.pullbench, dict[object, str]()
    by_phase = any(phase.columns for phase in extension.phases.values())
    for position, column in enumerate(competition.leaderboards[0].columns):
        more = extension.columns.get(column.key)
        other = first.setdefault((more.group if more else "", column.title), column.key)
        if other != column.key and not by_phase:
            document.report(
                ("leaderboards", 0, "columns", position, "title"),
                f"is '{column.title}', as that of '{other}': pages and tables show both alike.",
                "Give it another.", severity="warning",
            )  # fmt: skip


def _tasks(competition: Competition, document: Document, files: Collection[str]) -> None:
    ordered: list[str] = []
    private = {(item.task, item.file) for item in competition.pullbench.private}
    for position, task in enumerate(competition.tasks):
        at: Key = ("tasks", position)
        if task.key is not None:
            document.report(
                (*at, "key"),
                "names a task stored on a Codabench server, which a repository cannot reach.",
                "Put its files into the bundle and name them here.",
            )
            continue
        if task.scoring_program is None:
            document.report((*at, "scoring_program"), "is missing.", "Every task needs one.")
        for name in ("scoring_program", "ingestion_program"):
            path = getattr(task, name)
            if path and _exists(path, (*at, name), document, files):
                _has_metadata(path, (*at, name), document, files)
        for name in ("input_data", "reference_data"):
            path, key = getattr(task, name), (*at, name)
            if path and (task.index, name) not in private and _exists(path, key, document, files):
                repeats, form = _repeats_of(competition, task)
                if form == "rows" and name == "reference_data":
                    _rows(path, repeats, key, document, files)
                elif form is True:
                    ordered = ordered or sorted(files)
                    _folds(path, repeats, key, document, ordered)
        _one_table(competition, task, at, document)


def _exists(path: str, at: Key, document: Document, files: Collection[str]) -> bool:
    if path == STAND_IN:
        return False
    path = _clean(path)
    if fault := path_fault(path):
        document.report(at, f"'{path}' {fault}.", "Name a file or directory of the bundle.")
        return False
    if path in files or any(name.startswith(f"{path}/") for name in files):
        return True
    folders = {part for name in files for part in (name, name.rpartition("/")[0]) if part}
    hint = nearest(path, sorted(folders), "Add it, or correct the name.")
    document.report(at, f"'{path}' is not in the bundle.", hint)
    return False


def _clean(path: str) -> str:
    return path.removeprefix("./").rstrip("/")


def _has_metadata(path: str, at: Key, document: Document, files: Collection[str]) -> None:
    path = _clean(path)
    if path in files:
        if not path.endswith(".zip"):
            document.report(at, f"'{path}' is neither a directory nor a zip.")
        return
    # As compute/mounts.py looks for it: in the folder, else in the one folder in it that has some.
    folders = {
        name.rpartition("/")[0]
        for name in files
        if name.startswith(f"{path}/")
        and name.rpartition("/")[2] in ("metadata.yaml", "metadata")
        and name.count("/") <= path.count("/") + 2
    }
    if path not in folders and len(folders) != 1:
        message = f"'{path}' has no metadata.yaml, which names the command to run."
        hint = "Add one with a line such as 'command: python3 $program/main.py $input $output'."
        document.report(at, message, hint)


def _phases(competition: Competition, document: Document, files: Collection[str]) -> None:
    tasks = {task.index for task in competition.tasks}
    hint = f"Tasks are {', '.join(map(str, sorted(tasks)))}."
    solutions = {solution.index for solution in competition.solutions}
    played = {task.index for task in competition.tasks if task.ingestion_only_during_scoring}
    for position, phase in enumerate(competition.phases):
        at: Key = ("phases", position)
        if phase.accepts_only_result_submissions and played & set(phase.tasks):
            document.report(
                (*at, "accepts_only_result_submissions"),
                "lets this phase never produce a ranked row: a task of it is played by an agent "
                "while it is scored, which results cannot do.",
                "Take it out, or take 'ingestion_only_during_scoring' out of the task.",
            )
        for place, index in enumerate(phase.tasks):
            _is_there("task", index, tasks, (*at, "tasks", place), document, hint)
        for place, index in enumerate(phase.solutions):
            _is_there("solution", index, solutions, (*at, "solutions", place), document)
        for name in ("starting_kit", "public_data"):
            path = getattr(phase, name)
            if path:
                _exists(path, (*at, name), document, files)
    for position, solution in enumerate(competition.solutions):
        for place, index in enumerate(solution.tasks):
            _is_there("task", index, tasks, ("solutions", position, "tasks", place), document)
        if solution.path:
            _exists(solution.path, ("solutions", position, "path"), document, files)


def _is_there(
    noun: str, index: int, indexes: Collection[int], at: Key, document: Document, hint: str = ""
) -> None:
    if index not in indexes:
        document.report(at, f"names {noun} {index}, which is not there.", hint)


def _windows(competition: Competition, document: Document) -> None:
    order = sorted(range(len(competition.phases)), key=lambda at: competition.phases[at].index)
    for place, position in enumerate(order):
        phase = competition.phases[position]
        at: Key = ("phases", position)
        last = place == len(order) - 1
        if phase.end is None and not last:
            document.report((*at, "end"), "is missing.", "Only the last phase may have no end.")
        if last and phase.end == phase.start:
            # As some on Codabench have it, whose organisers take what they put on the board.
            document.report(
                (*at, "end"),
                f"is the start of '{phase.name}': nobody can enter that phase.",
                "Leave 'end' out where it never ends, or give the day on which it does.",
                severity="warning",
            )
        elif phase.end is not None and phase.end <= phase.start:
            document.report((*at, "end"), "is not after the phase's start.")
        if place == 0 and phase.auto_migrate_to_this_phase:
            key: Key = (*at, "auto_migrate_to_this_phase")
            hint = "There is nothing to migrate from."
            document.report(key, "cannot be true on the first phase.", hint)
        if not last and phase.end and phase.end > competition.phases[order[place + 1]].start:
            key = ("phases", order[place + 1], "start")
            message = f"is before the end of phase '{phase.name}'."
            document.report(key, message, "Phases may not overlap.")


def _texts(competition: Competition, document: Document, files: Collection[str]) -> None:
    _exists(competition.image, ("image",), document, files)
    _exists(competition.terms, ("terms",), document, files)
    for position, page in enumerate(competition.pages):
        _exists(page.file, ("pages", position, "file"), document, files)


def _private(competition: Competition, document: Document, files: Collection[str]) -> None:
    indices = {task.index for task in competition.tasks}
    for position, private in enumerate(competition.pullbench.private):
        at: Key = ("pullbench", "private", position)
        _is_there("task", private.task, indices, (*at, "task"), document)
        if private.path and (fault := path_fault(private.path)):
            document.report((*at, "path"), f"'{private.path}' {fault}.")
        if private.encrypted:
            _encrypted(private.encrypted, (*at, "encrypted"), document, files)
        if private.url and (fault := url_fault(private.url)):
            document.report((*at, "url"), f"'{private.url}' {fault}.")


def _encrypted(path: str, at: Key, document: Document, files: Collection[str]) -> None:
    if not _exists(path, at, document, files):
        return
    if path.removeprefix("./") not in files:
        hint = "`pullbench pin --encrypt` makes one file of it."
        document.report(at, f"'{path}' is a directory.", hint)
    elif path.endswith(".zip"):
        document.report(at, f"'{path}' would be unpacked as a zip.", "Let its name end with .age.")


def _datasets(competition: Competition, document: Document, files: Collection[str]) -> None:
    datasets = competition.pullbench.datasets
    if datasets is None:
        return
    at: Key = ("pullbench", "datasets")
    indices = {task.index for task in competition.tasks}
    if datasets.task is not None:
        hint = f"Tasks are {', '.join(map(str, sorted(indices)))}."
        _is_there("task", datasets.task, indices, (*at, "task"), document, hint)
    program_key: Key = (*at, "check_program")
    if datasets.check_program and _exists(datasets.check_program, program_key, document, files):
        _has_metadata(datasets.check_program, program_key, document, files)
    for part in ("input_data", "reference_data"):
        if fault := path_fault(getattr(datasets, part)):
            document.report((*at, part), f"'{getattr(datasets, part)}' {fault}.")
    if datasets.input_data.strip("/") == datasets.reference_data.strip("/"):
        key: Key = (*at, "reference_data")
        document.report(key, "is the folder that programs see.", "Name another.")
    for position, task in enumerate(competition.tasks):
        if slug(task.name) == CHECK:
            document.report(("tasks", position, "name"), "is kept for the check of data sets.")
        if datasets.become == "rows" and task.ingestion_only_during_scoring:
            key = ("tasks", position, "ingestion_only_during_scoring")
            document.report(key, "needs an agent, and rows are data sets here.", "Take it out.")


def _stages(competition: Competition, document: Document) -> None:
    for position, task in enumerate(competition.tasks if competition.pullbench.stages else ()):
        if not task.ingestion_program:
            hint = "It holds the organiser's stages, and joins them with the participant's."
            document.report(("tasks", position, "ingestion_program"), "is missing.", hint)


def _repeats_of(competition: Competition, task: TaskEntry) -> tuple[int, RepeatData]:
    extension = competition.pullbench
    of_task = extension.tasks.get(task.index, TaskExtension.model_construct())
    form = extension.repeat_data if of_task.repeat_data is None else of_task.repeat_data
    return of_task.repeats or extension.repeats, form


def _one_table(competition: Competition, task: TaskEntry, at: Key, document: Document) -> None:
    extension = competition.pullbench
    if _repeats_of(competition, task)[1] != "rows":
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


def _rows(path: str, repeats: int, at: Key, document: Document, files: Collection[str]) -> None:
    missing = missing_files(files, _clean(path), repeats)
    if missing:
        document.report(
            at, f"'{path}' has no file '{missing[0]}'.",
            f"With repeat_data: rows it is a folder with {TABLE}, {DATASET} and for repeat r "
            f"r/{ROWS}.",
        )  # fmt: skip


def _folds(path: str, repeats: int, at: Key, document: Document, files: Sequence[str]) -> None:
    path = _clean(path)
    for repeat in range(repeats):
        folder = f"{path}/{repeat}/"
        first = bisect_left(files, folder)
        if first == len(files) or not files[first].startswith(folder):
            document.report(
                at, f"'{path}' has no folder '{repeat}'.",
                "With repeat_data each repeat has a folder with its number.",
            )  # fmt: skip
            return
