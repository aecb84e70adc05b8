"""The home page and the list of benchmarks, and the sizes of text on them and on the guides."""

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.site.pages.overview import sparkline

DECON = "DECONbench (stand-in data)"
_LETTERS = """() => Math.max(...[...document.querySelectorAll("article > p")].map(element => {
    const range = document.createRange(), rows = new Map();
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text; (text = walk.nextNode());)
        for (let at = 0; at < text.length; at++) {
            range.setStart(text, at); range.setEnd(text, at + 1);
            const row = Math.round(range.getBoundingClientRect().bottom / 12);
            rows.set(row, (rows.get(row) ?? 0) + 1);
        }
    return Math.max(...rows.values());
}))"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_bars_of_a_card_are_those_of_the_board(own_site: Path) -> None:
    """The same lengths, and words that say where they begin; some are below a tenth."""
    short = cut = 0
    cards = (own_site / "benchmarks/index.html").read_text().split('<li class="card"')[1:]
    for card in cards:
        name = re.findall(r'href="[^"]*benchmarks/([^"/]+)/"', card)[0]
        board = (own_site / "benchmarks" / name / "index.html").read_text()
        bars = [float(one) for one in re.findall(r'<rect width="([0-9.]+)" height', card)]
        drawn = [float(one) for one in re.findall(r'<svg class="bar".*?width="([0-9.]+)%"', board)]
        assert bars == drawn[: len(bars)], name
        said = re.findall("bars from ([^<]+)<", card)
        assert bool(said) == any(one != 100 for one in bars) or len(bars) < 2, name
        assert all(f"Bars begin at {one}" in board for one in said), name
        cut += len(said)
        short += any(one < 10 for one in drawn)
    assert len(cards) > 20 and cut > 10 and short > 0


def test_a_sparkline_goes_up_where_the_best_becomes_better() -> None:
    days = [dt.datetime(2026, 1, day, tzinfo=dt.UTC) for day in (1, 2, 5)]
    up = sparkline(dict(zip(days, (0.2, 0.4, 0.6), strict=True)), is_lower_better=False)
    assert up == "M0 19.0H16.0V10.0H64.0V1.0"
    assert sparkline(dict(zip(days, (6, 4, 2), strict=True)), is_lower_better=True) == up
    assert sparkline({days[0]: 0.2}, is_lower_better=False) == ""
    assert sparkline({}, is_lower_better=False) == ""
    assert sparkline(dict.fromkeys(days, 0.5), is_lower_better=False) == ""


@pytest.mark.browser
@pytest.mark.parametrize(("width", "columns"), [(1280, 3), (375, 1)])
def test_open_benchmarks_are_cards(page: Page, own_address: str, width: int, columns: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(own_address)
    expect(page.get_by_role("heading", level=1)).to_have_css("font-size", "26px")
    for name in ("Enter a benchmark", "Host your own", "Read results"):
        expect(page.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    cards = page.get_by_role("list", name="Open benchmarks").get_by_role("listitem")
    boxes = [card.bounding_box() for card in cards.all()]
    assert len({box["x"] for box in boxes if box}) == columns
    decon = cards.filter(has=page.get_by_role("link", name=DECON, exact=True))
    expect(decon).to_contain_text("6 entries")
    expect(decon).to_contain_text("biology")
    expect(decon.get_by_role("row")).to_have_count(3)
    widths = [float(one.get_attribute("width") or 0) for one in decon.locator("rect").all()]
    assert widths == sorted(widths, reverse=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    decon.click(position={"x": 10, "y": 10})
    expect(page).to_have_url(f"{own_address}benchmarks/deconbench/")


@pytest.mark.browser
def test_published_results_are_apart_and_not_open(page: Page, own_address: str) -> None:
    page.goto(own_address)
    published = page.get_by_role("list", name="Published results").get_by_role("listitem")
    expect(published.filter(has_text="AutoGraph, as published")).to_have_count(1)
    expect(published.get_by_role("link", name="Submit")).to_have_count(0)
    expect(published.get_by_text("open", exact=True)).to_have_count(0)
    page.get_by_role("link", name="All of them").click()
    shown = page.get_by_role("list", name="Benchmarks").get_by_role("listitem")
    expect(page.locator("select[name=state]")).to_have_value("published results")
    of_state = page.get_by_text("published results", exact=True)
    expect(shown.filter(has_not=of_state)).to_have_count(0)
    expect(shown.filter(has=of_state)).not_to_have_count(0)


@pytest.mark.browser
def test_benchmarks_are_chosen_by_words_kind_and_tag(page: Page, own_address: str) -> None:
    page.goto(f"{own_address}benchmarks/")
    shown = page.get_by_role("list", name="Benchmarks").get_by_role("listitem")
    everything = shown.count()
    page.locator("select[name=tag]").select_option("biology")
    expect(shown).to_have_count(2)
    expect(page.get_by_role("status")).to_have_text(f"2 of {everything}")
    page.locator("select[name=kind]").select_option("dataset")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("COMETH")
    page.reload()
    expect(shown).to_have_count(1)
    page.goto(f"{own_address}benchmarks/")
    page.get_by_role("searchbox", name="Search benchmarks").fill("WEAK LABELS")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("AutoWSL")


@pytest.mark.browser
@pytest.mark.parametrize("width", [375, 1280])
def test_lines_are_short(page: Page, own_address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for path in ("", "participants/", "organisers/settings/", "readers/", "organisers/keys/"):
        page.goto(own_address + path)
        assert page.evaluate(_LETTERS) <= 82, path


@pytest.mark.browser
def test_without_scripts_the_lists_are_whole(browser: Browser, own_address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{own_address}benchmarks/")
    expect(page.locator("form.filter")).to_be_hidden()
    expect(page.get_by_role("link", name=DECON, exact=True)).to_be_visible()
    context.close()
