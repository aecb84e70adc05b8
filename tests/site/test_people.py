"""Pages of participants: everything of theirs, whatever they call it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site import people
from evaluator.site.content import BenchmarkContent, Deployment
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark
from tests.site.conftest import HOSTILE

SITE = Deployment(forge="", commit=None, modified=False, now=utc_now())


def text(markup: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", markup))


def content_of(board: PublicBoard) -> BenchmarkContent:
    return BenchmarkContent(
        benchmark=board.benchmark, current=board, boards=(board,), task_boards={}, pages={},
        details={}, logo=b"",
    )  # fmt: skip


def made(*boards: PublicBoard) -> dict[str, str]:
    found = people.participant_pages([content_of(board) for board in boards], SITE)
    return {page.path: page.render().html for page in found}


def test_all_submissions_of_a_participant_with_rank_score_and_date() -> None:
    entries = Entries(make_benchmark(rule="Force_Best"))
    entries.enter("ada", "first", {"a": 0.5}).enter("ben", "only", {"a": 0.75})
    entries.enter("ada", "worse", {"a": 0.25}).enter("ada", "late", {"a": 1.0})
    entries.enter("ada", "broken", FAILED)
    found = made(entries.board())
    assert list(found) == ["people/ada", "people/ben"]
    rows = [text(row) for row in re.findall(r"<tr>.*?</tr>", found["people/ada"], re.DOTALL)[1:]]
    assert [row.split()[1] for row in rows] == ["First", "Worse", "Late", "Broken"]
    assert "0.500 first result" in rows[0]
    assert "0.250 no better than before" in rows[1]
    assert "1 of 2 1.000 own best so far" in rows[2]
    assert "2026-01-01" in rows[2]
    assert "failed" in rows[3]
    # The rule of this board lists one of each.
    assert "not listed under the board's rule" in rows[0]
    assert "2 of 2 0.750" in text(found["people/ben"])


def test_lower_is_better_where_the_column_says_so() -> None:
    column = "      - {title: A, key: a, index: 0, sorting: asc, precision: 1}\n"
    entries = Entries(make_benchmark(column))
    entries.enter("ada", "one", {"a": 2.0}).enter("ada", "two", {"a": 3.0})
    entries.enter("ada", "three", {"a": 1.0})
    page = text(made(entries.board())["people/ada"])
    assert "2.0 first result" in page
    assert "3.0 no better than before" in page
    assert "1.0 own best so far" in page


def test_all_benchmarks_stand_on_one_page() -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 2.0})
    other = replace(entries.board(), benchmark=replace(entries.benchmark, title="Another"))
    page = made(entries.board(), other)["people/ada"]
    assert page.count("<h2") == 2
    assert "Another" in page


def test_a_hidden_board_says_neither_rank_nor_score(sealed_site: Path) -> None:
    page = (sealed_site / "people/alice/index.html").read_text()
    assert "organiser hides this leaderboard" in page
    assert not re.search(r"\d of \d", text(page))


def test_no_title_is_markup_and_every_page_is_linked_both_ways(site: Path) -> None:
    page = (site / "people/mallory/index.html").read_text()
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page
    link = '../../benchmarks/adding/submissions/mallory/hostile/"'
    assert link in page
    theirs = (site / "benchmarks/adding/submissions/mallory/hostile/index.html").read_text()
    assert '../../../../../people/mallory/"' in theirs
    everything = (site / "benchmarks/adding/submissions/index.html").read_text()
    assert '../../../people/mallory/"' in everything
    assert {p.name for p in (site / "people").iterdir()} == {"alice", "bob", "mallory"}
    assert not [path for path in site.rglob("_") if path.is_dir()]


def test_others_results_leave_a_page_as_it_is() -> None:
    """Its ranks are of the commit that it names; a script looks up what they are now."""
    entries = Entries(make_benchmark(extra="pullbench: {aggregate: mean_rank}\n"))
    entries.enter("ada", "first", {"a": 0.5}).enter("ben", "only", {"a": 0.75})
    before = next(people.participant_pages([content_of(entries.board())], SITE))
    entries.enter("cleo", "best", {"a": 1.0})
    after = next(people.participant_pages([content_of(entries.board())], SITE))
    assert before.facts == after.facts
    page = after.render().html
    assert 'data-rank="ada/first" data-view="../../benchmarks/bench/view.json"' in page
    assert "3 of 3" in page
    assert "ranks are as of files that were not committed" in text(page)
    assert 'data-overall="mean_rank"' in page
    assert "assets/place.js" in page


def test_each_of_many_participants_has_a_page() -> None:
    entries = Entries(make_benchmark())
    for number in range(2000):
        entries.enter(f"p{number}", "only", {"a": float(number)})
    content = content_of(entries.board())
    assert sum(1 for _ in people.participant_pages([content], SITE)) == 2000


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 1280])
def test_a_participants_page_in_a_browser(browser: Browser, address: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    outside: list[str] = []
    page.on("request", lambda r: None if r.url.startswith(address) else outside.append(r.url))
    page.goto(address + "people/mallory/")
    expect(page.get_by_role("heading", name="mallory", level=1)).to_be_visible()
    assert page.title() != "owned"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name=HOSTILE[:20]).first.click()
    expect(page.get_by_role("link", name="mallory", exact=True)).to_be_visible()
    page.get_by_role("link", name="mallory", exact=True).click()
    expect(page).to_have_url(address + "people/mallory/")
    assert outside == []
    context.close()
