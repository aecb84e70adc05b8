"""The header is one on every page: its height, its links, search and light or dark."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser
HEIGHT = 48
PAGES = (
    "organisers/settings/", "benchmarks/adding/", "benchmarks/adding/submissions/alice/right/",
    "people/alice/", "people/", "search/", "404.html",
)  # fmt: skip
LINKS = ["Home", "Benchmarks", "People", "Docs"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(color_scheme="light")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_every_page_has_the_same_header(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in PAGES:
        page.goto(address + path)
        header = page.get_by_role("banner")
        box = header.bounding_box()
        assert box is not None
        assert (box["y"], box["height"]) == (0, HEIGHT), path
        assert header.locator("nav a:visible").all_inner_texts() == LINKS[width <= 640 :]
        expect(header.get_by_role("link", name="pullbench", exact=True)).to_be_in_viewport()
        for name in LINKS[1:]:
            expect(header.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
        expect(header.get_by_role("button", name="Search")).to_be_in_viewport(ratio=1)
        expect(header.locator(".md-header__option label:visible")).to_be_in_viewport(ratio=1)
        assert page.locator(".md-tabs").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_links_lead_where_they_say_from_any_depth(page: Page, address: str) -> None:
    for path in PAGES[:4]:
        for name, target in (("Benchmarks", "benchmarks/"), ("People", "people/")):
            page.goto(address + path)
            page.get_by_role("banner").get_by_role("link", name=name).click()
            expect(page).to_have_url(address + target)
            current = page.get_by_role("banner").locator("[aria-current]")
            expect(current).to_have_text(name)


def test_the_part_of_the_site_is_marked(page: Page, address: str) -> None:
    for path, name in ((PAGES[1], "Benchmarks"), (PAGES[2], "Benchmarks"), (PAGES[3], "People")):
        page.goto(address + path)
        expect(page.get_by_role("banner").locator("nav [aria-current]")).to_have_text(name)


def test_a_slash_leads_to_search_but_not_while_one_types(page: Page, address: str) -> None:
    for path in PAGES[:4]:
        page.goto(address + path)
        page.keyboard.press("/")
        field = page.get_by_role("banner").get_by_role("searchbox")
        expect(field).to_be_focused()
        page.keyboard.type("a/b")
        expect(field).to_have_value("a/b")


def test_the_colours_chosen_on_one_page_hold_on_all(page: Page, address: str) -> None:
    body = page.locator("body")
    for chosen_on, also_on in ((PAGES[2], PAGES[0]), (PAGES[0], PAGES[3])):
        page.goto(address + chosen_on)
        page.evaluate("localStorage.clear()")
        page.reload()
        expect(body).to_have_attribute("data-md-color-scheme", "default")
        page.get_by_title("Switch to light mode").click()
        page.get_by_title("Switch to dark mode").click()
        expect(body).to_have_attribute("data-md-color-scheme", "slate")
        page.goto(address + also_on)
        expect(body).to_have_attribute("data-md-color-scheme", "slate")
        page.get_by_title("Follow the system").click()
        expect(body).to_have_attribute("data-md-color-scheme", "default")


def test_the_keyboard_switches_colours(page: Page, address: str) -> None:
    page.goto(address + PAGES[2])
    page.get_by_role("radio", name="Switch to light mode").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")


def test_docs_have_their_pages_at_the_side(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(address + PAGES[0])
    side = page.get_by_role("navigation", name="Docs", exact=True)
    expect(side.get_by_role("link", name="Settings")).to_be_visible()
    side.get_by_role("link", name="Try your entry locally").click()
    expect(page).to_have_url(address + "participants/running/")
    page.set_viewport_size({"width": 375, "height": 800})
    page.get_by_title("Pages of this part").click()
    expect(page.get_by_role("navigation", name="Docs", exact=True)).to_be_in_viewport()
