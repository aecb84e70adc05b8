"""The site as people meet it, in a real headless Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

pytestmark = pytest.mark.browser
BOARD = "benchmarks/adding/"
PAGES = ("", BOARD, BOARD + "tasks/", BOARD + "submissions/",
         BOARD + "submissions/mallory/hostile/", BOARD + "submissions/bob/wrong/",
         BOARD + "pages/overview/", BOARD + "submit/", BOARD + "submissions/alice/right/",
         "status/", BOARD + "compare/", "people/mallory/")  # fmt: skip


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def is_complaint(message: ConsoleMessage) -> bool:
    """Whether an error is one: what a frame's walls stopped is reported as well."""
    walls = ("Blocked script execution", "violates the following Content Security Policy")
    return message.type == "error" and not any(wall in message.text for wall in walls)


def first_names(page: Page) -> list[str]:
    return page.locator("table[data-sortable] tbody th > a:not(.details)").all_inner_texts()


@pytest.mark.parametrize("path", PAGES)
def test_no_request_leaves_the_site_and_nothing_executes(
    page: Page, address: str, path: str
) -> None:
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if is_complaint(m) else None)
    page.goto(address + path, wait_until="networkidle")
    assert requests
    assert [url for url in requests if not url.startswith((address, "data:"))] == []
    assert complaints == []
    assert page.title() != "owned"
    assert "49" not in page.title()


def test_formulas_and_pictures_of_a_page_are_seen(page: Page, address: str) -> None:
    page.goto(address + BOARD + "pages/overview/")
    formula = page.locator("math", has=page.locator("mfrac"))
    over = formula.locator("mfrac > *").nth(0).bounding_box()
    under = formula.locator("mfrac > *").nth(1).bounding_box()
    assert over
    assert under
    assert over["y"] + over["height"] <= under["y"] + 1, "a fraction stands as one"
    for name in ("of the bundle", "embedded"):
        width = page.get_by_alt_text(name).evaluate("picture => picture.naturalWidth")
        assert width == 1, name
    link = page.get_by_role("link", name="from elsewhere")
    assert link.get_attribute("href") == "https://pictures.example.org/a.png"
    expect(link.locator("..")).to_contain_text("pages here ask no other server")


def test_detailed_results_stand_in_a_frame_that_runs_nothing(page: Page, address: str) -> None:
    page.goto(address + BOARD + "submissions/mallory/hostile/")
    page.locator("table.scores").get_by_role("link", name="One").click()  # opens what is folded
    frame = page.frame_locator("iframe.detailed").first
    expect(frame.get_by_role("heading", name="Details")).to_be_visible()
    assert page.locator("iframe.detailed").first.get_attribute("sandbox") == ""
    assert page.title() != "owned"


def test_the_board_leads_to_detailed_results(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    page.get_by_role("link", name="detailed results").click()
    expect(page).to_have_url(address + BOARD + "submissions/mallory/hostile/#detailed-results-one")
    expect(page.locator("#detailed-results-one")).to_be_in_viewport()


def test_sorting_by_an_answer(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    head = page.locator("table[data-sortable] thead tr").last.locator("th", has_text="Method")
    head.get_by_role("button").click()
    found = page.locator("table[data-sortable] tbody td.answer:nth-last-child(2)").all_inner_texts()
    assert found == sorted(found, key=lambda answer: (answer == "", answer.lower()))
    assert "counting" in found


def test_sorting_by_a_column_and_back(page: Page, address: str) -> None:
    page.goto(address + BOARD + "?add=overall.distance")
    expect(page.locator("[data-ready]")).to_have_count(1)
    ranked = first_names(page)
    assert len(ranked) == 3
    head = (
        page.locator("table[data-sortable] thead tr").last.locator("th", has_text="Distance").first
    )
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    ascending = first_names(page)
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    descending = first_names(page)
    # The failed row stays last, whichever way the others are sorted.
    assert ascending[-1] == descending[-1] == ranked[-1]
    assert ascending[:-1] == descending[:-1][::-1]


def test_the_board_reads_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + BOARD)
    assert len(first_names(page)) == 3
    assert page.locator("td.state.failed").first.is_visible()
    context.close()


def test_from_home_to_a_submission_by_links(page: Page, address: str) -> None:
    page.goto(address)
    open_ones = page.get_by_role("list", name="Open benchmarks")
    open_ones.get_by_role("link", name="Adding", exact=True).click()
    page.locator("table a").first.click()
    expect(page.get_by_role("heading", name="Reproduce")).to_be_visible()
    page.get_by_text("Provenance", exact=True).click()
    expect(page.get_by_text("Commit evaluated")).to_be_visible()


def test_from_the_board_to_the_forms_by_links(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    page.get_by_role("link", name="Submit an entry").click()
    expect(page).to_have_url(address + BOARD + "submit/")
    expect(page.get_by_role("heading", name="Three commands")).to_be_visible()
    page.get_by_role("link", name="Status").last.click()
    expect(page.get_by_text("Nothing waits.")).to_be_visible()


def test_from_a_changed_board_to_a_submissions_history_by_links(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    page.get_by_role("link", name="Before the change").click()
    table = page.get_by_role("region", name="Before the change")
    expect(table).to_be_in_viewport()
    table.get_by_role("link", name="right").click()
    page.locator("summary", has_text="scored again").click()
    expect(page.get_by_role("region", name="Earlier scores on One")).to_be_visible()


@pytest.mark.parametrize("path", PAGES)
def test_a_phone_does_not_scroll_sideways(browser: Browser, address: str, path: str) -> None:
    for javascript in (True, False):
        context = browser.new_context(
            viewport={"width": 320, "height": 640}, java_script_enabled=javascript
        )
        page = context.new_page()
        page.goto(address + path)
        width = page.evaluate("document.documentElement.scrollWidth")
        context.close()
        assert width <= 320, javascript


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_differ(browser: Browser, address: str, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(address + BOARD)
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    context.close()
    red = int(color.removeprefix("rgb(").removeprefix("rgba(").split(",")[0].split(")")[0] or 0)
    assert (red > 128) == (scheme == "light")
