"""WCAG 2.2 AA as far as axe can tell, in both palettes, on a desk and on a phone."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.site.conftest import ROOT
from tests.site.waiting import wait_until

pytestmark = pytest.mark.browser
CLASSICS = "benchmarks/tabular-classics/"
SUITE = "benchmarks/openml-mini-suite/"
PAGES = (
    "", CLASSICS, CLASSICS + "tasks/",
    CLASSICS + "?add=overall.balanced_accuracy&aggregate=mean_rank&sort=iris.accuracy",
    CLASSICS + "submit/", CLASSICS + "share/", CLASSICS + "analysis/", CLASSICS + "submissions/",
    CLASSICS + "compare/?with=carol/logistic-regression&with=alice/majority-class",
    CLASSICS + "submissions/alice/majority-class/",
    "benchmarks/sorting-race/submissions/dave/tree-sort/", CLASSICS + "history/", SUITE,
    SUITE + "analysis/", SUITE + "plots/", "benchmarks/ogb-lsc-mag240m/",
    "benchmarks/open-tabular/datasets/", "benchmarks/pipeline-stages/ablation/",
    "benchmarks/autowsl/phases/check/", "people/alice/",
    "status/", "participants/", "readers/", "organisers/bundles/", "404.html",
    "search/?q=logistic",
)  # fmt: skip
FEW = ("", CLASSICS, CLASSICS + "analysis/", SUITE, "benchmarks/ogb-lsc-mag240m/", "people/alice/")
"""For the other two pairs: what hangs on both palette and width stands on these; and for
`make test`."""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
TAKEN = """() => [...document.querySelectorAll('pre > code')].every(
    one => one.scrollWidth <= one.clientWidth || one.hasAttribute('tabindex'))"""
"""The theme lets the keyboard scroll what is wider than its field, once it has measured it."""
OPENED = """document.querySelectorAll(
    '.controls details, .verdict, .share, .folds details').forEach(one => { one.open = true; })"""
SHOTS = ROOT / "build/screenshots"
_NAMES = re.compile(r"[^a-z0-9]+")


def violations(page: Page) -> list[str]:
    """Return what axe finds, by rule and element.

    Axe names each element with a violation, and of those that pass one for each rule: names take
    it longer than rules.
    """
    options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    found: dict[str, Any] = Axe().run(page, options=options).response
    assert len(found["passes"]) > 5
    return [
        f"{rule['id']}: {node['target']} {node['html'][:160]} {node.get('failureSummary', '')}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize(
    ("scheme", "width", "pages"),
    [
        ("light", 1280, FEW),
        ("dark", 320, FEW),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in (
                ("light", 1280, PAGES),
                ("dark", 320, PAGES),
                ("light", 320, FEW),
                ("dark", 1280, FEW),
            )
        ),
    ],
)
def test_axe_finds_nothing(
    browser: Browser, own_address: str, scheme: Any, width: int, pages: tuple[str, ...]
) -> None:
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}, reduced_motion="reduce"
    )
    page = context.new_page()
    found: dict[str, list[str]] = {}
    SHOTS.mkdir(parents=True, exist_ok=True)
    for path in pages:
        page.goto(own_address + path, wait_until="networkidle")
        page.evaluate(OPENED)
        wait_until(page, TAKEN)
        if width == 320:
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        if some := violations(page):
            found[path] = some
        page.evaluate(OPENED.replace("true", "false"))
        name = _NAMES.sub("-", path.lower()).strip("-") or "home"
        page.screenshot(path=SHOTS / f"{name}-{scheme}-{width}.png")
    context.close()
    assert found == {}


def test_boards_can_be_printed(browser: Browser, own_address: str, tmp_path: Path) -> None:
    """Nothing scrolls on paper: what a region held back would be lost."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    page.goto(own_address + CLASSICS, wait_until="networkidle")
    page.emulate_media(media="print")
    region = page.locator(".board").first
    assert region.evaluate("one => getComputedStyle(one).overflow") == "visible"
    assert page.locator(".controls .tools").is_hidden()
    file = tmp_path / "board.pdf"
    page.pdf(path=file)
    assert file.stat().st_size > 10_000
    context.close()


HEADINGS = """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
    .filter(one => one.checkVisibility()).map(one => Number(one.tagName[1]))"""


@pytest.mark.slow
def test_headings_are_an_outline(browser: Browser, own_address: str) -> None:
    """What screen readers jump by: one heading of the page, and no level left out below it."""
    page = browser.new_page()
    wrong = {}
    for path in PAGES:
        page.goto(own_address + path)
        levels = page.evaluate(HEADINGS)
        if levels.count(1) != 1 or any(low > high + 1 for high, low in pairwise([0, *levels])):
            wrong[path] = levels
    assert wrong == {}
    page.context.close()


def test_what_is_read_aloud_of_the_home_page_and_a_board(
    browser: Browser, own_address: str
) -> None:
    """In the order of reading, with the roles that a screen reader says."""
    page = browser.new_page()
    page.goto(own_address)
    listed = page.get_by_role("list", name="Open benchmarks")
    card = listed.get_by_role("listitem").filter(has_text="AMLB validation")
    expect(card).to_match_aria_snapshot(
        """
        - listitem:
          - heading "AMLB validation" [level=3]:
            - link "AMLB validation"
          - paragraph: /File data sets/
          - table /Mean rank, bars from /
          - paragraph:
            - link "Submit to AMLB validation"
        """
    )
    page.goto(own_address + CLASSICS)
    board = page.get_by_role("region", name=re.compile("^Leaderboard of"))
    expect(board.get_by_role("columnheader", name="Rank")).to_be_visible()
    first = board.get_by_role("row").filter(has=page.get_by_role("rowheader")).first
    expect(first.get_by_role("rowheader").get_by_role("link").first).to_be_visible()
    expect(first.get_by_role("cell").first).to_have_text(re.compile(r"^1\b"))
    expect(page.get_by_role("search").get_by_role("status")).to_have_text(re.compile(r"^\d+ rows$"))
    page.context.close()
