"""The picture beside links to a benchmark."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from evaluator.site.boards.exports.picture import HEIGHT, WIDTH, board_picture
from tests.core.leaderboard.boards import Entries, make_benchmark


def ink(content: bytes) -> int:
    """Count the pixels that are not background."""
    picture = Image.open(io.BytesIO(content)).convert("L")
    assert picture.size == (WIDTH, HEIGHT)
    return sum(picture.histogram()[:200])


def test_the_same_board_makes_the_same_picture() -> None:
    board = Entries(make_benchmark()).enter("ada", "one", {"a": 1}).board()
    content = board_picture(board, "S")
    assert content == board_picture(board, "S")
    assert len(content) < 60_000
    other = Entries(make_benchmark()).enter("bob", "two", {"a": 1}).board()
    assert board_picture(other, "S") != content


@pytest.mark.parametrize(
    "title", ["x" * 10_000, "word " * 2000, "\u202e\x00", "中文榜", "Prüfstand für Züge", ""]
)
def test_any_title_fits(title: str) -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 1e308})
    entries.submissions[0] = replace(entries.submissions[0], title=title)
    board = entries.board()
    board = replace(board, benchmark=replace(board.benchmark, title=title))
    content = board_picture(board, title)
    picture = Image.open(io.BytesIO(content)).convert("L")
    # Nothing is drawn over the margins.
    for box in (
        (0, 30, 60, HEIGHT),
        (WIDTH - 60, 30, WIDTH, HEIGHT),
        (0, HEIGHT - 30, WIDTH, HEIGHT),
    ):
        assert min(picture.crop(box).tobytes()) > 200
    assert ink(content) > 20 * WIDTH + 2000
