"""Pages of participants: everything of theirs, whatever they call it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from evaluator.core.clock import utc_now
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.content.content import BenchmarkContent, Deployment
from evaluator.site.pages import people
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


def rows_of(page: str) -> list[str]:
    return [text(row) for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL)[1:]]


def test_all_submissions_of_a_participant_with_rank_score_and_date() -> None:
    entries = Entries(make_benchmark(rule="Force_Best"))
    entries.enter("ada", "first", {"a": 0.5}).enter("ben", "only", {"a": 0.75})
    entries.enter("ada", "worse", {"a": 0.25}).enter("ada", "late", {"a": 1.0})
    entries.enter("ada", "broken", FAILED)
    found = made(entries.board())
    assert list(found) == ["people/ada", "people/ben"]
    rows = rows_of(found["people/ada"])
    # What came last is first.
    assert [re.findall("First|Worse|Late|Broken", row) for row in rows] == [
        ["Broken"], ["Late"], ["Worse"], ["First"],
    ]  # fmt: skip
    assert "failed" in rows[0]
    assert "1 of 2 T Late 1.000 A, their best" in rows[1]
    assert re.search(r"0\.250 A 2026-01-0\d", rows[2])
    # The rule of this board lists one of each.
    assert "not listed under the board's rule" in rows[3]
    assert "their best" not in rows[3]
    ada, ben = text(found["people/ada"]), text(found["people/ben"])
    assert "4 entries · 1 benchmark · best rank 1 · 2026-01-01" in ada
    assert "1 entry · 1 benchmark · best rank 2 · 2026-01-01" in ben
    assert "2 of 2 T Only 0.750 A" in ben


def test_days_have_their_places_on_a_line_of_time() -> None:
    days = ["2026-01-11", "2026-01-01", "2026-01-03", "2026-01-01"]
    assert people.marks(days) == [
        ("2026-01-01", 2, 0), ("2026-01-03", 1, pytest.approx(20)), ("2026-01-11", 1, 100),
    ]  # fmt: skip


def test_a_timeline_needs_two_days() -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 2.0})
    entries.enter("ada", "two", {"a": 3.0})
    assert "<svg" not in made(entries.board())["people/ada"]
    (cell,) = (cell for cell in entries.records if cell.submission == "two")
    record = entries.records[cell]
    later = record.provenance.replace(submitted="2026-01-05T00:00:00+00:00")
    entries.records[cell] = record.replace(provenance=later)
    page = made(entries.board())["people/ada"]
    assert 'aria-label="Entries by day: 1 on 2026-01-01, 1 on 2026-01-05"' in page
    assert "best rank 1 · first 2026-01-01 · last 2026-01-05" in text(page)
    assert re.findall(r'<path d="M([\d.]+) ', page) == ["1.00", "99.00"]


def test_lower_is_better_where_the_column_says_so() -> None:
    column = "      - {title: A, key: a, index: 0, sorting: asc, precision: 1}\n"
    entries = Entries(make_benchmark(column))
    entries.enter("ada", "one", {"a": 2.0}).enter("ada", "two", {"a": 1.0})
    page = text(made(entries.board())["people/ada"])
    assert "2.0 A 2026" in page
    assert "1.0 A, their best" in page


def test_all_benchmarks_are_in_one_table() -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 2.0})
    renamed = replace(entries.benchmark, title="Another", name="another")
    page = made(entries.board(), replace(entries.board(), benchmark=renamed))["people/ada"]
    assert page.count("<table") == 1
    assert len(rows_of(page)) == 2
    assert "Another" in page
    assert "2 benchmarks" in page


def test_a_hidden_board_says_neither_rank_nor_score(sealed_site: Path) -> None:
    page = (sealed_site / "people/alice/index.html").read_text()
    assert "hidden by the organiser" in page
    assert "best rank" not in page
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
    names = {p.name for p in (site / "people").iterdir()}
    assert names == {"index.html", "alice", "bob", "mallory"}
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
    assert "Ranks are as of files that were not committed" in text(page)
    assert 'data-overall="mean_rank"' in page
    assert "assets/place.js" in page


def test_each_of_many_participants_has_a_page() -> None:
    entries = Entries(make_benchmark())
    for number in range(2000):
        entries.enter(f"p{number}", "only", {"a": float(number)})
    content = content_of(entries.board())
    assert sum(1 for _ in people.participant_pages([content], SITE)) == 2000


def test_the_list_of_people_says_what_each_did_best() -> None:
    entries = Entries(make_benchmark())
    entries.enter("ada", "one", {"a": 0.5}).enter("ada", "two", {"a": 0.25})
    entries.enter("ben", "only", {"a": 0.75}).enter("cleo", "broken", FAILED)
    page = people.people_page([content_of(entries.board())]).html
    rows = [text(row).split() for row in re.findall(r"<tr data-.*?</tr>", page, re.DOTALL)]
    assert [(row[0], row[1], " ".join(row[2:5])) for row in rows[:2]] == [
        ("ada", "2", "2 of 4"), ("ben", "1", "1 of 4"),
    ]  # fmt: skip
    assert rows[2][:2] == ["cleo", "1"]
    assert 'href="../benchmarks/bench/"' in page
    assert re.search(r"\d{4}-\d\d-\d\d</td>", page)


@pytest.mark.browser
def test_a_name_is_searched_in_the_list_of_people(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address + "people/")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(3)
    page.get_by_role("searchbox", name="Search names").fill("MALL")
    expect(rows.locator("visible=true")).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("1 of 3")
    assert page.url.endswith("people/?name=MALL")
    page.reload()
    expect(rows.locator("visible=true")).to_have_count(1)
    page.get_by_role("link", name="mallory", exact=True).click()
    expect(page).to_have_url(address + "people/mallory/")
    context.close()
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(address + "people/")
    expect(page.locator("tbody tr")).to_have_count(3)
    expect(page.locator("form.filter")).to_be_hidden()
    plain.close()


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
