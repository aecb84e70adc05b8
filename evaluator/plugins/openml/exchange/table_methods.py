"""The lines of a plain table -> methods, each with its scores, answers and source."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluator.core.errors import Actor, Problem, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.reported import MAX_REASON
from evaluator.core.formats.phases import Phase
from evaluator.plugins.openml.exchange.reporting import Stated
from evaluator.plugins.openml.exchange.table_headings import Place, plain

_NUMBER = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_VALUE = re.compile(
    rf"({_NUMBER})\s*(%?)\s*(?:(?:±|\+/?-|\$?\\pm\$?)\s*({_NUMBER})|\(({_NUMBER})\))?\s*(%?)"
)
_NONE = frozenset({"", "-", "\u2013", "\u2014", "n/a", "na", "nan", "none", "null"})
_YES = frozenset({"yes", "true", "x", "\u2713", "\u2714", "1"})
_NO = frozenset({"no", "false", "\u2717", "\u2718", "0"})


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table as it stands."""

    file: str
    headings: Sequence[str]
    lines: Sequence[tuple[int, Sequence[str]]]
    """The number of each line, and its cells."""
    decimal_comma: bool
    scales: Mapping[str, float]
    """Column key -> by what its values are multiplied."""


@dataclass(kw_only=True)
class Method:
    """One method, from one line or, where the table has a line for each task, from several."""

    name: str
    lines: list[int]
    scores: dict[str, dict[str, float]] = field(default_factory=dict)
    deviations: dict[str, dict[str, float]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str | bool] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    """Source, address and description, where the table states them."""

    def entry(self, benchmark: Benchmark, phase: Phase, stated: Stated) -> dict[str, Any]:
        source, url = self.texts.get("source", ""), self.texts.get("url", "")
        if source.startswith(("http://", "https://")):
            source, url = "", url or source
        entry = {
            "kind": "reported",
            "name": printable(self.name)[:100],
            "phase": phase.slug if len(benchmark.phases) > 1 else "",
            "description": self.texts.get("description", ""),
            "source": source or stated.source,
            "source_url": url or stated.url,
            "scores": {task: values for task, values in self.scores.items() if values},
            "deviations": self.deviations,
            "failures": self.failures,
            "fact_sheet": self.answers,
        }
        return {key: value for key, value in entry.items() if value}


class Reading:
    """A table while it is read for one benchmark."""

    def __init__(
        self, table: Table, places: Mapping[str, Place], benchmark: Benchmark, phase: Phase
    ) -> None:
        self.problems: list[Problem] = []
        self._table, self._places = table, places
        self._benchmark, self._phase = benchmark, phase
        self._tasks = {plain(n): task.slug for task in phase.tasks for n in (task.name, task.slug)}

    def report(self, line: int | None, message: str, hint: str, *, severity: str = "error") -> None:
        """Note what is wrong with a line, or with the table."""
        self.problems.append(
            Problem(file=self._table.file, line=line, message=message, hint=hint,
                    actor=Actor.ORGANISER, severity=severity)
        )  # fmt: skip

    def methods(self) -> list[Method]:
        """Read all lines."""
        of_tasks = any(place.what == "task" for place in self._places.values())
        methods: dict[str | int, Method] = {}
        for number, cells in self._table.lines:
            by_place = {
                self._places[heading]: cell.strip().strip("*").strip()
                for heading, cell in zip(self._table.headings, cells, strict=True)
                if heading in self._places
            }
            name = by_place[Place("method")]
            if not name:
                self.report(number, "names no method", "Each line is of one.")
                continue
            made = Method(name=name, lines=[])
            method = methods.setdefault(plain(name) if of_tasks else number, made)
            method.lines.append(number)
            task = self._task(by_place.get(Place("task")), number) if of_tasks else ""
            if task is not None:
                self._line(method, by_place, task, number)
        return list(methods.values())

    def _task(self, text: str | None, line: int) -> str | None:
        slug = self._tasks.get(plain(text or ""))
        if slug is None:
            self.report(
                line, f"'{printable(text or '')}' is no task of phase '{self._phase.name}'",
                f"Tasks are: {', '.join(task.slug for task in self._phase.tasks)}.",
            )  # fmt: skip
        return slug

    def _line(self, method: Method, cells: Mapping[Place, str], of_line: str, line: int) -> None:
        for place, text in cells.items():
            if text.lower() in _NONE:
                continue
            if place.what in ("score", "deviation"):
                task = place.task or of_line or self._only_task(line)
                if task:
                    self._value(method, place, task, text, line)
            elif place.what == "answer":
                kind = self._benchmark.fact_sheet[place.key].type
                flag = text.lower() in _YES if text.lower() in _YES | _NO else text
                method.answers.setdefault(place.key, flag if kind == "checkbox" else text)
            elif place.what not in ("method", "task"):
                method.texts.setdefault(place.what, text)

    def _only_task(self, line: int) -> str:
        if len(self._phase.tasks) == 1:
            return self._phase.tasks[0].slug
        self.report(line, f"does not say of which task of '{self._phase.name}' it is",
                    "Add a column 'task', or write a column for each: 'TASK:COLUMN'.")  # fmt: skip
        return ""

    def _value(self, method: Method, place: Place, task: str, text: str, line: int) -> None:
        match = _VALUE.fullmatch(text)
        rules = self._benchmark.boards[self._phase.slug]
        if match is None:
            is_compared = place.key == (rules.ranked_by or rules.primary).key
            if place.what == "score" and is_compared and not text[:1].isdecimal():
                method.failures.setdefault(task, printable(text)[:MAX_REASON])
            else:
                self.report(line, f"'{printable(text)[:40]}' is no number for {place.key}",
                            "Leave the cell empty where there is none.")  # fmt: skip
            return
        if (match[2] or match[5]) and place.key not in self._table.scales:
            self.report(
                line, f"'{text}' is in percent",
                f"Say what the column holds: --scale {place.key}=0.01 for shares, "
                f"--scale {place.key}=1 for percent.",
            )  # fmt: skip
            return
        scores, spreads = method.scores.setdefault(task, {}), match[3] or match[4]
        if place.what == "score" and place.key in scores:
            self.report(line, f"states {place.key} of '{method.name}' on {task} a second time",
                        "Keep one of the two.")  # fmt: skip
            return
        into = scores if place.what == "score" else method.deviations.setdefault(task, {})
        into[place.key] = self._number(match[1], place.key)
        if spreads and place.what == "score":
            spread = abs(self._number(spreads, place.key))
            method.deviations.setdefault(task, {})[place.key] = spread

    def _number(self, text: str, key: str) -> float:
        if self._table.decimal_comma:
            text = text.replace(",", ".")
        # Rounded, since 52.67 * 0.01 is 0.5267000000000001.
        return float(f"{float(text) * self._table.scales.get(key, 1.0):.15g}")
