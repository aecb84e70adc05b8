"""Badges of rank and score."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.exports import badges
from evaluator.site.boards.exports.badges import (
    badge_files,
    badge_svg,
    leader_badge,
    leader_files,
    rank_badge,
    score_badge,
)
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>x</script>\u202e\u200b\x00\x0b\ufffe\ud800\"' & " + "y" * 10_000


def make() -> PublicBoard:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 0.5})
    return entries.enter("bob", "two", {"a": 0.25}).enter("eve", "bad", FAILED).board()


def test_badges_say_rank_and_score() -> None:
    board = make()
    assert [rank_badge(row, board)["message"] for row in board.rows] == [
        "rank 1 of 3", "rank 2 of 3", "failed"
    ]  # fmt: skip
    assert [score_badge(row, board)["message"] for row in board.rows] == [
        "A 0.500", "A 0.250", "failed"
    ]  # fmt: skip
    assert leader_badge(board)["message"] == "One (ada) 0.500"
    assert {rank_badge(row, board)["label"] for row in board.rows} == {"T"}


def test_a_tie_and_an_empty_board() -> None:
    entries = Entries(make_benchmark())
    assert leader_badge(entries.board())["message"] == "nobody leads yet"
    entries.enter("ada", "one", {"a": 1}).enter("bob", "two", {"a": 1})
    assert leader_badge(entries.board())["message"] == "2 submissions share the first rank"


def test_a_phase_that_shows_only_whether_a_submission_ran() -> None:
    benchmark = make_benchmark(extra="pullbench: {phases: {0: {shows: status}}}\n")
    board = Entries(benchmark).enter("ada", "one", {"a": 0.7316}).board()
    files = dict((*badge_files(board), *leader_files(board)))
    assert b"7316" not in b"".join(files.values())
    assert json.loads(files["badge/ada/one/score.json"])["message"] == "ran"


def test_a_badge_is_a_picture_that_says_what_it_shows() -> None:
    content = badge_svg(rank_badge(make().rows[0], make()))
    root = ElementTree.fromstring(content)  # noqa: S314 - it is ours
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{SVG}title") == "T: rank 1 of 3"
    assert [text.text for text in root.iter(f"{SVG}text")] == ["T", "rank 1 of 3"]
    widths = [float(text.get("textLength") or 0) for text in root.iter(f"{SVG}text")]
    assert float(root.get("width") or 0) == sum(widths) + 4 * 6
    assert b"http" not in content.replace(b"http://www.w3.org/2000/svg", b"")
    assert b"style" not in content


@pytest.mark.parametrize("value", [1e308, -1e308, 5e-324])
def test_hostile_names_and_values_stay_in_a_small_picture(value: float) -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": value})
    entries.submissions[0] = replace(entries.submissions[0], title=HOSTILE)
    board = entries.board()
    board = replace(board, benchmark=replace(board.benchmark, title=HOSTILE))
    for badge in (leader_badge(board), score_badge(board.rows[0], board)):
        content = badge_svg(badge)
        assert len(content) < 2500
        root = ElementTree.fromstring(content)  # noqa: S314 - it is ours
        assert {child.tag for child in root.iter()} == {
            f"{SVG}{tag}" for tag in ("svg", "title", "rect", "path", "g", "text")
        }
        assert "\u202e" not in content.decode()
        assert float(root.get("width") or 0) < 900


def test_wide_letters_take_more_room_and_marks_none() -> None:
    def width(text: str) -> float:
        badge = {"schemaVersion": 1, "label": "l", "message": text, "color": "#000000"}
        found = ElementTree.fromstring(badge_svg(badge))  # type: ignore[arg-type] # noqa: S314
        return float(found.get("width") or 0)

    assert width("中文") > width("ab")
    assert width("a\u0323") == width("a")


def test_only_the_first_rows_have_badges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(badges, "MAX_BADGES", 2)
    board = make()
    folders = {path.rpartition("/")[0] for path, _ in badge_files(board)}
    assert folders == {"badge/ada/one", "badge/bob/two"}


def test_nobody_takes_the_place_of_the_leaders_badge() -> None:
    board = Entries(make_benchmark()).enter("leader.svg", "one", {"a": 1}).board()
    assert dict(badge_files(board)) == {}
    assert set(dict(leader_files(board))) == {"badge/leader.svg", "badge/leader.json"}


def test_white_letters_can_be_read_on_every_colour() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in (badges._GREY, badges._FIRST, badges._RANKED, badges._NONE):
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5


def test_badges_of_a_large_board_do_not_change_with_each_submission() -> None:
    counted = {rows: badges._of_how_many(rows) for rows in (1000, 1001, 1002, 10_001, 10_999)}
    assert counted == {
        1000: "1,000", 1001: "over 1,000", 1002: "over 1,000",
        10_001: "over 10,000", 10_999: "over 10,000",
    }  # fmt: skip
