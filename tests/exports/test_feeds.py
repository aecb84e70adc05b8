"""What happened on a board, and the Atom feed of it."""

import datetime as dt
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import feedparser
import pytest

from evaluator.exports.feeds import MAX_ENTRIES, FeedPlace, feed
from evaluator.formats.record import Earlier
from evaluator.leaderboard.board import Board
from evaluator.leaderboard.events import Event, events
from evaluator.leaderboard.published import publish
from evaluator.leaderboard.rescoring import rescoring
from tests.leaderboard.boards import FAILED, Entries, make_benchmark

ATOM = "{http://www.w3.org/2005/Atom}"
PLACE = FeedPlace(site="S", address="https://s.test/x/", forge="https://forge.test/o/r.git")
BEGUN = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)


def scored(entries: Entries, *times: str) -> Entries:
    """Set when the submissions were evaluated, in the order in which they were entered."""
    for submission, time in zip(entries.submissions, times, strict=True):
        for cell, record in entries.records.items():
            if cell.submission == submission.name:
                provenance = record.provenance.model_copy(update={"finished": time})
                entries.records[cell] = record.model_copy(update={"provenance": provenance})
    return entries


def race() -> Entries:
    entries = Entries(make_benchmark())
    for name, value in (("one", 0.5), ("two", 0.25), ("three", 0.75), ("four", 0.75)):
        entries.enter(name, name, {"a": value})
    entries.enter("bob", "broken", FAILED)
    days = [f"2026-02-0{day}T12:00:00+00:00" for day in range(1, 6)]
    return scored(entries, *days)


def happened(board: Board, limit: int = MAX_ENTRIES) -> list[tuple[str, str]]:
    found = events(publish(board), rescoring(board), limit)
    return [(event.category, event.name) for event in found]


def test_results_and_leaders_are_events_and_failures_are_none() -> None:
    base = "benchmarks/bench/main"
    assert happened(race().board()) == [
        ("scored", f"{base}/four/four/scored"),
        ("scored", f"{base}/three/three/scored"),
        ("leader", f"{base}/three/three/leader"),
        ("scored", f"{base}/two/two/scored"),
        ("scored", f"{base}/one/one/scored"),
        ("leader", f"{base}/one/one/leader"),
    ]


def test_an_event_says_who_led_before() -> None:
    found = {event.name: event for event in events(race().board(), None, 50)}
    event = found["benchmarks/bench/main/three/three/leader"]
    assert event.text == "A 0.750. Before: One (one), A 0.500."
    assert event.title == "T: Three (three) takes the lead"
    assert event.updated == dt.datetime(2026, 2, 3, 12, tzinfo=dt.UTC)


def test_a_row_that_the_rule_no_longer_lists_led_in_its_time() -> None:
    entries = Entries(make_benchmark(rule="Force_Best"))
    entries.enter("ada", "first", {"a": 0.5}).enter("ada", "second", {"a": 0.75})
    scored(entries, "2026-02-01T00:00:00+00:00", "2026-02-02T00:00:00+00:00")
    names = [name for kind, name in happened(entries.board()) if kind == "leader"]
    assert [name.rpartition("/")[0].rpartition("/")[2] for name in names] == ["second", "first"]


def test_with_mean_ranks_todays_rank_counts() -> None:
    benchmark = make_benchmark(tasks="0, 1", extra="pullbench: {aggregate: mean_rank}\n")
    entries = Entries(benchmark).enter("ada", "low", {"a": 1}, {"a": 1})
    entries.enter("bob", "high", {"a": 2}, {"a": 2})
    scored(entries, "2026-02-02T00:00:00+00:00", "2026-02-01T00:00:00+00:00")
    leaders = [name for kind, name in happened(entries.board()) if kind == "leader"]
    assert leaders == ["benchmarks/bench/main/bob/high/leader"]


def test_a_change_of_the_benchmark_is_an_event_and_scored_is_told_of_the_first_time() -> None:
    entries = race()
    for cell, record in list(entries.records.items()):
        if record.status == "finished":
            was = Earlier(
                score_key="1" * 64,
                scores={"a": record.scores["a"] / 2 if cell.submission != "one" else 9.0},
                finished=f"2025-02-0{len(cell.submission)}T00:00:00+00:00",
            )
            entries.records[cell] = record.model_copy(update={"earlier": [was]})
    found = events(entries.board(), rescoring(entries.board()), 50)
    first = found[0]
    assert first.category == "rescored"
    assert first.text == "4 submissions were scored again; 3 moved."
    assert {event.updated.year for event in found[1:]} == {2025}


def test_hidden_boards_and_phases_tell_no_score() -> None:
    hidden = make_benchmark()
    hidden = replace(hidden, leaderboard=replace(hidden.leaderboard, hidden=True))
    assert happened(Entries(hidden).enter("ada", "one", {"a": 1}).board()) == []
    status = make_benchmark(extra="pullbench: {phases: {0: {shows: status}}}\n")
    board = Entries(status).enter("ada", "one", {"a": 0.7316}).board()
    found = events(board, None, 50)
    assert [event.title for event in found] == ["T: One (ada) ran"]
    assert "7316" not in found[0].text


def test_a_time_that_is_none_is_left_out() -> None:
    """What a record remembers of former scores is text."""
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 1})
    (record,) = entries.records.values()
    former = Earlier(score_key="0" * 64, finished="yesterday", scores={"a": 2})
    entries.records[record.cell] = record.model_copy(update={"earlier": [former]})
    assert [kind for kind, *_ in happened(entries.board()) if kind == "scored"] == []


def test_only_the_latest_are_told() -> None:
    assert len(happened(race().board(), 2)) == 2
    many = events(race().board(), None, 50) * 30
    assert len(entries_of(make_feed(many))) == MAX_ENTRIES


def make_feed(found: list[Event], place: FeedPlace = PLACE) -> bytes:
    return feed("benchmarks/bench/feed.xml", "T", "benchmarks/bench/", found, place, BEGUN)


def xml(content: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(content)  # noqa: S314 - it is ours


def entries_of(content: bytes) -> list[ElementTree.Element]:
    return xml(content).findall(f"{ATOM}entry")


def test_the_feed_is_what_rfc_4287_asks_for() -> None:
    content = make_feed(events(race().board(), None, 50))
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
    content = make_feed(events(race().board(), None, 50), place)
    check_atom(content)
    root = xml(content)
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert links == {"self": "feed.xml", "alternate": "./"}
    first = entries_of(content)[0].find(f"{ATOM}link")
    assert first is not None
    assert first.get("href") == "submissions/four/four/"
    assert root.findtext(f"{ATOM}id") == "tag:pullbench.invalid,2026:benchmarks/bench/feed.xml"


def test_hostile_names_are_text() -> None:
    entries = scored(Entries(make_benchmark()).enter("ada", "one", {"a": 1e308}), "2026-02-01")
    title = "</title><script>x</script>\u202e\x00\x0b\ufffe\ud800 & " + "y" * 10_000
    entries.submissions[0] = replace(entries.submissions[0], title=title)
    content = make_feed(events(entries.board(), None, 50))
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
