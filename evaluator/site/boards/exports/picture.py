"""The picture that other sites show beside a link to a benchmark: PNG, 1200 x 630 pixels.

Drawn with the typeface that Pillow brings, so that the same board makes the same bytes on every
machine with that version of Pillow. The typeface has Latin letters alone: others are left out, and
where little is left of a text, what stands in for it is drawn.
"""

import functools
import io
import unicodedata
from typing import TYPE_CHECKING

from evaluator.core.formats.plain_text import one_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.tables import scored
from evaluator.site.boards.wording import entered
from evaluator.site.content.insight import insight

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont


NAME = "card.png"
WIDTH, HEIGHT = 1200, 630
_MARGIN = 72
_BACK, _BAND, _INK, _QUIET = "#ffffff", "#00695c", "#1a1a1a", "#4a4a4a"


def board_picture(board: PublicBoard, site: str) -> bytes:
    from PIL import Image, ImageDraw  # takes longer than most commands

    benchmark = board.benchmark
    picture = Image.new("RGB", (WIDTH, HEIGHT), _BACK)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, WIDTH, 20), fill=_BAND)
    title = _drawable(benchmark.title, benchmark.name)
    lines = [(title, 68, _INK, 2)]
    lines.append((insight().conclusions(board, _name), 36, _BAND, 4))
    if not benchmark.leaderboard.hidden:
        best = scored(board.leaders[0], board) if board.leaders else ""
        counted = " - ".join(filter(None, (_drawable(best, ""), entered(board))))
        lines.append((counted, 34, _QUIET, 1))
    top = 92
    for text, size, colour, most in lines:
        font = _font(size)
        for line in _wrapped(text, font, most):
            draw.text((_MARGIN, top), line, font=font, fill=colour)
            top += round(size * 1.25)
        top += 26
    font = _font(30)
    name = _cut(_drawable(site, "pullbench"), font)
    draw.text((_MARGIN, HEIGHT - 84), name, font=font, fill=_QUIET)
    file = io.BytesIO()
    picture.quantize(64, Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


@functools.cache
def _font(size: int) -> "FreeTypeFont":
    from PIL import ImageFont

    return ImageFont.load_default(size)  # type: ignore[return-value]


def _name(row: Row) -> str:
    submission = row.submission
    return (
        f"{_drawable(one_line(submission.title, 48), submission.name)} ({submission.participant})"
    )


def _drawable(text: str, instead: str) -> str:
    """What can be drawn of a text; ``instead`` where that is less than half of it."""
    text = one_line(text, 200)
    plain = "".join(
        character
        for letter in text
        for character in unicodedata.normalize("NFKD", letter)
        if " " <= character <= "~" or character == "…"
    ).replace("…", "...")
    return " ".join(plain.split()) if 2 * len(plain) > len(text) else instead


def _wrapped(text: str, font: "FreeTypeFont", most: int) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font.getlength(longer) > WIDTH - 2 * _MARGIN:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [_cut(line, font) for line in lines]


def _cut(line: str, font: "FreeTypeFont") -> str:
    if font.getlength(line) <= WIDTH - 2 * _MARGIN:
        return line
    while line and font.getlength(f"{line}...") > WIDTH - 2 * _MARGIN:
        line = line[:-1]
    return f"{line.rstrip()}..."
