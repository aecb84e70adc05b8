"""Tables of a Markdown page, such as the README in which a race keeps its records."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaluator.core.errors import UsageError

Row = tuple[int, list[str]]
"""Number of the line, and its cells."""
URL = "url"
"""Heading of the column of links, if there is one such column."""
_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_BAR = re.compile(r"(?<!\\)\|")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\(\s*<?([^\s)>]+)[^)]*\)")
_MARKS = re.compile(r"</?\w+[^>]*>|[*`]+|(?<!\w)_+|_+(?!\w)")


class _Cell(NamedTuple):
    text: str
    """As readers see it."""
    link: str
    """Address of its first link, or an empty text."""


def markdown_rows(text: str, page: str, line: int | None) -> list[Row]:
    """Return the rows of a page's only table, or of the one whose heading is on a line.

    The first row are the headings. For each column with links, another has their addresses: "Log
    link" for "Log", or ``url`` if there is only one. Raises UsageError.
    """
    tables = {table[0][0]: table for table in _tables(text.splitlines())}
    if line is None and len(tables) > 1:
        lines = ", ".join(map(str, tables))
        raise UsageError(
            f"{page} has {len(tables)} tables, with headings in lines {lines}",
            hint="Say which one with --line.",
        )
    table = next(iter(tables.values()), None) if line is None else tables.get(line)
    if table is None:
        where = "" if line is None else f" whose headings are in line {line}"
        raise UsageError(
            f"{page} has no table{where}",
            hint="It has a line such as |---|---| below its headings.",
        )
    headings = [cell.text for cell in table[0][1]]
    rows = [(number, [cell.text for cell in cells]) for number, cells in table]
    if any(len(cells) != len(headings) for _, cells in table):
        return rows  # the caller says which
    linked = [at for at in range(len(headings)) if any(cells[at].link for _, cells in table[1:])]
    for at in linked:
        for (_, cells), (_, read) in zip(rows[1:], table[1:], strict=True):
            cells.append(read[at].link)
        rows[0][1].append(URL if len(linked) == 1 else f"{headings[at]} link")
    return rows


def _tables(lines: Sequence[str]) -> Iterator[list[tuple[int, list[_Cell]]]]:
    for at in range(1, len(lines)):
        if "|" in lines[at - 1] and _RULE.fullmatch(lines[at]):
            end = next((n for n in range(at + 1, len(lines)) if "|" not in lines[n]), len(lines))
            numbers = [at - 1, *range(at + 1, end)]
            yield [(number + 1, _cells(lines[number])) for number in numbers]


def _cells(line: str) -> list[_Cell]:
    inner = line.strip().removeprefix("|")
    inner = inner.removesuffix("|") if not inner.endswith(r"\|") else inner
    return [_cell(part) for part in _BAR.split(inner)]


def _cell(text: str) -> _Cell:
    text = _IMAGE.sub("", text)
    link = _LINK.search(text)
    plain = _MARKS.sub("", _LINK.sub(r"\1", text)).replace(r"\|", "|")
    return _Cell(" ".join(plain.split()), link[2] if link else "")
