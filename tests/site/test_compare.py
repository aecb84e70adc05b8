"""Two to five submissions side by side, as a browser shows them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.conftest import HOSTILE

pytestmark = pytest.mark.browser
NONE = "\u2013"
COMPARE = "benchmarks/adding/compare/"
BOTH = COMPARE + "?with=alice/right&with=mallory/hostile"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def line(page: Page, region: str, name: str) -> list[str]:
    found = page.get_by_role("region", name=region).get_by_role("row").filter(
        has=page.get_by_role("rowheader", name=name)
    )  # fmt: skip
    return [" ".join(text.split()) for text in found.locator("td").all_inner_texts()]


def test_from_the_board_by_choosing(page: Page, address: str) -> None:
    page.goto(address + "benchmarks/adding/")
    page.get_by_role("link", name="Analysis").click()
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_role("heading", name="At a glance")).to_be_visible()
    removers = page.get_by_role("button", name=re.compile("^Remove"))
    expect(removers).to_have_count(2)  # the first and the second of the board
    removers.first.click()
    removers.first.click()
    expect(page.get_by_text("Choose two.")).to_be_visible()
    page.get_by_label("Find").fill("right")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("Choose one more.")).to_be_visible()
    page.get_by_label("Find").fill("mallory")
    page.get_by_label("Find").press("Enter")
    expect(page.get_by_role("heading", name="Task by task")).to_be_visible()
    assert page.url.endswith("?with=alice%2Fright&with=mallory%2Fhostile")
    page.go_back()
    expect(page.get_by_text("Choose one more.")).to_be_visible()


def test_values_differences_and_duels(page: Page, address: str) -> None:
    page.goto(address + BOTH)
    expect(page.get_by_role("heading", name="At a glance")).to_be_visible()
    assert line(page, "At a glance", "Rank") == ["2", "1"]
    assert line(page, "At a glance", "Against the first") == [NONE, "2 won, 0 tied, 0 lost"]
    assert line(page, "Task by task", "One") == ["0.75", "0.95 +0.20 better"]
    best = page.get_by_role("region", name="Task by task").locator("td.best")
    assert [text.split()[0] for text in best.all_inner_texts()] == ["0.95", "0.95"]
    assert line(page, "Prediction time", "One")[0].startswith("0.25 s")
    assert line(page, "Prediction time", "All tasks, mean")[0] == "0.25 s"
    assert line(page, "Fact sheet", "Method (they differ)")[0] == "counting"


def test_another_column_turns_the_comparison_around(page: Page, address: str) -> None:
    page.goto(address + BOTH)
    page.get_by_label("Column").select_option(label="Distance")
    expect(page.get_by_label("Column")).to_have_value("distance")
    assert page.url.endswith("&column=distance")
    assert line(page, "At a glance", "Against the first") == [NONE, "0 won, 0 tied, 2 lost"]
    assert line(page, "Task by task", "One") == ["0.75", "0.95 +0.20 worse"]


def test_failures_stand_with_their_reason(page: Page, address: str) -> None:
    page.goto(address + COMPARE + "?with=alice/right&with=bob/wrong")
    expect(page.get_by_role("heading", name="Task by task")).to_be_visible()
    assert line(page, "Task by task", "One")[1] == "failed timed out; participant must act"
    assert "Who must act: participant" in page.locator("#failures + ul").inner_text()
    assert line(page, "At a glance", "Against the first")[1].endswith("2 not compared")


def test_unknown_names_are_named_and_can_be_removed(page: Page, address: str) -> None:
    strange = "<img src=x onerror=document.title='owned'>"
    page.goto(address + BOTH + f"&with={strange}&with=alice/gone")
    missing = page.locator(".missing-ids")
    expect(missing).to_contain_text("alice/gone")
    expect(missing).to_contain_text(strange)
    missing.get_by_role("button", name="Remove alice/gone").click()
    expect(missing).not_to_contain_text("alice/gone")
    missing.get_by_role("button").click()
    expect(missing).to_be_hidden()
    assert "gone" not in page.url
    expect(page.get_by_role("heading", name="At a glance")).to_be_visible()
    assert page.title() != "owned"


def test_removing_by_keyboard(page: Page, address: str) -> None:
    page.goto(address + BOTH)
    page.get_by_role("button", name="Remove right").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Choose one more.")).to_be_visible()
    assert page.evaluate("document.activeElement.type") == "search"


def test_hostile_names_are_text(page: Page, address: str) -> None:
    outside: list[str] = []
    errors: list[str] = []
    page.on("request", lambda r: None if r.url.startswith(address) else outside.append(r.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address + BOTH)
    expect(page.get_by_role("region", name="At a glance")).to_contain_text(HOSTILE[:40])
    assert page.locator("img[src=x]").count() == 0
    assert page.title() != "owned"
    assert (outside, errors) == ([], [])


def test_without_javascript_it_says_where_to_look(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + COMPARE)
    expect(page.get_by_text("compares it with the leader")).to_be_visible()
    expect(page.locator(".picker")).to_be_hidden()
    context.close()


def test_a_phone_does_not_scroll_sideways(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = context.new_page()
    page.goto(address + BOTH, wait_until="networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()
