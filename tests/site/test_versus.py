"""The page of a submission: beside any other, what happened to it, where its scores are from."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.formats.cell import CellId
from evaluator.leaderboard.timeline import story
from evaluator.leaderboard.versus import MAX_STATIC_ROWS, difference, rival, shown_number
from evaluator.site import build
from evaluator.site.lazy_pages import submission_pages
from tests.leaderboard.boards import FAILED, Entries, make_benchmark
from tests.records import record_of
from tests.repository import Repository
from tests.site.conftest import ROOT, serving
from tests.site.test_people import SITE, content_of, text

RIGHT = "benchmarks/adding/submissions/alice/right/"
ASCENDING = "      - {title: A, key: a, index: 0, sorting: asc, precision: 2}\n"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_the_leader_is_compared_with_who_comes_next_all_others_with_the_leader() -> None:
    entries = Entries(make_benchmark()).enter("a", "one", {"a": 3.0})
    board = entries.enter("b", "two", {"a": 2.0}).enter("c", "three", {"a": 1.0}).board()
    found = [rival(row, board) for row in board.rows]
    assert [row.submission.name for row in found if row] == ["two", "one", "one"]
    alone = Entries(make_benchmark()).enter("a", "one", {"a": 3.0}).board()
    assert rival(alone.rows[0], alone) is None


@pytest.mark.parametrize(("sorting", "mark"), [("asc", "worse"), ("desc", "better")])
def test_differences_know_which_way_is_better(sorting: str, mark: str) -> None:
    column = replace(make_benchmark(ASCENDING).leaderboard.primary, sorting=sorting)  # type: ignore[arg-type]
    found = difference(column, 2.0, 1.5)
    assert found is not None
    assert (found.value, found.mark) == (0.5, mark)
    same = difference(column, 2.0, 2.0)
    assert same is not None
    assert same.mark == "equal"
    assert difference(column, None, 2.0) is None


def test_a_value_of_three_hundred_digits_is_short() -> None:
    assert shown_number(1e308, 3) == "1.000e+308"
    assert shown_number(-12.3456, 2) == "-12.35"


def test_without_scripts_the_page_compares_with_the_leader(site: Path) -> None:
    page = text((site / RIGHT / "index.html").read_text())
    table = page[page.index("Other:") : page.index("Side by side")]
    assert "by mallory , rank 1" in table
    # alice has 0.75 and mallory 0.95 in both columns; of distances the smaller is better.
    assert "0.75 0.95 \u22120.20 worse 0.75 0.95 \u22120.20 better" in table


def test_what_happened_in_the_order_of_time(site: Path) -> None:
    page = text((site / RIGHT / "index.html").read_text())
    story = page[page.index("What happened to it") : page.index("Scored again")]
    # The earlier versions of this record come the later first; time orders them.
    assert re.search(
        r"2025-12-01 00:00 UTC : evaluated \(One\).*2025-12-02 00:00 UTC : scored again \(One\)"
        r".*2026-01-01 00:00 UTC : submitted"
        r".*2026-01-02 00:00 UTC : evaluated again \(One\)",
        story,
    )


def test_events_of_many_records_are_few() -> None:
    entries = Entries(make_benchmark(tasks="0, 1")).enter("a", "one", {"a": 1.0}, {"a": 2.0})
    row = entries.board().rows[0]
    assert [(item.what, item.tasks) for item in story(row, entries.board())] == [
        ("submitted", ()),
        ("evaluated", ("One", "Two")),
    ]
    entries.enter("b", "two", FAILED)
    board = entries.board(stale=frozenset([CellId(
        benchmark="bench", participant="b", submission="two", phase="main", task="one",
    )]))  # fmt: skip
    row = next(row for row in board.rows if row.submission.name == "two")
    assert [(item.what, item.tasks) for item in story(row, board)[1:]] == [
        ("failed, timed out: participant must act", ("One",)),
        ("to be evaluated again: the record is of other content", ("One",)),
        ("to be evaluated", ("Two",)),
    ]


def test_provenance_is_a_chain(site: Path) -> None:
    page = (site / RIGHT / "index.html").read_text()
    chain = re.findall(r"<li><strong>([^<]*)</strong>", page[page.index('class="chain"') :])
    assert chain[:9] == [
        "Submission", "Content", "Commit evaluated", "Image", "Evaluator", "Runner", "Time",
        "Scores", "This page",
    ]  # fmt: skip


def test_machine_and_times_are_said_to_be_the_runners_claim(site: Path) -> None:
    page = text((site / RIGHT / "index.html").read_text())
    provenance = page[page.index("Provenance") :]
    assert provenance.count("are the claim of the runner that made the record") == 1


def test_pages_of_large_boards_do_not_change_with_each_record() -> None:
    """Neither rank nor number of rows nor leader stands in the page: a script looks them up."""
    few = Entries(make_benchmark())
    for number in range(MAX_STATIC_ROWS + 1):
        few.enter(f"p{number}", "only", {"a": float(number)})
    before = next(iter(submission_pages(content_of(few.board()), SITE))).render()
    few.enter("new", "leader", {"a": 1e6})
    after = {page.path: page.render() for page in submission_pages(content_of(few.board()), SITE)}
    assert after[before.path].html == before.html
    assert 'data-view="../../../../../benchmarks/bench/view.json"' in before.html
    assert "assets/place.js" in before.html


@pytest.mark.browser
def test_any_other_is_chosen_and_the_address_says_so(page: Page, address: str) -> None:
    page.goto(address + RIGHT)
    choice = page.get_by_label("Compare with")
    expect(choice).to_have_value("mallory/hostile")
    table = page.locator("table.scores")
    assert table.locator("th.other").count() == 2
    choice.select_option("bob/wrong")
    assert page.url.endswith("?with=bob%2Fwrong")
    expect(table.locator("caption")).to_contain_text("by bob")
    expect(table.locator("tbody tr:nth-child(2) td.other").first).to_have_text("failed")
    assert table.locator("th.other").count() == 2
    page.go_back()
    expect(choice).to_have_value("mallory/hostile")
    expect(table.locator("tbody tr:nth-child(2) td.difference").first).to_contain_text("worse")
    assert page.title() != "owned"


@pytest.mark.browser
def test_the_static_comparison_is_what_the_script_makes(
    browser: Browser, page: Page, address: str
) -> None:
    page.goto(address + RIGHT)
    expect(page.get_by_label("Compare with")).to_be_visible()
    made = page.locator("table.scores").inner_text()
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(address + RIGHT)
    expect(plain.locator("[data-versus]")).to_be_hidden()
    assert re.sub(r"\s+", " ", plain.locator("table.scores").inner_text()) == re.sub(
        r"\s+", " ", made
    )
    context.close()


@pytest.mark.browser
def test_an_unknown_name_in_the_address_is_named(page: Page, address: str) -> None:
    page.goto(address + RIGHT + "?with=<img src=x onerror=document.title='owned'>")
    expect(page.locator(".versus [role=status]")).to_contain_text("is not another submission")
    expect(page.get_by_label("Compare with")).to_have_value("mallory/hostile")
    assert page.title() != "owned"


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("path", [RIGHT, "benchmarks/adding/submissions/mallory/hostile/"])
def test_it_fits_a_phone(browser: Browser, address: str, width: int, path: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(address + path, wait_until="networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


@pytest.mark.browser
def test_scripts_write_halves_as_the_page_without_them(browser: Browser, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo").with_bundle("small")
    shutil.copytree(ROOT / "site", repository.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repository.path / "mkdocs.yml")
    for item in repository.plan().missing:
        value = 0.25 if item.cell.id.submission == "right" else 0.125
        keys = item.cell.benchmark.leaderboard.score_keys
        record = record_of(item.cell, scores=dict.fromkeys(keys, value))
        repository.put(record)
    repository.commit("Records")
    tables = []
    with serving(build.build_site(repository.path).folder) as address:
        for scripts in (False, True):
            context = browser.new_context(java_script_enabled=scripts)
            page = context.new_page()
            page.goto(address + RIGHT)
            if scripts:
                expect(page.locator("[data-versus]")).to_be_visible()
            tables.append(page.locator("table.scores tbody").inner_text().split())
            context.close()
    assert "0.12" in tables[0]
    assert tables[0] == tables[1]
