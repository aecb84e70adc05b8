"""Strangers' text in Markdown that a forge renders: read, never acted upon.

Two forms. ``quoted`` makes a code span, in which no forge finds mentions, references, links or
HTML. ``prose`` is for sentences of this program that may repeat a stranger's words: plain words
stay as they are, and everything else becomes a code span.
"""

import re

from evaluator.core.errors import printable

# Even where a renderer does not know code spans here, as in raw HTML, nothing of these may act.
_LOOK_ALIKES = str.maketrans({"`": "\u02cb", "|": "\u00a6", "<": "\u2039", ">": "\u203a"})
# Whatever reads the comment as a template finds none; and a character reference that was cut off
# makes some parsers read on beyond the block that it stands in.
_TEMPLATES = re.compile(r"(?<=\{)(?=[{%#])|(?<=[}%#])(?=\})|(?<=&)(?=#)")
_CODE = re.compile(r"`([^`]*)`")
_TOKEN = re.compile(r"([(\"']*)(.+?)([.,;:!?)\"']*)")
_PUNCTUATION = re.compile(r"[(.,;:!?)\"']*")
_WORD = re.compile(r"[^\W_]+|[^\W\d_]+(?:[-'][^\W\d_]+)+|-?\d+(?:[.,]\d+)*")
# Forges make links of what could be the id of a commit.
_COMMIT = re.compile(r"[0-9a-fA-F]{7,}")
MAX_QUOTED = 200
MAX_PROSE = 600
MAX_NAME = 80
_LARGEST = 1e15
"""Larger numbers are not written out."""
_READ = 4
"""Times the characters that are shown: a megabyte of a stranger's is not looked through."""


def quoted(text: str, limit: int = MAX_QUOTED) -> str:
    """Text as one code span on one line; ``limit`` is in characters as they are shown."""
    clean = _clean(text[: _READ * limit])
    if len(clean) > limit:
        clean = clean[: limit - 1] + "…"
    if not clean:
        return "(empty)"
    # A backslash before the closing backtick reads as an escape to some parsers of tables.
    return f"`{clean} `" if clean.endswith("\\") else f"`{clean}`"


def prose(text: str, limit: int = MAX_PROSE) -> str:
    """A sentence, not for the start of a line; what is no plain word is a code span."""
    text = printable(" ".join(text[: _READ * limit].split()))
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    sentence = ""
    for index, part in enumerate(_CODE.split(text)):
        if index % 2 and not part.strip():
            continue
        shown = quoted(part, limit) if index % 2 else _sentence(part)
        # Two spans side by side would be one with backticks in it.
        sentence += f" {shown}" if sentence.endswith("`") and shown.startswith("`") else shown
    return sentence


def _sentence(text: str) -> str:
    """Blanks at both ends stay, since a code span may follow."""
    shown: list[str] = []
    strange: list[str] = []
    for token in text.split(" "):
        match = _TOKEN.fullmatch(token)
        if match is None or _PUNCTUATION.fullmatch(token) or _plain(match[2]):
            shown += [*_flush(strange), token]
        else:
            strange.append(token)
    return " ".join([*shown, *_flush(strange)])


def _flush(strange: list[str]) -> list[str]:
    if not strange:
        return []
    match = _TOKEN.fullmatch(" ".join(strange))
    strange.clear()
    return [f"{match[1]}{quoted(match[2], MAX_PROSE)}{match[3]}"] if match else []


def _plain(word: str) -> bool:
    return bool(_WORD.fullmatch(word)) and not _COMMIT.fullmatch(word)


def name(text: str) -> str:
    """An organiser's title: as it is where it is made of plain words, else as code."""
    words = text[:MAX_NAME].split()
    fits = len(text) <= MAX_NAME and words and all(map(_plain, words))
    return " ".join(words) if fits else quoted(text, MAX_NAME)


def block(text: str, lines: int, width: int = MAX_QUOTED) -> list[str]:
    """The last lines, indented: a fence could be closed. Needs a blank line before."""
    last_lines = text.rstrip().split("\n")[-lines:]
    shown = (printable(line[:width]).translate(_LOOK_ALIKES)[:width] for line in last_lines)
    return [f"    {_TEMPLATES.sub(' ', line)}" for line in shown if line.strip()]


def _clean(text: str) -> str:
    text = printable(" ".join(text.split())).translate(_LOOK_ALIKES)
    return _TEMPLATES.sub(" ", text)


def number(value: float, precision: int) -> str:
    """A value as boards show it; a huge one is not written out."""
    return f"{value:.{precision}f}" if abs(value) < _LARGEST else f"{value:.{precision}e}"
