"""A small writer of SVG.

Own code rather than matplotlib's: a reader's screen reader meets text and not glyphs, the page's
colours apply in light and dark, and the same study makes the same bytes on any machine. Figures are
drawn for a width that a phone has, one method to a row, so that no text shrinks.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

WIDTH = 360.0
"""Units; text of 12 units is read at 320 pixels, too."""
LINE = 16.0
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# For a figure that stands alone; on a page its styles apply.
_STYLE = (
    "svg{color:#1f2328;background:#fff}"
    "@media (prefers-color-scheme:dark){svg{color:#e6edf3;background:#0d1117}}"
)
ACCENT = "var(--pb-accent, #00897b)"
MUTED = "var(--pb-muted, #808790)"
FAILED = "var(--pb-failed, #c9433b)"


def number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def shortened(text: str, limit: int) -> str:
    """Return text that fits; figures name what they shorten in full in their description."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


@dataclass
class Drawing:
    """One figure, from the top down."""

    title: str
    description: str
    """What the figure shows, for those who do not see it."""
    height: float = 0
    width: float = WIDTH
    natural: bool = False
    """Whether it is shown as large as it is drawn and scrolled, instead of fitted to its place."""
    _parts: list[str] = field(default_factory=list)

    def text(
        self, x: float, y: float, content: str, *, anchor: str = "start", size: float = 12,
        fill: str = "currentColor", weight: str = "", halo: str = "",
    ) -> None:  # fmt: skip
        """Write a line of text; y is its base line, ``halo`` a colour that keeps it legible."""
        edge = f' stroke="{halo}" stroke-width="3" paint-order="stroke"' if halo else ""
        bold = f' font-weight="{weight}"' if weight else ""
        place = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self._parts.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"'
            f"{place}{bold}{edge}>{clean(content)}</text>"
        )

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, width: float = 1,
        stroke: str = "currentColor", dashed: bool = False,
    ) -> None:  # fmt: skip
        dash = ' stroke-dasharray="2 3"' if dashed else ""
        self._parts.append(
            f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
            f' stroke="{stroke}" stroke-width="{number(width)}"{dash}/>'
        )

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: str = "none",
        stroke: str = "none", opacity: float = 1, says: str = "",
    ) -> None:  # fmt: skip
        """Draw a rectangle; ``says`` is shown by it when one points there."""
        edge = f' stroke="{stroke}"' if stroke != "none" else ""
        pale = f' fill-opacity="{number(opacity)}"' if opacity != 1 else ""
        tip = f"><title>{clean(says)}</title></rect>" if says else "/>"
        self._parts.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(max(width, 0))}"'
            f' height="{number(height)}" fill="{fill}"{edge}{pale}{tip}'
        )

    def dot(
        self, x: float, y: float, *, radius: float = 4, fill: str = "currentColor",
        stroke: str = "currentColor", says: str = "",
    ) -> None:  # fmt: skip
        tip = f"><title>{clean(says)}</title></circle>" if says else "/>"
        self._parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"'
            f' stroke="{stroke}"{tip}'
        )

    def path(
        self, data: str, *, fill: str = "none", stroke: str = "none", width: float = 1,
        opacity: float = 1, dashed: bool = False,
    ) -> None:  # fmt: skip
        """Draw a path; many shapes of one look are one path, which is short."""
        edge = f' stroke="{stroke}" stroke-width="{number(width)}"' if stroke != "none" else ""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        pale = f' fill-opacity="{number(opacity)}"' if opacity != 1 else ""
        self._parts.append(f'<path d="{data}" fill="{fill}"{edge}{dash}{pale}/>')

    def slanted(
        self, x: float, y: float, content: str, degrees: float, *, size: float = 12
    ) -> None:
        """Write a line of text that rises to the right, for heads of narrow columns."""
        place = f"{number(x)} {number(y)}"
        self._parts.append(
            f'<text transform="translate({place}) rotate({number(-degrees)})"'
            f' font-size="{number(size)}"'
            f' fill="currentColor">{clean(content)}</text>'
        )

    def raw(self, element: str) -> None:
        """Add an element that is made of numbers and fixed words alone."""
        self._parts.append(element)

    def marks(self, kind: str, marks: Iterable[str], **attributes: str) -> None:
        """Add marks that pages make interactive, each an element of its own, as one group."""
        looks = "".join(f' {key.replace("_", "-")}="{attributes[key]}"' for key in attributes)
        self._parts.append(f'<g class="marks {kind}"{looks}>{"".join(marks)}</g>')

    def svg(self, identifier: str, *, alone: bool) -> str:
        label = f'aria-labelledby="{identifier}-title {identifier}-desc"'
        size = f' width="{number(self.width)}" height="{number(self.height)}"'
        size = size if self.natural else ""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="figure" role="img" {label}'
            f' viewBox="0 0 {number(self.width)} {number(self.height)}"{size}'
            ' font-family="system-ui, sans-serif">'
        )
        return "\n".join(
            [
                head,
                f"<title id={quoteattr(identifier + '-title')}>{clean(self.title)}</title>",
                f"<desc id={quoteattr(identifier + '-desc')}>{clean(self.description)}</desc>",
                *([f"<style>{_STYLE}</style>"] if alone else []),
                *self._parts,
                "</svg>\n",
            ]
        )


def clean(text: str) -> str:
    return escape(_NOT_XML.sub("", text), {'"': "&quot;"})
