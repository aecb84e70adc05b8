"""Strangers' text for places that neither wrap nor escape: pictures, feeds, citations."""

import unicodedata

from evaluator.core.formats.columns import Column

MAX_LINE = 120
"""Characters of a text in one line."""
_MAX_MARKS = 2
"""Combining marks in a row; more climb over the lines above."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def one_line(text: str, length: int = MAX_LINE) -> str:
    """Return text on one line, without what is invisible or turns its surroundings around."""
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
    """Return a value as the board rounds it; with an exponent where that would fill a line."""
    text = f"{value:.{column.precision}f}"
    return text if len(text) <= 16 else f"{value:.6g}"
