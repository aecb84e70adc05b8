"""A small writer of SVG, drawn once for wide and once for narrow places, so that no text shrinks.

Own code rather than matplotlib's: a reader's screen reader meets text and not glyphs, the page's
colours apply in light and dark, and the same board makes the same bytes on any machine.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import evaluator.site.pages

WIDE, NARROW = 720.0, 336.0
"""Units, which are pixels: what a page has beside its margins, and what a phone has."""
LINE = 16.0
MAX_LABEL = 28
"""Characters of a name in a figure; tables have it in full."""
_BEGIN, _END = "\u2068", "\u2069"
"""What is between them keeps its direction for itself (Unicode's isolates)."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WIDTHS = {
    **dict.fromkeys("ijl|'.,:; ", 0.34), **dict.fromkeys("ftrI()[]-/", 0.42),
    **dict.fromkeys("mwMW%@", 0.95), **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ_+=<>", 0.74),
}  # fmt: skip
"""Of characters, in their size, in the widest font that readers commonly have."""


def number(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def dot(x: float, y: float, radius: float = 4) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'


def label(text: str, limit: int = MAX_LABEL) -> str:
    """Shorten a name for a figure, so that it cannot turn what is beside it."""
    text = " ".join(text.split())
    return f"{_BEGIN}{text if len(text) <= limit else f'{text[: limit - 1]}…'}{_END}"


def text_width(text: str) -> float:
    return 12 * sum(
        0.0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else
        1.0 if unicodedata.east_asian_width(c) in "WF" else _WIDTHS.get(c, 0.64)
        for c in text
    )  # fmt: skip


@dataclass
class Drawing:
    """One figure at one width, from the top down. Classes say how its elements look."""

    title: str
    description: str
    """What the figure shows, for those who do not see it."""
    width: float = NARROW
    height: float = 0
    rows: str = ""
    """Top of the first row and height of each, where marks are in rows."""
    _parts: list[str] = field(default_factory=list)

    @property
    def is_wide(self) -> bool:
        return self.width == WIDE

    def text(
        self, x: float, y: float, content: str, *, anchor: str = "start", look: str = "",
        turn: float = 0,
    ) -> None:  # fmt: skip
        """Write a line of text; y is its base line, ``turn`` how many degrees it rises."""
        place = f' text-anchor="{anchor}"' if anchor != "start" else ""
        at = f'x="{number(x)}" y="{number(y)}"'
        if turn:
            at = f'transform="translate({number(x)} {number(y)}) rotate({number(-turn)})"'
        self._parts.append(f"<text {at}{place}{_class(look)}>{clean(content)}</text>")

    def path(self, data: str, look: str) -> None:
        """Draw a path; many shapes of one look are one path, which is short."""
        self._parts.append(f'<path d="{data}"{_class(look)}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, look: str) -> None:
        self.path(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}", look)

    def box(
        self, x: float, y: float, width: float, height: float, look: str, says: str = ""
    ) -> None:
        """Draw a rectangle; ``says`` is shown by it when one points there."""
        tip = f"><title>{clean(says)}</title></rect>" if says else "/>"
        self._parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(max(width, 0))}"'
            f' height="{number(height)}"{_class(look)}{tip}'
        )

    def group(self, look: str, elements: Iterable[str]) -> None:
        """Add elements that are made of numbers and fixed words alone, and look alike."""
        self._parts.append(f"<g{_class(look)}>{''.join(elements)}</g>")

    def svg(self, identifier: str, *, alone: bool = False) -> str:
        name = identifier if self.is_wide or alone else f"{identifier}-narrow"
        size = f"{number(self.width)} {number(self.height)}"
        width, height = size.split()
        rows = f' data-rows="{self.rows}"' if self.rows else ""
        look = "figure" if alone else f"figure {'wide' if self.is_wide else 'narrow'}"
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{look}" role="img"'
            f' aria-labelledby="{name}-title {name}-desc" viewBox="0 0 {size}"'
            f' width="{width}" height="{height}" font-size="12"{rows}>'
        )
        return "\n".join(
            [
                head,
                f"<title id={quoteattr(name + '-title')}>{clean(self.title)}</title>",
                f"<desc id={quoteattr(name + '-desc')}>{clean(self.description)}</desc>",
                *([f"<style>{_styles()}</style>"] if alone else []),
                *self._parts,
                "</svg>\n",
            ]
        )


def draw_both(title: str, description: str, draw: Callable[[Drawing], None]) -> tuple[Drawing, ...]:
    """Draw a figure for wide and for narrow places."""
    drawings = tuple(Drawing(title, description, width=width) for width in (WIDE, NARROW))
    for drawing in drawings:
        draw(drawing)
    return drawings


def _class(look: str) -> str:
    return f' class="{look}"' if look else ""


@cache
def _styles() -> str:
    """The page's rules for figures, with its colours, for one that is alone."""
    folder = Path(evaluator.site.pages.__file__).parent / "assets"
    tokens = (folder / "tokens.css").read_text("utf-8")
    parts = tokens.partition('[data-md-color-scheme="slate"]')
    light, _, dark = ("".join(re.findall(r"--pb-[a-z-]+: [#\d][^;]*;", part)) for part in parts)
    rules = (folder / "figures.css").read_text("utf-8")
    return (
        f"svg{{{light}font-family:system-ui,sans-serif;background:var(--pb-page)}}"
        f"@media (prefers-color-scheme:dark){{svg{{{dark}}}}}{rules}"
    )


def clean(text: str) -> str:
    return escape(_NOT_XML.sub("", text), {'"': "&quot;"})
