"""Curves of a board: their areas, the figure, and what it says of them."""

import json
import sys
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from scipy.integrate import trapezoid

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Attachment
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.plugins.insight.insight import make_plots
from evaluator.plugins.insight.plots.curves import bands_of
from evaluator.plugins.samples.curves import SUFFIX, area, board_curves
from evaluator.plugins.samples.format import Series, pack_curves
from evaluator.site.content.insight import BoardCurves, Curve
from tests.plugins.samples.boards import COMPETITION
from tests.records import cells_of, record_of
from tests.repository import Repository

Points = Sequence[tuple[float, float]]


@pytest.fixture
def protocol(repo: Repository) -> Repository:
    repo.copy_bundle("protocol")
    asked = "pullbench:\n  repeats: 2\n  curves: {loss: asc}\n"
    repo.replace(COMPETITION, "pullbench:\n", asked)
    return repo


def make_board(repo: Repository, curves: Mapping[str, Sequence[Points]]) -> PublicBoard:
    """Return a board whose rows have a curve in each repeat; none is an empty list."""
    for name in curves:
        folder = f"submissions/protocol/{name}/one"
        repo.write(f"{folder}/submission.yaml", "kind: results\n")
        repo.write(f"{folder}/value.txt", f"{name}\n")
    repo.commit("Enter")
    for cell in cells_of(repo).values():
        if cell.id.participant not in curves:
            continue
        points = curves[cell.id.participant][cell.id.repeat or 0]
        content = {
            "x": "seconds", "y": "loss",
            "series": {"loss": {"x": [x for x, _ in points], "y": [y for _, y in points]}},
        }  # fmt: skip
        kept = pack_curves(json.dumps(content).encode())
        attachments = {SUFFIX: Attachment.of(kept)} if points else {}
        repo.write(cell.id.attachment_path(SUFFIX), kept)
        value = float(len(cell.id.participant))
        repo.put(record_of(cell, scores={"value": value}, attachments=attachments))
    repo.commit("Scores")
    return publish(leaderboard(repo.snapshot(), "protocol", phase=None, task=None, now=utc_now()))


def test_an_area_is_that_of_trapezoids_over_the_width() -> None:
    source = np.random.default_rng(3)
    for count in (2, 7, 400):
        x, y = source.random(count), source.normal(size=count)
        order = np.argsort(x)
        expected = trapezoid(y[order], x[order]) / (x.max() - x.min())
        whole = area(Series(x=x.tolist(), y=y.tolist()), x.min(), x.max(), 9.0)
        assert whole == pytest.approx(expected, rel=1e-9)
    assert area(Series(x=[1, 1], y=[2, 4]), 1, 1, 9) == 3
    assert np.isnan(area(Series(x=[], y=[]), 0, 1, 9))


def test_the_width_of_an_area_is_no_choice_of_whoever_writes_points() -> None:
    whole = Series(x=[0, 4, 10], y=[0.0, 0.8, 1.0])
    assert area(whole, 0, 10, 0.0) == pytest.approx(0.7)
    late = Series(x=[8, 10], y=[0.93, 1.0])
    assert area(late, 0, 10, 0.0) == pytest.approx(0.193)
    stopped = Series(x=[0, 4], y=[0.0, 0.8])
    assert area(stopped, 0, 10, 0.0) == pytest.approx(0.64)
    beyond = Series(x=[0, 4, 10, 1e9], y=[0.0, 0.8, 1.0, 0.0])
    assert area(beyond, 0, 10, 0.0) == pytest.approx(0.7)
    assert area(Series(x=[-5, 5], y=[0.0, 1.0]), 0, 10, 0.0) == pytest.approx(0.875)


LARGEST = sys.float_info.max


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        ([0, 1], [1e308, 1e308], 1e308),
        ([1, 1, 1], [LARGEST] * 3, LARGEST),
        ([-LARGEST, 0, LARGEST], [-1e308, 0, 1e308], 0),
        ([-1e308, 1e308], [2, 4], 3),
        (np.linspace(0, 1e308, 2000).tolist(), [LARGEST] * 2000, LARGEST),
    ],
)
def test_an_area_of_any_finite_curve_is_a_number(
    x: list[float], y: list[float], expected: float
) -> None:
    assert area(Series(x=x, y=y), min(x), max(x), 0) == pytest.approx(expected, rel=1e-12)


def test_the_largest_curves_have_a_column_and_a_figure(protocol: Repository) -> None:
    """Their sums over repeats are no floats."""
    huge = [(-LARGEST, 1e308), (LARGEST, 1e308)]
    steep = [(0, -LARGEST), (1e-310, LARGEST), (1, 1)]
    board = make_board(
        protocol, {"ann": [huge, huge], "bobby": [steep, huge], "cy": [[(0, 1)]] * 2}
    )
    values = {row.submission.participant: row.overall.get("loss_area") for row in board.rows}
    assert values == {
        "ann": 1e308,
        "bobby": pytest.approx(5.449e307, rel=1e-3),
        "cy": 1,
        "alice": None,
    }
    plots = make_plots(board)
    assert plots is not None
    (figure,) = (one for one in plots.figures if one.name == "curves")
    for line in figure.lines:
        assert not {"inf", "-inf"} & set(map(str, line.values)) and line.values[0] == line.values[0]


def test_areas_are_a_column_and_curves_a_figure(protocol: Repository) -> None:
    board = make_board(
        protocol,
        {
            "ann": [[(0, 4.0), (2, 0.0)], [(0, 4.0), (4, 2.0)]],
            "bobby": [[(0, 8.0), (4, 8.0)], [(0, 8.0), (4, 8.0)]],
            "cy": [[(0, 1.0), (4, 1.0)], []],
        },
    )
    values = {row.submission.participant: row.overall.get("loss_area") for row in board.rows}
    assert values == {"ann": 1.4, "bobby": 8.0, "cy": None, "alice": None}
    plots = make_plots(board)
    assert plots is not None
    figure = next(one for one in plots.figures if one.name == "curves")
    assert "over 1 task and their repeats" in " ".join(figure.caption)
    assert {line.head for line in figure.lines} == {*board.rows[:3]}
    assert b"seconds" in figure.drawings[0].svg("curves").encode()
    curves = board_curves(board)
    assert curves is not None
    place = next(n for n, row in enumerate(board.rows) if row.submission.participant == "ann")
    grid, bands = bands_of(curves)
    # The one that ends at 2 keeps its last value.
    assert (grid[-1], bands[place][1, -1]) == (4, 1.0)
    assert bands[place][:, -1].tolist() == [0.5, 1.0, 1.5]


def test_where_a_curve_has_not_begun_there_is_no_mean() -> None:
    def curve(x: Sequence[float], y: Sequence[float]) -> Curve:
        return Curve(row=0, task="one", x=np.array(x), y=np.array(y))

    two = BoardCurves(name="a", x="s", y="loss", curves=(
        curve([0, 4], [1, 1]), curve([2, 4], [3, 3]),
    ))  # fmt: skip
    grid, bands = bands_of(two)
    assert np.isnan(bands[0][1][grid < 2]).all()
    assert set(bands[0][1][grid >= 2].tolist()) == {2.0}
