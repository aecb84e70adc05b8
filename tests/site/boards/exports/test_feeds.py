"""What happened on a board, and the Atom feed of it."""

import datetime as dt
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import feedparser
import pytest

from evaluator.core.formats.record import Earlier
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.exports.feeds import feed
from evaluator.site.content.content import Deployment
from evaluator.site.content.events import MAX_ENTRIES, Event, events
from evaluator.site.content.past_boards import History, Moment, past_board_data, past_boards
from evaluator.site.content.rescoring import rescoring
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark

ATOM = "{http://www.w3.org/2005/Atom}"
PLACE = Deployment(
    name="S",
    address="https://s.test/x/",
    forge="https://forge.test/o/r.git",
    commit=None,
    modified=False,
    now=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
)
BEGUN = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


def past(*boards: PublicBoard, omitted: int = 0) -> History:
    """Return the history of a board that was so at noon of the first days of a month."""
    points = [
        (
            Moment(
                commit="0" * 40, at=at, tags=(), folders=(f"{at:%Y-%m-%d}",), content=(None, None)
            ),
            [past_board_data(board, "0" * 40, at)],
        )
        for day, board in enumerate(boards, 1)
        for at in [dt.datetime(2026, 2, day, 12, tzinfo=dt.UTC)]
    ]
    return History(boards=past_boards(points)[::-1], omitted=omitted)


def race() -> tuple[PublicBoard, History]:
    entries = Entries(make_benchmark())
    boards = []
    for name, value in (("one", 0.5), ("two", 0.25), ("three", 0.75), ("four", 0.75)):
        boards.append(entries.enter(name, name, {"a": value}).board())
    boards.append(entries.enter("bob", "broken", FAILED).board())
    return boards[-1], past(*boards)


def happened(
    board: PublicBoard, history: History, limit: int = MAX_ENTRIES
) -> list[tuple[str, str]]:
    found = events(board, history, rescoring(board), limit)
    return [(event.category, event.name) for event in found]


def of_race(limit: int = MAX_ENTRIES) -> list[Event]:
    board, history = race()
    return events(board, history, None, limit)


def test_results_and_leaders_are_events_and_failures_are_none() -> None:
    base = "benchmarks/bench/main"
    assert happened(*race()) == [
        ("scored", f"{base}/four/four/scored"),
        ("scored", f"{base}/three/three/scored"),
        ("leader", f"{base}/three/three/leader"),
        ("scored", f"{base}/two/two/scored"),
        ("scored", f"{base}/one/one/scored"),
        ("leader", f"{base}/one/one/leader"),
    ]


def test_an_event_says_who_led_before() -> None:
    found = {event.name: event for event in of_race()}
    event = found["benchmarks/bench/main/three/three/leader"]
    assert event.text == "A 0.750. Before: One (one), A 0.500."
    assert event.title == "T: Three (three) takes the lead"
    assert event.at == dt.datetime(2026, 2, 3, 12, tzinfo=dt.UTC)


def test_what_is_evaluated_again_is_no_news() -> None:
    """Who led for two days takes no lead on the day of a re-evaluation."""
    entries = Entries(make_benchmark()).enter("ada", "first", {"a": 0.75})
    entries.enter("bob", "second", {"a": 0.5})
    before = entries.board()
    waiting = entries.board(stale=frozenset(c for c in entries.records if c.participant == "ada"))
    assert [row.rank for row in waiting.rows] == [1, None]  # for a day bob stood first
    for cell, record in list(entries.records.items()):
        provenance = record.provenance.replace(finished="2026-02-04T00:00:00+00:00")
        entries.records[cell] = record.replace(provenance=provenance)
    after = entries.board()
    found = events(after, past(before, before, waiting, after), None, MAX_ENTRIES)
    assert [(event.category, event.author) for event in found] == [
        ("scored", "bob"), ("scored", "ada"), ("leader", "ada")
    ]  # fmt: skip
    assert {event.at.day for event in found} == {1}


def test_a_row_that_the_rule_no_longer_lists_led_in_its_time() -> None:
    entries = Entries(make_benchmark(rule="Force_Best")).enter("ada", "first", {"a": 0.5})
    first = entries.board()
    second = entries.enter("ada", "second", {"a": 0.75}).board()
    names = [name for kind, name in happened(second, past(first, second)) if kind == "leader"]
    assert [name.rpartition("/")[0].rpartition("/")[2] for name in names] == ["second", "first"]


def test_who_shares_the_first_place_shares_the_lead_and_who_joins_it_takes_none() -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 1}).enter("bob", "two", {"a": 1})
    together = entries.board()
    joined = entries.enter("eve", "three", {"a": 1}).board()
    found = events(joined, past(together, joined), None, MAX_ENTRIES)
    assert sorted(event.title for event in found if event.category == "leader") == [
        "T: One (ada) shares the lead", "T: Two (bob) shares the lead"
    ]  # fmt: skip


def test_of_what_came_before_the_first_point_nobody_knows_the_day() -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 1})
    first = entries.board()
    second = entries.enter("bob", "two", {"a": 2}).board()
    assert happened(second, past(first, second, omitted=3)) == [
        ("scored", "benchmarks/bench/main/bob/two/scored"),
        ("leader", "benchmarks/bench/main/bob/two/leader"),
    ]
    assert happened(second, History()) == []


def test_a_change_of_the_benchmark_is_an_event_and_scored_is_told_of_the_first_time() -> None:
    entries = Entries(make_benchmark())
    for name, value in (("one", 0.5), ("two", 0.25), ("three", 0.75)):
        entries.enter(name, name, {"a": value})
    before = entries.board()
    for cell, record in list(entries.records.items()):
        was = Earlier(
            score_key="1" * 64, finished="2025-02-01T00:00:00+00:00",
            scores={"a": record.scores["a"] / 2 if cell.submission != "one" else 9.0},
        )  # fmt: skip
        entries.records[cell] = record.replace(earlier=[was])
    board = entries.board()
    found = events(board, past(before, board), rescoring(board), 50)
    again = [event for event in found if event.category == "rescored"]
    assert [event.text for event in again] == ["3 submissions were scored again; 2 moved."]
    assert {event.at.day for event in found if event not in again} == {1}


def test_what_came_before_a_commit_that_cannot_be_read_has_no_day() -> None:
    board, history = race()
    *later, first = history.boards
    unread = replace(first, data=None)
    assert len(happened(board, replace(history, boards=[*later, unread]))) < len(
        happened(board, replace(history, boards=[*later, first]))
    )
    after = replace(history, boards=[later[0], unread])
    assert happened(board, after) == []


def test_hidden_boards_and_phases_tell_no_score() -> None:
    hidden = make_benchmark()
    hidden = replace(hidden, leaderboard=replace(hidden.leaderboard, hidden=True))
    board = Entries(hidden).enter("ada", "one", {"a": 1}).board()
    assert happened(board, past(board)) == []
    status = make_benchmark(extra="pullbench: {phases: {0: {shows: status}}}\n")
    board = Entries(status).enter("ada", "one", {"a": 0.7316}).board()
    found = events(board, past(board), None, 50)
    assert [event.title for event in found] == ["T: One (ada) ran"]
    assert "7316" not in found[0].text


def test_only_the_latest_are_told() -> None:
    assert len(of_race(2)) == 2
    many = of_race() * 30
    assert len(entries_of(make_feed(many))) == MAX_ENTRIES


def make_feed(found: list[Event], place: Deployment = PLACE) -> bytes:
    return feed("benchmarks/bench/feed.xml", "T", "benchmarks/bench/", found, place, BEGUN)


def xml(content: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(content)  # noqa: S314 - it is ours


def entries_of(content: bytes) -> list[ElementTree.Element]:
    return xml(content).findall(f"{ATOM}entry")


def test_the_feed_is_what_rfc_4287_asks_for() -> None:
    content = make_feed(of_race())
    check_atom(content)
    parsed = feedparser.parse(content)
    assert not parsed.bozo
    assert parsed.version == "atom10"
    assert parsed.feed.updated == "2026-02-04T12:00:00Z"
    assert parsed.feed.id == "tag:forge.test,2026:o/r/benchmarks/bench/feed.xml"
    first = parsed.entries[0]
    assert first.link == "https://s.test/x/benchmarks/bench/submissions/four/four/"
    assert first.id == "tag:forge.test,2026:o/r/benchmarks/bench/main/four/four/scored"
    assert first.author == "four"


def test_an_empty_feed_is_valid_and_says_no_time_of_a_build() -> None:
    content = make_feed([])
    check_atom(content)
    assert feedparser.parse(content).feed.updated == "2020-01-01T00:00:00Z"


@pytest.mark.parametrize("forge", ["", "git@forge.test:o/r", "https://[bad", "ssh://h/o/r"])
def test_without_an_address_links_are_relative_and_ids_hold(forge: str) -> None:
    place = replace(PLACE, address="", forge=forge)
    content = make_feed(of_race(), place)
    check_atom(content)
    root = xml(content)
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert links == {"self": "feed.xml", "alternate": "./"}
    first = entries_of(content)[0].find(f"{ATOM}link")
    assert first is not None
    assert first.get("href") == "submissions/four/four/"
    assert root.findtext(f"{ATOM}id") == "tag:pullbench.invalid,2026:benchmarks/bench/feed.xml"


def test_hostile_names_are_text() -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 1e308})
    title = "</title><script>x</script>\u202e\x00\x0b\ufffe\ud800 & " + "y" * 10_000
    entries.submissions[0] = replace(entries.submissions[0], title=title)
    board = entries.board()
    content = make_feed(events(board, past(board), None, 50))
    check_atom(content)
    assert b"<script" not in content
    assert "\u202e".encode() not in content
    assert len(content) < 4000


def check_atom(content: bytes) -> None:
    """Check what RFC 4287 says with MUST of the elements that are used here."""
    root = xml(content)
    assert root.tag == f"{ATOM}feed"
    _check_constructs(root)
    ids = [root.findtext(f"{ATOM}id")]
    assert len(root.findall(f"{ATOM}entry")) <= MAX_ENTRIES
    for entry in root.findall(f"{ATOM}entry"):
        _check_constructs(entry)
        ids.append(entry.findtext(f"{ATOM}id"))
    assert len(ids) == len(set(ids))


def _check_constructs(part: ElementTree.Element) -> None:
    def only(name: str) -> Any:
        found = part.findall(f"{ATOM}{name}")
        assert len(found) == 1, name
        return found[0].text

    assert only("title") is not None  # 4.2.14
    # 4.2.6: an IRI; RFC 4151: an authority with a date, and characters of RFC 3986
    assert re.fullmatch(
        r"tag:[a-z0-9.-]+,\d{4}(-\d\d(-\d\d)?)?:[A-Za-z0-9._~%!$&'()*+,;=:@/?-]*", only("id")
    )
    for moment in (only("updated"), part.findtext(f"{ATOM}published")):  # 3.3
        if moment is not None:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", moment)
    alternates = [
        (link.get("type"), link.get("hreflang"))
        for link in part.findall(f"{ATOM}link")
        if link.get("rel") == "alternate"
    ]
    assert len(alternates) == len(set(alternates)) == 1  # 4.1.1, 4.1.2
    for link in part.findall(f"{ATOM}link"):
        assert link.get("href")
    for person in part.findall(f"{ATOM}author"):  # 3.2
        assert person.findtext(f"{ATOM}name")
    if part.tag == f"{ATOM}feed":
        assert part.find(f"{ATOM}author") is not None  # for entries without one
    for category in part.findall(f"{ATOM}category"):
        assert category.get("term")
