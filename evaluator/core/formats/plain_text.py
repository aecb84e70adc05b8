"""Strangers' text for places that neither wrap nor escape: pictures, feeds, citations, CSV."""

import unicodedata
from typing import Any

from evaluator.core.formats.columns import Column

MAX_LINE = 120
"""Characters of a text in one line."""
_MAX_MARKS = 2
"""Combining marks in a row; more climb over the lines above."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def one_line(text: str, length: int = MAX_LINE) -> str:
    """Text on one line, without what is invisible or turns its surroundings around."""
    if not (text.isascii() and text.isprintable() and "  " not in text):
        text = " ".join("".join(_visible(text[: 4 * length])).split())
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def _visible(text: str) -> "list[str]":
    characters: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        if character.isspace():
            characters.append(" ")
            continue
        kind = unicodedata.category(character)
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        if kind not in _UNSEEN and marks <= _MAX_MARKS:
            characters.append(character)
    return characters


def value_line(value: float, column: Column) -> str:
    """A value as the board rounds it; with an exponent where that would fill a line."""
    text = f"{value:.{column.precision}f}"
    return text if len(text) <= 16 else f"{value:.6g}"


ACTING = frozenset("=+-@\t\n'\uff1d\uff0b\uff0d\uff20")
"""First characters of cells that act: full-width forms too, which some spreadsheets fold; and the
mark itself, so that it can be removed again."""
_LINE_ENDS = str.maketrans({"\r": "\n", "\0": None})
"""A carriage return ends a line for readers, and Python's writer puts no quotes around it."""


def inert(value: Any) -> Any:
    """A text with an apostrophe before it where it could act; other values as they are.

    A spreadsheet evaluates a cell that begins with ``=``, and some with ``+``, ``-`` or ``@``,
    whatever quotes are around it (OWASP, CSV injection). Strangers choose names and answers.

    Who takes one apostrophe off each text that begins with one has what was written, line ends
    apart, which are line feeds here.
    """
    if not isinstance(value, str):
        return value
    if "\r" in value or "\0" in value:
        value = value.replace("\r\n", "\n").translate(_LINE_ENDS)
    return f"'{value}" if value[:1] in ACTING else value
