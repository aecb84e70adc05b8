"""``pullbench import table``: a plain table, such as a paper's, as reported results."""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import click

from evaluator.core.errors import Actor, InvalidInputError, Problem, UsageError, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import MAX_REASON
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME, parse_submission
from evaluator.importing.importer import ResultsImporter, TableReports
from evaluator.plugins.openml.exchange.markdown_tables import Row, markdown_rows
from evaluator.plugins.openml.exchange.reporting import ReadResults, plain_name, unused_name
from evaluator.plugins.openml.exchange.table_headings import HeadingPlace, place_headings

ROW = "row.csv"
"""The lines of a method as they are in the table."""
MAX_BYTES = 2**24
_NUMBER = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_VALUE = re.compile(
    rf"({_NUMBER})\s*(%?)\s*(?:(?:±|\+/?-|\$?\\pm\$?)\s*({_NUMBER})|\(({_NUMBER})\))?\s*(%?)"
)
_UNIT = re.compile(rf"{_NUMBER}\s*([A-Za-zµ]+)")
_NONE = frozenset({"", "-", "\u2013", "\u2014", "n/a", "na", "nan", "none", "null"})
_YES = frozenset({"yes", "true", "x", "\u2713", "\u2714", "1"})
_NO = frozenset({"no", "false", "\u2717", "\u2718", "0"})


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

    def entry(self, benchmark: Benchmark, phase: Phase, stated: str, page: str) -> dict[str, Any]:
        """What submission.yaml holds; ``stated`` is the source, and ``page`` its address."""
        source, url = self.texts.get("source", ""), self.texts.get("url", "")
        if source.startswith(("http://", "https://")):
            source, url = "", url or source
        entry = {
            "kind": "reported",
            "name": printable(self.name)[:100],
            "phase": phase.slug if len(benchmark.phases) > 1 else "",
            "description": self.texts.get("description", ""),
            "source": source or stated,
            "source_url": urljoin(page, url),  # a page's links may be relative to it
            "scores": {task: values for task, values in self.scores.items() if values},
            "deviations": self.deviations,
            "failures": self.failures,
            "fact_sheet": self.answers,
        }
        return {key: value for key, value in entry.items() if value}


class Reading:
    """A table while it is read for one benchmark."""

    def __init__(
        self,
        table: "ReadTable",
        places: Mapping[str, HeadingPlace],
        benchmark: Benchmark,
        phase: Phase,
    ) -> None:
        self.problems: list[Problem] = []
        self._table, self._places = table, places
        self._benchmark, self._phase = benchmark, phase
        self._tasks = {
            plain_name(n): task.slug for task in phase.tasks for n in (task.name, task.slug)
        }

    def report(self, line: int | None, message: str, hint: str, *, severity: str = "error") -> None:
        self.problems.append(
            Problem(file=self._table.file, line=line, message=message, hint=hint,
                    actor=Actor.ORGANISER, severity=severity)
        )  # fmt: skip

    def methods(self) -> list[Method]:
        of_tasks = any(place.what == "task" for place in self._places.values())
        methods: dict[str | int, Method] = {}
        for number, cells in self._table.lines:
            by_place = {
                self._places[heading]: cell.strip().strip("*").strip()
                for heading, cell in zip(self._table.headings, cells, strict=True)
                if heading in self._places
            }
            name = by_place[HeadingPlace("method")]
            if not name:
                self.report(number, "names no method", "Each line is of one.")
                continue
            new = Method(name=name, lines=[])
            method = methods.setdefault(plain_name(name) if of_tasks else number, new)
            method.lines.append(number)
            task = self._task(by_place.get(HeadingPlace("task")), number) if of_tasks else ""
            if task is not None:
                self._line(method, by_place, task, number)
        return list(methods.values())

    def _task(self, text: str | None, line: int) -> str | None:
        slug = self._tasks.get(plain_name(text or ""))
        if slug is None:
            self.report(
                line, f"'{printable(text or '')}' is no task of phase '{self._phase.name}'",
                f"Tasks are: {', '.join(task.slug for task in self._phase.tasks)}.",
            )  # fmt: skip
        return slug

    def _line(
        self, method: Method, cells: Mapping[HeadingPlace, str], of_line: str, line: int
    ) -> None:
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

    def _value(self, method: Method, place: HeadingPlace, task: str, text: str, line: int) -> None:
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
        scale = self._table.scales.get(key, 1.0)
        # Rounded, since 52.67 * 0.01 is 0.5267000000000001.
        return float(text) if scale == 1 else float(f"{float(text) * scale:.15g}")


@dataclass(frozen=True, kw_only=True)
class ReadTable(ReadResults):
    """A table as written: what its headings mean depends on the benchmark."""

    headings: Sequence[str]
    lines: Sequence[tuple[int, Sequence[str]]]
    """The number of each line, and its cells."""
    decimal_comma: bool
    scales: Mapping[str, float]
    """Column key -> by what its values are multiplied."""
    columns: Mapping[str, str]
    """Heading -> what somebody says that it is."""

    def report(
        self, benchmark: Benchmark, phase: Phase, participant: str, url: str
    ) -> TableReports:
        places = place_headings(self.headings, benchmark, phase, self.columns)
        lost = sorted(set(self.scales) - set(benchmark.boards[phase.slug].score_keys))
        if lost:
            raise UsageError(
                f"--scale: '{lost[0]}' is no column of {benchmark.name} in '{phase.name}'"
            )
        reading = Reading(self, places, benchmark, phase)
        methods = reading.methods()
        files: dict[str, bytes] = {}
        for method in methods:
            # A table of another phase may have the same methods.
            before = f"{phase.slug} " if len(benchmark.phases) > 1 else ""
            # A name in another script leaves no letter of a folder's name.
            folder_name = slug(method.name) or f"line-{method.lines[0]}"
            name = unused_name(f"{before}{folder_name}", files)
            location = (benchmark.name, participant, name)
            content = dump_yaml(method.entry(benchmark, phase, self.source, url))
            _, problems = parse_submission(location, content, [ROW], benchmark)
            reading.problems += [
                replace(one, file=self.file, line=method.lines[0]) for one in problems
            ]
            folder = "/".join(("submissions", *location))
            files |= {f"{folder}/{ROW}": self._row(method.lines), f"{folder}/{FILE_NAME}": content}
        if any(problem.severity == "error" for problem in reading.problems):
            raise InvalidInputError(reading.problems)
        unplaced = [heading for heading in self.headings if heading not in places]
        if unplaced:
            reading.report(
                None, f"has no place in {benchmark.name} for {', '.join(unplaced)[:300]}, which "
                f"stay in {ROW} alone",
                "A question of the fact sheet is one; --column 'HEADING=NAME' names another.",
                severity="warning",
            )  # fmt: skip
        return TableReports(files=files, problems=tuple(reading.problems), rows=len(self.lines))

    def _row(self, numbers: Sequence[int]) -> bytes:
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.headings)
        writer.writerows(cells for number, cells in self.lines if number in numbers)
        return stream.getvalue().encode()


def read(
    *, source: Path, stated: str, line: int | None, columns: Sequence[str], scales: Sequence[str]
) -> ReadTable:
    """Bring in a plain table (CSV, Markdown) as reported results: one line for each method.

    Headings are found by the keys and titles of the benchmark's columns, tasks and questions:
    'method', 'acc', 'TASK:acc', 'acc std', '#Params', 'task', 'source', 'url', 'description'.
    A cell may hold '0.71 ± 0.02'; a text in place of the score is why it failed. What has no
    place stays in row.csv beside each submission.
    """
    content = source.read_bytes()
    if len(content) > MAX_BYTES:
        raise UsageError(f"{source.name} is larger than {MAX_BYTES >> 20} MiB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{source.name} is not UTF-8: byte {error.start} cannot be read",
                         hint="Save it as UTF-8.") from None  # fmt: skip
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    if source.suffix.lower() in (".md", ".markdown"):
        rows = markdown_rows(text, source.name, line)
        delimiter = ","
    else:
        rows = _csv_rows(text, source.name, delimiter)
    headings = [cell.strip() for cell in rows[0][1]] if rows else []
    uneven = [number for number, row in rows if len(row) != len(headings)]
    twice = [heading for heading, count in Counter(headings).items() if count > 1]
    if len(rows) < 2 or uneven or twice:
        what = (f"line {uneven[0]} has not as many fields as the first" if uneven else
                "it has no lines" if len(rows) < 2 else f"it has '{twice[0]}' twice")  # fmt: skip
        message = f"{source.name} is no table: {what}"
        raise UsageError(message, hint="The first line has the headings, each other one a method.")
    return ReadTable(
        source=stated or source.name, file=source.name, headings=headings,
        lines=_without_units(rows[1:]),
        decimal_comma=delimiter == ";",
        scales={k: _factor(v) for k, v in (_pair(s, "--scale", "KEY=FACTOR") for s in scales)},
        columns=dict(_pair(one, "--column", "HEADING=NAME") for one in columns),
    )  # fmt: skip


def _csv_rows(text: str, name: str, delimiter: str) -> list[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise UsageError(f"{name}:{reader.line_num} is not CSV: {error}") from None


def _without_units(rows: Sequence[Row]) -> list[Row]:
    """Take the unit off the numbers of a column if all have the same, as in "45 minutes"."""
    units = []
    for column in zip(*(cells for _, cells in rows), strict=True):
        matches = [_UNIT.fullmatch(cell.strip()) for cell in column if cell.strip()]
        words = {match and match[1] for match in matches}
        units.append(words.pop() or "" if len(words) == 1 else "")
    return [
        (number, [c.strip().removesuffix(unit) for c, unit in zip(cells, units, strict=True)])
        for number, cells in rows
    ]


def _pair(text: str, option: str, example: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(f"{option} '{text}' is not {example}")
    return name.strip(), value.strip()


def _factor(text: str) -> float:
    try:
        factor = float(text)
    except ValueError:
        factor = math.nan
    if not math.isfinite(factor) or factor == 0:
        raise UsageError(f"--scale: '{text}' is no factor", hint="Such as 0.01.")
    return factor


IMPORTER = ResultsImporter(
    participant="reported",
    options=(
        click.argument("source", type=click.Path(path_type=Path, exists=True, dir_okay=False)),
        click.option("--source", "stated", default="", help="Where they are stated, in words."),
        click.option("--line", type=int, metavar="N",
                     help="Line of the table's headings, in a Markdown page with several."),
        click.option("--column", "columns", multiple=True, metavar="HEADING=NAME",
                     help="What a heading is; may be repeated."),
        click.option("--scale", "scales", multiple=True, metavar="KEY=FACTOR",
                     help="Multiply a column's values, as 0.01 for percent; may be repeated."),
    ),
    read=read,
)  # fmt: skip
