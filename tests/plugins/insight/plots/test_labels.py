"""Names of marks: each has a place, and none stands over another."""

import re
from itertools import combinations

from evaluator.plugins.insight.plots.labels import MAX_LABELS, draw_labels
from evaluator.plugins.insight.plots.svg import Drawing, text_width

BOUNDS = (66.0, 46.0, 624.0, 332.0)
TEXT = re.compile(r'<text x="([\d.]+)" y="([\d.]+)"([^>]*)>(.*?)</text>')


def boxes(drawing: Drawing) -> list[tuple[float, float, float, float]]:
    found = []
    for x, y, looks, name in TEXT.findall(drawing.svg("test", alone=False)):
        width = text_width(name)
        left = float(x) - (width if '"end"' in looks else width / 2 if '"middle"' in looks else 0)
        found.append((left, float(y) - 10, left + width, float(y) + 3))
    return found


def test_crowded_points_are_named_apart() -> None:
    """Below a front that runs along the upper edge, as on boards whose best are close together."""
    points = [(507.0, 63.0), (508.5, 62.8), (552.0, 70.6), (594.0, 65.3), (508.0, 64.0)]
    drawing = Drawing("t", "d")
    wanted = [(x, y, f"Nearest neighbours {place}") for place, (x, y) in enumerate(sorted(points))]
    assert draw_labels(drawing, wanted, points, BOUNDS, [[(451.0, 61.0), (624.0, 61.0)]]) == []
    found = boxes(drawing)
    assert len(found) == len(points)
    for one, other in combinations(found, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)
    for left, top, right, bottom in found:
        assert BOUNDS[0] <= left
        assert BOUNDS[1] <= top
        assert right <= BOUNDS[2]
        assert bottom <= BOUNDS[3]


def test_what_has_no_room_is_returned() -> None:
    points = [(100.0, 100.0)] * (MAX_LABELS + 10)
    wanted = [(x, y, "A name of twenty eight signs") for x, y in points]
    drawing = Drawing("t", "d")
    left_out = draw_labels(drawing, wanted, points, BOUNDS)
    assert len(boxes(drawing)) + len(left_out) == len(points)
    assert len(boxes(drawing)) <= MAX_LABELS
