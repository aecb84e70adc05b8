"""``pullbench import table``: a plain table, such as a paper's, as reported results."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from evaluator.core.errors import InvalidInputError, UsageError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME, parse_submission
from evaluator.plugins.openml.exchange.importer import ReadResults, ResultsImporter
from evaluator.plugins.openml.exchange.reporting import Reports, Stated, unused_name
from evaluator.plugins.openml.exchange.table_headings import place_headings
from evaluator.plugins.openml.exchange.table_methods import Reading, Table

ROW = "row.csv"
"""The lines of a method as they stand in the table, beside submission.yaml."""
MAX_BYTES = 2**24


@dataclass(frozen=True, kw_only=True)
class ReadTable(ReadResults):
    """A table as it stands: what its headings mean depends on the benchmark."""

    table: Table
    columns: Mapping[str, str]
    """Heading -> what somebody says that it is."""

    def report(self, benchmark: Benchmark, phase: Phase, stated: Stated) -> Reports:
        """Make a submission of each method. Raises UsageError, InvalidInputError."""
        places = place_headings(self.table.headings, benchmark, phase, self.columns)
        lost = sorted(set(self.table.scales) - set(benchmark.boards[phase.slug].score_keys))
        if lost:
            raise UsageError(
                f"--scale: '{lost[0]}' is no column of {benchmark.name} in '{phase.name}'"
            )
        reading = Reading(self.table, places, benchmark, phase)
        methods = reading.methods()
        files: dict[str, bytes] = {}
        for method in methods:
            # The same methods may stand in a table of another phase.
            before = f"{phase.slug} " if len(benchmark.phases) > 1 else ""
            # A name in another script leaves no letter of a folder's name.
            folder_name = slug(method.name) or f"line-{method.lines[0]}"
            name = unused_name(f"{before}{folder_name}", files)
            location = (benchmark.name, stated.participant, name)
            entry = method.entry(benchmark, phase, stated)
            content = dump_yaml(entry)
            _, problems = parse_submission(location, content, [ROW], benchmark)
            reading.problems += [
                replace(one, file=self.file, line=method.lines[0]) for one in problems
            ]
            folder = "/".join(("submissions", *location))
            files |= {f"{folder}/{ROW}": self._row(method.lines), f"{folder}/{FILE_NAME}": content}
        if any(problem.severity == "error" for problem in reading.problems):
            raise InvalidInputError(reading.problems)
        unplaced = [heading for heading in self.table.headings if heading not in places]
        if unplaced:
            reading.report(
                None, f"has no place in {benchmark.name} for {', '.join(unplaced)[:300]}, which "
                f"stay in {ROW} alone",
                "A question of the fact sheet is one; --column 'HEADING=NAME' names another.",
                severity="warning",
            )  # fmt: skip
        return Reports(files=files, problems=tuple(reading.problems), rows=len(self.table.lines))

    def _row(self, numbers: Sequence[int]) -> bytes:
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.table.headings)
        writer.writerows(cells for number, cells in self.table.lines if number in numbers)
        return stream.getvalue().encode()


def read(*, source: Path, stated: str, columns: Sequence[str], scales: Sequence[str]) -> ReadTable:
    """Bring in a plain table (CSV) as reported results: one line for each method.

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
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise UsageError(f"{source.name}:{reader.line_num} is not CSV: {error}") from None
    headings = [cell.strip() for cell in rows[0][1]] if rows else []
    uneven = [number for number, row in rows if len(row) != len(headings)]
    if len(rows) < 2 or uneven or len(set(headings)) < len(headings):
        what = (f"line {uneven[0]} has not as many fields as the first" if uneven else
                "it has no lines" if len(rows) < 2 else "two columns have one heading")  # fmt: skip
        raise UsageError(
            f"{source.name} is no table: {what}",
            hint="The first line has the headings, each other one a method.",
        )
    table = Table(
        file=source.name, headings=headings, lines=rows[1:], decimal_comma=delimiter == ";",
        scales={k: _factor(v) for k, v in (_pair(s, "--scale", "KEY=FACTOR") for s in scales)},
    )  # fmt: skip
    return ReadTable(
        rows=(), source=stated or source.name, file=source.name, table=table,
        columns=dict(_pair(one, "--column", "HEADING=NAME") for one in columns),
    )  # fmt: skip


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(f"{option} '{text}' is not {form}")
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
        click.option("--column", "columns", multiple=True, metavar="HEADING=NAME",
                     help="What a heading is; may be repeated."),
        click.option("--scale", "scales", multiple=True, metavar="KEY=FACTOR",
                     help="Multiply a column's values, as 0.01 for percent; may be repeated."),
    ),
    read=read,
)  # fmt: skip
