"""How submissions look in figures: a shape beside the colour of each kind."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from evaluator.plugins.insight.plots.svg import Drawing, number
from evaluator.plugins.insight.plots.wording import text_width

Kind = Literal["other", "best", "baseline", "reported"]
OTHER = "var(--pb-plot-other, #4b6584)"
BEST = "var(--pb-plot-best, #b34700)"
BASELINE = "var(--pb-plot-baseline, #00664b)"
REPORTED = "var(--pb-plot-reported, #7a3e77)"
GRID = "var(--pb-plot-grid, #d0d7de)"
_COLOURS: dict[Kind, str] = {
    "other": OTHER, "best": BEST, "baseline": BASELINE, "reported": REPORTED,
}  # fmt: skip
_ORDER: tuple[Kind, ...] = ("other", "reported", "baseline", "best")
"""From the back to the front."""


def kind_of(group: Literal["submission", "baseline", "reported"], *, best: bool) -> Kind:
    return "best" if best else "other" if group == "submission" else group


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One submission in a figure."""

    entry: int
    """Its place among the board's entries."""
    kind: Kind
    x: float
    y: float
    says: str
    """Its values, in words."""


def shape(kind: Kind, x: float, y: float) -> str:
    """Return an element without looks, which its group has."""
    place = f"{number(x)} {number(y)}"
    if kind == "best":
        return f'<path d="M{place}m0-6l6 6-6 6-6-6z"/>'
    if kind == "baseline":
        return f'<path d="M{place}m-4.5-4.5h9v9h-9z"/>'
    if kind == "reported":
        return f'<path d="M{place}m0-5.5l5.5 9.5h-11z"/>'
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="4"/>'


def shape_in(drawing: Drawing, kind: Kind, x: float, y: float, colour: str) -> None:
    """Draw a shape that is no submission's point."""
    drawing.raw(f'<g fill="{colour}">{shape(kind, x, y)}</g>')


def draw_marks(drawing: Drawing, marks: Sequence[Mark]) -> list[Mark]:
    """Draw marks, the most important in front; returns them in the order of their elements."""
    drawn: list[Mark] = []
    for kind in _ORDER:
        of_kind = [mark for mark in marks if mark.kind == kind]
        if not of_kind:
            continue
        drawing.marks(kind, (shape(kind, m.x, m.y) for m in of_kind), **_looks(kind))
        drawn += of_kind
    return drawn


def _looks(kind: Kind) -> dict[str, str]:
    colour = _COLOURS[kind]
    if kind == "other":
        return {"fill": colour, "fill_opacity": "0.35", "stroke": colour}
    return {"fill": colour, "stroke": "var(--pb-plot-back, #fff)"}


def legend(
    drawing: Drawing, names: Sequence[tuple[Kind | Literal["line"], str]], x: float, y: float
) -> None:
    """Name the shapes that a figure has, in one line."""
    for kind, name in names:
        if kind == "line":
            drawing.path(f"M{number(x - 6)} {number(y)}h14", stroke=BEST, width=2)
        else:
            looks = "".join(f' {k.replace("_", "-")}="{v}"' for k, v in _looks(kind).items())
            drawing.raw(f"<g{looks}>{shape(kind, x, y)}</g>")
        drawing.text(x + 12, y + 4, name)
        x += 12 + text_width(name) + 20
