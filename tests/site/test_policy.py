"""The policy of the pages: nothing runs but the site's scripts, nothing comes from elsewhere."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from evaluator.site.pages.security_policy import inline_scripts, policy, with_policy

BOARD = "benchmarks/tabular-classics/"
SEEN = """() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", event => {
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
}"""


def test_scripts_of_the_content_are_not_named() -> None:
    frame = (
        "<html><head><script>theme()</script><script src=a.js></script>"
        "<script type=application/json>{}</script></head><body>"
        '<div data-pullbench="begin"></div><script>evil()</script><div data-pullbench="end"></div>'
        "</body></html>"
    )
    assert inline_scripts(frame) == ("theme()",)
    assert policy(frame).count("sha256-") == 1
    assert with_policy(frame).startswith('<html><head><meta http-equiv="Content-Security-Policy"')


def test_every_page_has_the_policy_before_all_else(own_site: Path) -> None:
    pages = [
        page
        for page in own_site.rglob("*.html")
        if not {"details", "embed"} & set(page.relative_to(own_site).parts)
    ]
    assert len(pages) > 300
    for page in pages:
        text = page.read_text(encoding="utf-8")
        head = re.search(
            r"<head\b[^>]*>\s*<meta http-equiv=\"Content-Security-Policy\"[^>]*>", text
        )
        assert head, page
        for forbidden in ("unsafe", "http:", "https:", "*"):
            assert forbidden not in head[0]


def test_no_page_holds_what_the_policy_stops(own_site: Path) -> None:
    found = {
        match
        for page in own_site.rglob("*.html")
        if not {"details", "embed"} & set(page.relative_to(own_site).parts)
        for match in re.findall(
            r"<[a-z][^<>]*\s(?:style|on[a-z]+)=[^>]*>|<style\b[^>]*>",
            page.read_text(encoding="utf-8"),
        )
    }
    assert found == set()


@pytest.mark.browser
def test_the_site_works_within_it(browser: Browser, own_address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(f"({SEEN})()")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def check(path: str) -> None:
        page.goto(own_address + path, wait_until="networkidle")
        assert page.evaluate("window.violations") == [], path

    for path in (
        "", BOARD, BOARD + "analysis/", BOARD + "compare/", BOARD + "share/", BOARD + "submit/",
        BOARD + "submissions/alice/majority-class/", "benchmarks/autorl-jobshop/submissions/",
        "benchmarks/openml-mini-suite/analysis/", "benchmarks/openml-mini-suite/confidence/",
        "people/alice/", "organisers/bundles/", "status/", "404.html",
    ):  # fmt: skip
        check(path)
    page.goto(own_address, wait_until="networkidle")
    page.get_by_role("banner").get_by_role("searchbox").fill("deconbench")
    page.keyboard.press("Enter")
    expect(page.locator(".search-results a").first).to_be_visible()
    assert page.evaluate("window.violations") == []
    page.goto(own_address, wait_until="networkidle")
    before = page.locator("body").get_attribute("data-md-color-scheme")
    page.locator("label[for=__palette_1]").click()
    page.locator("label[for=__palette_2]").click()
    assert page.locator("body").get_attribute("data-md-color-scheme") != before
    assert page.evaluate("window.violations") == []
    assert errors == []
    context.close()


@pytest.mark.browser
def test_a_script_that_slipped_in_does_not_run(browser: Browser, own_address: str) -> None:
    """Should the escaping of a text ever fail."""
    slipped = (
        "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
        "<a id=trap href=\"javascript:document.title='owned'\">x</a><base href=//evil.test/>"
        "<script src=//evil.test/a.js></script><iframe srcdoc=\"<script>top.document.title='owned'"
        '</script>"></iframe>'
    )

    def altered(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("<h1", slipped + "<h1", 1))

    context = browser.new_context()
    page: Page = context.new_page()
    asked: list[str] = []
    page.on("requestfinished", lambda request: asked.append(request.url))
    stopped: list[str | None] = []
    page.on("requestfailed", lambda request: stopped.append(request.failure))
    page.add_init_script(f"({SEEN})()")
    page.route(f"**/{BOARD}", altered)
    page.goto(own_address + BOARD, wait_until="networkidle")
    page.locator("#trap").click()
    assert page.title() != "owned"
    assert len(page.evaluate("window.violations")) >= 4
    assert asked
    assert [url for url in asked if "evil.test" in url] == []
    assert set(stopped) == {"csp"}
    assert page.evaluate("document.baseURI").startswith(own_address)
    context.close()
