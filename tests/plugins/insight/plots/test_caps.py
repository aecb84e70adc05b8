"""Large boards, values at the ends of what numbers can be, and names that would break a picture."""

import time
import xml.etree.ElementTree as ET

import pytest

from evaluator.plugins.insight.insight import FIGURES
from evaluator.plugins.insight.plots.figure import MAX_LINES, Figure
from evaluator.plugins.insight.plots.scales import AxisScale, make_scale, time_ticks
from evaluator.plugins.insight.plots.scatter import MAX_MARKS
from evaluator.plugins.insight.plots.svg import WIDE
from tests.plugins.insight.plots.made import board, entry, large

SVG = "{http://www.w3.org/2000/svg}"
LIMIT = 150_000
_FIGURES = [draw for name, draw in FIGURES.items() if name != "Curves"]
"""All but what reads files, which these boards do not have."""
HUGE = 1.7e308


def drawings(figure: Figure) -> list[str]:
    return [drawing.svg(figure.name) for drawing in figure.drawings]


def marks_of(svg: str) -> list[ET.Element]:
    groups = ET.fromstring(svg).iter(f"{SVG}g")  # noqa: S314
    return [mark for group in groups if "marks" in group.get("class", "") for mark in group]


@pytest.fixture(scope="module")
def figures() -> dict[str, tuple[Figure, float]]:
    made = large(10_000, 20)
    found = {}
    for draw in _FIGURES:
        start = time.process_time()
        figure = draw(made)
        assert isinstance(figure, Figure), figure
        assert figure.svg
        found[figure.name] = (figure, time.process_time() - start)
    assert len(found) == 7
    return found


def test_figures_of_ten_thousand_submissions_are_small_and_quick(
    figures: dict[str, tuple[Figure, float]],
) -> None:
    for name, (figure, seconds) in figures.items():
        assert all(len(svg.encode()) < LIMIT for svg in drawings(figure)), name
        assert seconds < 2, name  # half of it on an idle machine
        assert len(figure.shown) <= MAX_LINES
        for svg in drawings(figure):
            assert len(marks_of(svg)) == len(figure.marks) <= MAX_MARKS


def test_large_figures_say_so_and_keep_the_whole_front(
    figures: dict[str, tuple[Figure, float]],
) -> None:
    for name in ("score-over-time", "score-against-time", "score-against-memory"):
        figure, _ = figures[name]
        assert "Of 10,000 submissions" in " ".join(figure.caption)
        best = {mark.entry for mark in figure.marks if mark.kind == "best"}
        wanted = [line for line in figure.lines if line.values[-1] is True]
        assert len(best) == len(wanted) > 1
        assert set(range(100)) - best <= {mark.entry for mark in figure.marks}
    assert "shading" in " ".join(figures["scores-per-task"][0].caption)
    assert len(figures["scores-per-task"][0].lines) == 10_000
    assert "The first 40 of the board" in " ".join(figures["ranks-across-tasks"][0].caption)


def test_as_many_as_are_drawn_one_by_one_stay_small() -> None:
    made = large(MAX_MARKS, 1)
    for draw in _FIGURES:
        figure = draw(made)
        if isinstance(figure, Figure):
            assert all(len(svg.encode()) < LIMIT for svg in drawings(figure)), figure.name
            if figure.name.startswith("score-"):
                assert len(figure.marks) == MAX_MARKS


def test_numbers_at_their_ends_leave_a_picture() -> None:
    values = [-HUGE, HUGE, 0.0, 5e-324, 1e308, 1.0, 2.0, 3.0]
    made = board(
        *(
            entry(f"e{i}", value, day=i * 40_000, seconds=abs(value), memory=2**60,
                  tasks={"t0": value, "t1": -value, "t2": 1.0})
            for i, value in enumerate(values)
        ),
        tasks=3, currency="EUR",
    )  # fmt: skip
    for draw in _FIGURES:
        figure = draw(made)
        assert isinstance(figure, Figure), figure
        for svg in drawings(figure):
            ET.fromstring(svg)  # noqa: S314
            assert "nan" not in svg
            assert "inf" not in svg.replace("info", "")
            assert len(svg) < 30_000
        assert all(0 <= mark.x <= WIDE for mark in figure.marks)


def test_a_value_far_out_stands_at_the_edge_and_is_counted() -> None:
    entries = [entry(f"e{i}", 0.5 + i / 100, day=i) for i in range(10)]
    figure = _FIGURES[0](board(*entries, entry("odd", -1e300, day=11)))
    assert isinstance(figure, Figure)
    assert figure.caption[-1] == "1 value lies beyond the picture and is drawn at its edge."
    heights = {mark.y for mark in figure.marks}
    assert len(heights) == 11


def test_names_are_text_and_keep_their_direction_to_themselves() -> None:
    name = "</svg><script>x()</script>\u202eevil\x00 " + "w" * 90
    made = board(entry("a", 0.1, title=name), entry("b", 0.2, title="&quot;<b>"))
    figure = _FIGURES[0](made)
    assert isinstance(figure, Figure)
    root = ET.fromstring(drawings(figure)[0])  # noqa: S314
    assert not list(root.iter(f"{SVG}script"))
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    own = next(text for text in texts if "</svg>" in text)
    assert own.startswith("\u2068")
    assert own.endswith("\u2069")
    assert len(own) <= 30


def test_axes() -> None:
    scale, outside = make_scale([1.0, 1000.0], 0, 100, log_from=30)
    assert (scale.log, outside) == (True, 0)
    assert scale.at(1.0) < scale.at(31.6) < scale.at(1000.0)
    assert {1.0, 10.0, 100.0, 1000.0} <= set(scale.ticks())
    plain, _ = make_scale([1.0, 20.0], 0, 100, log_from=30)
    assert not plain.log
    assert AxisScale(low=3, high=3, start=0, end=10).at(3) == 5
    for days in (0.02, 0.5, 3, 40, 400, 4000, 40_000):
        ticks = time_ticks(1.7e9, 1.7e9 + days * 86400)
        assert 2 <= len(ticks) <= 12, days
        assert len({text for _, text in ticks}) == len(ticks), days
