"""Cells of CSV files that a spreadsheet does not take for formulas.

A spreadsheet evaluates a cell that begins with ``=``, and some with ``+``, ``-`` or ``@``, whatever
quotes stand around it (OWASP, CSV injection). Strangers choose names, titles and answers.
"""

from typing import Any

ACTING = frozenset("=+-@\t\n'\uff1d\uff0b\uff0d\uff20")
"""First characters of cells that act: full-width forms too, which some spreadsheets fold; and the
mark itself, so that it can be removed again."""
_LINE_ENDS = str.maketrans({"\r": "\n", "\0": None})
"""A carriage return ends a line for readers, and Python's writer puts no quotes around it."""


def inert(value: Any) -> Any:
    """Return a text with an apostrophe before it where it could act; other values as they are.

    Who takes one apostrophe off each text that begins with one has what was written, line ends
    apart, which are line feeds here.
    """
    if not isinstance(value, str):
        return value
    if "\r" in value or "\0" in value:
        value = value.replace("\r\n", "\n").translate(_LINE_ENDS)
    return f"'{value}" if value[:1] in ACTING else value
