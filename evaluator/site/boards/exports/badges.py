"""Rank and score as pictures for other pages: SVG, and JSON for services that draw badges."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

import msgspec
from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.core.formats.plain_text import one_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.tables import score
from evaluator.site.boards.wording import named, noun

MAX_BADGES = 1000
"""Rows of a board, from the top, that have badges: files of their own."""
_MAX_LABEL, _MAX_MESSAGE = 40, 48
_LEADER = "leader"
# Advances of DejaVu Sans at 11 pixels, in half pixels.
_WIDTHS = {
    character: width
    for width, characters in {
        6: "'IJijl", 7: ",./:;\\| ", 8: "-f", 9: "!()[]rt", 10: '"', 11: "*_`s", 12: "?Lcz",
        13: "FPTYakovxy", 14: "$0123456789EKSbdeghnpqu{}", 15: "ABCRVXZ", 16: "NU",
        17: "&DGHOQ", 18: "#+<=>^w~", 19: "M", 21: "%m", 22: "@W…",
    }.items()
    for character in characters
}  # fmt: skip
_OTHER, _WIDE = 15, 22
_HEIGHT, _PAD = 20, 6
_encode = msgspec.json.Encoder(order="sorted").encode
# Each has a contrast of more than 4.5 to white.
_GREY, _FIRST, _RANKED, _NONE = "#4a4a4a", "#00695c", "#1d5b99", "#6b6b6b"


class EndpointData(TypedDict):
    """A badge as shields.io's endpoint badge reads it."""

    schemaVersion: Literal[1]
    label: str
    message: str
    color: str
    """As ``#rrggbb``."""


@once_per_board
def badged(board: PublicBoard) -> Mapping[str, Row]:
    """By id the rows that have badges: the first, whose participant's name is no badge's."""
    names = {f"{_LEADER}.svg", f"{_LEADER}.json"}
    first = board.rows[:MAX_BADGES]
    return {row.submission.id: row for row in first if row.submission.participant not in names}


def is_badged(submission: str, boards: Iterable[PublicBoard]) -> bool:
    return any(submission in badged(board) for board in boards)


def badge_files(board: PublicBoard) -> Iterator[tuple[str, bytes]]:
    for row in badged(board).values():
        folder = f"badge/{row.submission.short_name}"
        yield from _both(f"{folder}/rank", rank_badge(row, board))
        yield from _both(f"{folder}/score", score_badge(row, board))


def leader_files(board: PublicBoard) -> Iterator[tuple[str, bytes]]:
    yield from _both(f"badge/{_LEADER}", leader_badge(board))


def _both(path: str, badge: EndpointData) -> Iterator[tuple[str, bytes]]:
    yield f"{path}.svg", badge_svg(badge)
    yield f"{path}.json", _encode(badge) + b"\n"


def rank_badge(row: Row, board: PublicBoard) -> EndpointData:
    if row.rank is None:
        ran = board.phase.shows == "status" and row.state == "finished"
        return _badge(board, "ran" if ran else row.why_unranked, _NONE)
    message = f"rank {row.rank} of {_of_how_many(len(board.rows))}"
    return _badge(board, message, _FIRST if row.rank == 1 else _RANKED)


def _of_how_many(rows: int) -> str:
    """Say how many rows there are, of many two digits: else each would change all badges."""
    if rows <= MAX_BADGES:
        return f"{rows:,}"
    unit = 10 ** (len(str(rows - 1)) - 2)
    return f"over {(rows - 1) // unit * unit:,}"


def score_badge(row: Row, board: PublicBoard) -> EndpointData:
    value = score(row, board)
    if not value:
        return rank_badge(row, board)
    column = one_line(board.benchmark.leaderboard.primary.title, _MAX_MESSAGE - len(value) - 1)
    return _badge(board, f"{column} {value}", _FIRST if row.rank == 1 else _RANKED)


def leader_badge(board: PublicBoard) -> EndpointData:
    leaders = board.leaders
    if not leaders:
        return _badge(board, "nobody leads yet", _NONE)
    if len(leaders) > 1:
        return _badge(board, f"{len(leaders)} {noun(board, 2)} share the first rank", _FIRST)
    value = score(leaders[0], board)
    message = named(leaders[0], 24) if not value else f"{named(leaders[0], 24)} {value}"
    return _badge(board, message, _FIRST)


def _badge(board: PublicBoard, message: str, color: str) -> EndpointData:
    label = board.benchmark.title
    if len(board.benchmark.phases) > 1:
        label = f"{one_line(label, 24)}: {board.phase.name}"
    return {
        "schemaVersion": 1,
        "label": one_line(label, _MAX_LABEL) or board.benchmark.name,
        "message": one_line(message, _MAX_MESSAGE),
        "color": color,
    }


def badge_svg(badge: EndpointData) -> bytes:
    """Draw a badge: nothing in it is requested from anywhere, and its title says all of it."""
    label, message = badge["label"], badge["message"]
    left, right = (_width(text) + 2 * _PAD for text in (label, message))
    whole = quoteattr(f"{label}: {message}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:g}" height="{_HEIGHT}" '
        f'viewBox="0 0 {left + right:g} {_HEIGHT}" role="img" aria-label={whole}>'
        f"<title>{escape(f'{label}: {message}')}</title>"
        f'<rect width="{left + right:g}" height="{_HEIGHT}" rx="3" fill="{badge["color"]}"/>'
        f'<path d="M3 0h{left - 3:g}v{_HEIGHT}h-{left - 3:g}a3 3 0 0 1-3-3v-{_HEIGHT - 6}'
        f'a3 3 0 0 1 3-3z" fill="{_GREY}"/>'
        '<g fill="#fff" font-family="DejaVu Sans,Verdana,sans-serif" font-size="11">'
        f"{_text(label, _PAD)}{_text(message, left + _PAD)}</g></svg>\n"
    ).encode()


def _text(text: str, x: float) -> str:
    return (
        f'<text x="{x:g}" y="14" textLength="{_width(text):g}" lengthAdjust="spacingAndGlyphs" '
        f'unicode-bidi="isolate">{escape(text)}</text>'
    )


def _width(text: str) -> float:
    """Pixels that a text takes, by a table, so that the same text always takes as many."""
    return sum(_WIDTHS.get(character) or _unlisted(character) for character in text) / 2


def _unlisted(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return _WIDE if unicodedata.east_asian_width(character) in {"W", "F"} else _OTHER
