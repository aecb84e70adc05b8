"""Rows of others' results -> submissions of kind ``reported``.

Results stand in submission.yaml by fold: the values, or the reason why the fold failed. The rows
themselves stand beside it in results.csv, so that nothing is lost. No other framework's result
stands for a failed one here: that is for the analysis of a board to do, by a rule that it names.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluator.core.errors import Actor, Problem, UsageError, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.reported import MAX_REASON
from evaluator.core.formats.names import NAME
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, write_rows

ROWS = "results.csv"
_NUMBERED = re.compile(r"OpenML task ([0-9]+)\b")
_AUTOMATIC = re.compile(r"^(https?://)?(www\.)?openml\.org/t/")


@dataclass(frozen=True, kw_only=True)
class Stated:
    """Where results come from."""

    participant: str
    source: str
    url: str = ""
    constraint: str | None = None
    """Take the rows of this constraint alone."""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.participant):
            raise UsageError(f"'{self.participant}' cannot be part of an address")


@dataclass(frozen=True, kw_only=True)
class Reports:
    """Files of the submissions, and warnings."""

    files: Mapping[str, bytes]
    """Path from the repository's root -> content."""
    problems: tuple[Problem, ...]
    """Warnings: what was left out or replaced."""
    rows: int
    """The number of rows that were read."""

    @property
    def submissions(self) -> int:
        return sum(path.endswith(FILE_NAME) for path in self.files)


def phase_for(benchmark: Benchmark, name: str | None) -> Phase:
    """Return a phase that takes reported results, by default the first. Raises UsageError."""
    if not benchmark.reported:
        raise UsageError(
            f"{benchmark.name} takes no results from elsewhere",
            hint="An organiser may set 'reported: true' under 'pullbench' in competition.yaml.",
        )
    phase = benchmark.phase(name) if name else benchmark.phases[0]
    if phase is None:
        raise UsageError(f"there is no phase '{name}'")
    return phase


def report(
    rows: Sequence[AmlbRow], benchmark: Benchmark, phase: Phase, stated: Stated, file: str
) -> Reports:
    """Make a submission of each framework. Raises UsageError where there is nothing to take."""
    notes: list[str] = []
    count = len(rows)
    rows = _of_constraint(rows, stated.constraint)
    tasks = _tasks(rows, phase, notes)
    chosen: dict[tuple[str, str, int], AmlbRow] = {}
    for row in rows:
        if row.task not in tasks:
            continue
        key = (row.framework, tasks[row.task].slug, row.fold)
        if key in chosen:
            notes.append(f"{row.framework} on {row.task}, fold {row.fold}, stands there twice: "
                         "the later row counts")  # fmt: skip
        chosen[key] = row
    if not chosen:
        raise UsageError(
            f"no task of {file} is a task of {benchmark.name}",
            hint=f"Tasks are: {', '.join(task.name for task in phase.tasks)}.",
        )
    folds = {slug: 1 + max(f for _, s, f in chosen if s == slug) for _, slug, _ in chosen}
    files: dict[str, bytes] = {}
    for framework in dict.fromkeys(framework for framework, _, _ in chosen):
        folder = (
            f"submissions/{benchmark.name}/{stated.participant}/{unused_name(framework, files)}"
        )
        framework_rows = [row for (name, _, _), row in chosen.items() if name == framework]
        files[f"{folder}/{ROWS}"] = write_rows(framework_rows).encode()
        files[f"{folder}/{FILE_NAME}"] = dump_yaml(
            _submission(framework, chosen, folds, benchmark, phase, stated)
        )
    warnings = [Problem(file=file, message=note, actor=Actor.ORGANISER, severity="warning")
                for note in notes]  # fmt: skip
    return Reports(files=files, problems=tuple(warnings), rows=count)


def _of_constraint(rows: Sequence[AmlbRow], wanted: str | None) -> list[AmlbRow]:
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


def _tasks(rows: Sequence[AmlbRow], phase: Phase, notes: list[str]) -> dict[str, Task]:
    """Find tasks by name, whatever its case, as AMLB does; else by the number at OpenML."""
    by_plain_name = {
        plain_name(name): task for task in phase.tasks for name in (task.name, task.slug)
    }
    by_name: dict[str, Task] = {}
    # `import openml` names tasks by their data sets, and says the number beside them.
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
    lost = sorted({row.task for row in rows} - set(by_name))
    if lost:
        notes.append(f"left out, since they are no tasks of phase '{phase.name}': "
                     f"{', '.join(lost)[:300]}")  # fmt: skip
    return by_name


def plain_name(name: str) -> str:
    """Return a task's name without its spelling."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def unused_name(framework: str, files: Mapping[str, bytes]) -> str:
    """Return the name of a submission's folder that no other of these files has."""
    name = slug(framework)[:50] or "framework"
    names = {path.split("/")[3] for path in files}
    number = 2
    while name in names:
        name, number = f"{slug(framework)[:46]}-{number}", number + 1
    return name


def _submission(
    framework: str,
    results: Mapping[tuple[str, str, int], AmlbRow],
    folds: Mapping[str, int],
    benchmark: Benchmark,
    phase: Phase,
    stated: Stated,
) -> dict[str, object]:
    keys = benchmark.boards[phase.slug].score_keys
    by_fold = {
        task: [stated_values(results.get((framework, task, fold)), keys) for fold in range(count)]
        for task, count in folds.items()
    }
    version = next((r.texts["version"] for (f, _, _), r in results.items()
                    if f == framework and "version" in r.texts), "")  # fmt: skip
    entry: dict[str, object] = {
        "kind": "reported",
        "name": printable(framework)[:100],
        "description": printable(
            f"Means over folds; the rows are in {ROWS}. Version {version or 'unknown'}."
        ),
        "source": stated.source,
        "folds": by_fold,
    }
    if stated.url:
        entry["source_url"] = stated.url
    if len(benchmark.phases) > 1:
        entry["phase"] = phase.slug
    return {key: value for key, value in entry.items() if value}


def stated_values(row: AmlbRow | None, keys: Sequence[str]) -> dict[str, float] | str:
    """Return the values of one fold by column, or why it has none."""
    if row is None or row.result is None:
        return printable(row.info if row else "")[:MAX_REASON] or "no result"
    values = {key: value for key in keys if (value := row.value(key)) is not None}
    return values or "no value of any column of this benchmark"
