"""Search over everything on the site, in a real browser."""

import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.site.build import build
from tests.records import cells_of, record_of, write_records
from tests.repository import Repository
from tests.site.build.test_output import times
from tests.site.conftest import ROOT

pytestmark = pytest.mark.browser
MAX_FIRST_SEARCH = 300 * 1000
"""Bytes that the first search may load, compressed; 10,000 submissions are in `make bench`."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("words", "title", "kind", "where"),
    [
        ("Support vectors", "Support vectors by grace", "Submission", "Tabular classics, by grace"),
        ("grace", "grace", "Participant", "Tabular classics"),
        ("breast cancer", "Breast cancer", "Task", "Tasks of Tabular classics"),
        ("radial basis kernel", "Support vectors by grace", "Submission", "Open tabular"),
        ("tabular classics", "Tabular classics", "Benchmark", ""),
        ("quota", "What counts as an attempt", "Page", "Failures and quotas"),
    ],
)
def test_what_is_found(
    page: Page, own_address: str, words: str, title: str, kind: str, where: str
) -> None:
    page.goto(own_address)
    page.get_by_role("banner").get_by_role("searchbox").fill(words)
    page.keyboard.press("Enter")
    item = page.locator(".search-results li").filter(has_text=where).filter(has_text=kind)
    link = item.get_by_role("link", name=title, exact=True).first
    expect(link).to_be_visible()
    link.click()
    expect(page.get_by_role("heading", name=title.split(" by ")[0]).first).to_be_visible()


@pytest.mark.parametrize(
    ("words", "title", "kind"),
    [
        ("grace", "grace", "Participant"),
        ("autowsl", "AutoWSL (stand-in data)", "Benchmark"),
        ("Tabular classics", "Tabular classics", "Benchmark"),
        ("tabluar clasics", "Tabular classics", "Benchmark"),
    ],
)
def test_who_and_what_is_called_so_comes_first(
    page: Page, own_address: str, words: str, title: str, kind: str
) -> None:
    page.goto(f"{own_address}search/?q={words}")
    hit = page.locator(".search-results li").first
    expect(hit.get_by_role("link")).to_have_text(title)
    expect(hit.locator(".reported")).to_have_text(kind)


def test_a_typing_error_is_forgiven_and_said(page: Page, own_address: str) -> None:
    page.goto(f"{own_address}search/?q=gradeint")
    expect(page.get_by_role("status")).to_contain_text(
        "for “gradient”, which is close to “gradeint”"
    )
    hit = page.locator(".search-results li", has_text="Submission").first
    expect(hit).to_contain_text(re.compile(r"rank \d+ of \d+"))


def test_contributors_pages_come_last_and_decisions_not_at_all(
    page: Page, own_address: str
) -> None:
    page.goto(f"{own_address}search/?q=records")
    expect(page.locator(".search-results li").nth(19)).to_be_visible()
    links = page.locator(".search-results li a").evaluate_all("all => all.map(one => one.href)")
    are_last = ["/contributors/" in link for link in links]
    assert not are_last[0]
    assert are_last == sorted(are_last)
    assert not [link for link in links if "/decisions/0" in link]


@pytest.mark.parametrize(
    ("words", "page_of_it"),
    [
        ("rss", "readers/machines/#feeds"), ("subscribe", "readers/machines/#feeds"),
        ("enter a benchmark", "participants/"), ("reproduce", "readers/check/"),
        ("ranking rule", "readers/ranking/"),
    ],
)  # fmt: skip
def test_readers_words_find_the_page(
    page: Page, own_address: str, words: str, page_of_it: str
) -> None:
    page.goto(f"{own_address}search/?q={words}")
    expect(page.locator(f'.search-results a[href*="{page_of_it}"]').first).to_be_visible()


def test_an_answer_to_a_fact_sheet_is_found(page: Page, address: str) -> None:
    page.goto(f"{address}search/?q=counting")
    found = page.locator(".search-results li").filter(has_text="by alice")
    expect(found).to_contain_text("counting")
    expect(found.locator("mark")).to_have_text("counting")


def test_what_a_stranger_wrote_is_text(page: Page, address: str) -> None:
    page.goto(f"{address}search/?q=mallory")
    expect(page.get_by_role("link", name="<img src=x onerror=").first).to_be_visible()
    assert page.locator(".search-results img").count() == 0
    assert "owned" not in page.title()


def test_the_address_carries_the_words_and_nothing_is_said_of_none(
    page: Page, address: str
) -> None:
    page.goto(f"{address}search/")
    field = page.get_by_role("searchbox", name="Submissions, participants")
    expect(field).to_be_focused()
    field.fill("zzyzx")
    expect(page.get_by_role("status")).to_have_text("No results for “zzyzx”")
    assert page.url.endswith("?q=zzyzx")
    field.fill("")
    expect(page.get_by_role("status")).to_have_text("")


def test_a_page_that_is_not_search_loads_nothing_of_it(page: Page, own_address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{own_address}benchmarks/tabular-classics/")
    page.wait_for_load_state("networkidle")
    assert asked
    assert not [one for one in asked if "search" in one or "pagefind" in one]


def test_the_first_search_is_light(page: Page, own_address: str, own_site: Path) -> None:
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url.removeprefix(own_address)))
    page.goto(f"{own_address}search/?q=gradient")
    expect(page.locator(".search-results li").first).to_be_visible()
    parts = [one for one in asked if one.startswith("pagefind/")]
    assert len(parts) > 5
    sizes = [len(gzip.compress((own_site / one.split("?")[0]).read_bytes())) for one in parts]
    assert sum(sizes) < MAX_FIRST_SEARCH


def test_the_index_is_made_where_what_is_found_changed(site: Path) -> None:
    root = site.parents[1]
    before = {path: at for path, at in times(site).items() if path.startswith("pagefind/")}
    assert len(before) > 20
    build.build_site(root)
    after = {path: at for path, at in times(site).items() if path.startswith("pagefind/")}
    assert after == before


@pytest.mark.slow
def test_a_new_score_alone_makes_no_new_index(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "site", small.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", small.path / "mkdocs.yml")
    write_records(small)
    small.commit("Records")
    board = build.build_site(small.path).folder / "benchmarks/adding/index.html"
    before = board.read_text()
    for name, cell in cells_of(small).items():
        if name.startswith("adding/"):
            right = float(name.startswith("adding/bob/"))
            small.put(record_of(cell, scores={"right": right, "distance": 1 - right}))
    small.commit("Other ranks")

    def fail(*_: object) -> None:
        raise AssertionError("the index is made anew")

    monkeypatch.setattr("evaluator.site.build.search._index", fail)
    build.build_site(small.path)
    assert board.read_text() != before


def test_pages_of_contributors_that_name_everything_are_not_found(own_site: Path) -> None:
    """Every search would find them."""
    found = [gzip.decompress(file.read_bytes()) for file in own_site.glob("pagefind/fragment/*")]
    assert any(b"contributors/glossary" in one for one in found)
    for page in (b"modules", b"contracts", b"simulations"):
        assert not any(b"contributors/" + page in one for one in found)
