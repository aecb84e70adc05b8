"""Rows of others' results -> submissions of kind ``reported``.

submission.yaml has the results by fold: the values, or the reason why the fold failed. results.csv
has the rows themselves, so that nothing is lost. A failed result is not replaced by another
framework's: the analysis of a board does that, by a rule that it names.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.core.errors import Actor, Problem, UsageError, counted, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import MAX_REASON
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME
from evaluator.importing.importer import TableReports
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, write_rows

RESULTS = "results.csv"
_NUMBERED = re.compile(r"OpenML task ([0-9]+)\b")
_AUTOMATIC = re.compile(r"^(https?://)?(www\.)?openml\.org/t/")


def _rows_of_constraint(rows: Sequence[AmlbRow], wanted: str | None) -> list[AmlbRow]:
    names = sorted({row.texts.get("constraint", "") for row in rows})
    if wanted is None:
        if len(names) > 1:
            raise UsageError(
                f"the rows have {len(names)} constraints: {', '.join(names)[:200]}",
                hint="Choose one with --constraint; a benchmark has one budget.",
            )
        return list(rows)
    matching = [row for row in rows if row.texts.get("constraint", "").lower() == wanted.lower()]
    if not matching:
        raise UsageError(f"no row has the constraint '{wanted}'", hint=f"There: {names}")
    return matching


def tasks_of(rows: Iterable[AmlbRow], phase: Phase) -> dict[str, Task]:
    """Find tasks by name, whatever its case, as AMLB does; else by the number at OpenML."""
    by_plain_name = {
        plain_name(name): task for task in phase.tasks for name in (task.name, task.slug)
    }
    by_name: dict[str, Task] = {}
    # `import openml` names tasks by their data sets; the description has the number.
    numbered = {
        match[1]: task for task in phase.tasks
        if (match := _NUMBERED.match(task.description)) is not None
    }  # fmt: skip
    for row in rows:
        number = _AUTOMATIC.sub("", row.texts.get("id", ""))
        if number in numbered:
            by_name.setdefault(row.task, numbered[number])
        for name in (row.task, f"t-{number}", f"task-{number}"):
            if plain_name(name) in by_plain_name:
                by_name.setdefault(row.task, by_plain_name[plain_name(name)])
    return by_name


def _without_result(rows: Iterable[AmlbRow], tasks: Mapping[str, Task]) -> Iterator[str]:
    """Say how many rows have a result of another metric than their task's."""
    counts: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if row.task in tasks and row.result is not None:
            metrics = tasks[row.task].extension.metrics
            if row.value("result", metrics) is None:
                counts[row.metric or "no metric", metrics[0] if metrics else ""] += 1
    for (metric, wanted), count in counts.items():
        yield f"{counted(count, 'rows')} of {metric} have no Result: " + (
            f"on their tasks it is {wanted}" if wanted else "competition.yaml names no metric of "
            "their tasks. Write such as `tasks: {0: {metrics: [neg_logloss, acc]}}` in pullbench"
        )  # fmt: skip


def plain_name(name: str) -> str:
    """A name as it is compared: ``#Params`` is ``params``, ``Test-dev`` is ``test dev``."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def unused_name(framework: str, files: Mapping[str, bytes]) -> str:
    name = slug(framework)[:50] or "framework"
    names = {path.split("/")[3] for path in files}
    number = 2
    while name in names:
        name, number = f"{slug(framework)[:46]}-{number}", number + 1
    return name


def stated_values(row: AmlbRow | None, keys: Sequence[str], task: Task) -> dict[str, float] | str:
    """What a row has of the columns, by the metrics of its task, or why it failed."""
    if row is None or row.result is None:
        return printable(row.info if row else "")[:MAX_REASON] or "no result"
    metrics = task.extension.metrics
    return {key: value for key in keys if (value := row.value(key, metrics)) is not None}


@dataclass(frozen=True, kw_only=True)
class ReadResults:
    """What an importer has read."""

    rows: Sequence[AmlbRow] = ()
    source: str
    """Where they are stated, in words."""
    file: str
    url: str = ""
    """Address of the source, where nobody gives another one."""
    constraint: str | None = None
    """Only the rows of this constraint are wanted."""

    def report(
        self, benchmark: Benchmark, phase: Phase, participant: str, url: str
    ) -> TableReports:
        notes: list[str] = []
        rows = _rows_of_constraint(self.rows, self.constraint)
        tasks = tasks_of(rows, phase)
        keys = benchmark.boards[phase.slug].score_keys
        if lost := sorted({row.task for row in rows} - set(tasks)):
            notes.append(f"left out, since they are no tasks of phase '{phase.name}': "
                         f"{', '.join(lost)[:300]}")  # fmt: skip
        if "result" in keys:
            notes += _without_result(rows, tasks)
        frameworks: dict[str, dict[tuple[str, int], AmlbRow]] = {}
        folds: dict[str, int] = {}
        for row in rows:
            if row.task not in tasks:
                continue
            key = (tasks[row.task].slug, row.fold)
            rows_of_one = frameworks.setdefault(row.framework, {})
            if key in rows_of_one:
                notes.append(
                    f"{row.framework} on {row.task}, fold {row.fold}, is there twice: "
                    "the later row counts"
                )
            rows_of_one[key] = row
            folds[key[0]] = max(folds.get(key[0], 0), row.fold + 1)
        if not frameworks:
            raise UsageError(
                f"no task of {self.file} is a task of {benchmark.name}",
                hint=f"Tasks are: {', '.join(task.name for task in phase.tasks)}.",
            )
        by_slug = {task.slug: task for task in phase.tasks}
        files: dict[str, bytes] = {}
        for framework, rows_of_one in frameworks.items():
            by_fold = {
                slug: [part or "no value of any column of this benchmark" for part in stated]
                for slug, count in folds.items()
                if any(
                    stated := [
                        stated_values(rows_of_one.get((slug, fold)), keys, by_slug[slug])
                        for fold in range(count)
                    ]
                )
            }
            if not by_fold:
                notes.append(f"left out, with no value of any column: {framework}")
                continue
            texts = (row.texts for row in rows_of_one.values())
            version = next((one["version"] for one in texts if "version" in one), "unknown")
            entry = {
                "kind": "reported",
                "name": printable(framework)[:100],
                "description": printable(
                    f"Means over folds; the rows are in {RESULTS}. Version {version}."
                ),
                "source": self.source,
                "folds": by_fold,
                "source_url": url or self.url,
                "phase": phase.slug if len(benchmark.phases) > 1 else "",
            }
            name = unused_name(framework, files)
            folder = f"submissions/{benchmark.name}/{participant}/{name}"
            files[f"{folder}/{RESULTS}"] = write_rows(rows_of_one.values()).encode()
            files[f"{folder}/{FILE_NAME}"] = dump_yaml({k: v for k, v in entry.items() if v})
        warnings = [
            Problem(file=self.file, message=note, actor=Actor.ORGANISER, severity="warning")
            for note in notes
        ]
        return TableReports(files=files, problems=tuple(warnings), rows=len(self.rows))
