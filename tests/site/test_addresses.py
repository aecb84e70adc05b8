"""What a page's address asks for: anybody may have written it, and a reader follows the link."""

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser

from tests.site.test_policy import SEEN

BOARD = "benchmarks/tabular-classics/"
PAGES = (
    BOARD, BOARD + "compare/", BOARD + "analysis/", BOARD + "history/", "search/",
    BOARD + "submissions/alice/majority-class/", "status/",
)  # fmt: skip
NAMES = (
    "search", "group", "sort", "order", "show", "since", "until", "within", "hide", "add", "heat",
    "at", "metric", "aggregate", "baseline", "with", "phase", "column", "from", "to", "highlight",
    "q", "max.seconds", "weight.iris", "fact.method", "max.__proto__", "weight.__proto__",
    "__proto__", "__proto__[owned]", "constructor", "constructor.prototype.owned", "toString",
)  # fmt: skip
VALUES = {
    "names of objects": "__proto__",
    "constructors": "constructor",
    "methods": "hasOwnProperty",
    "scripts": "javascript:window.owned=1",
    "data": "data:text/html,<script>top.owned=1</script>",
    "elements": "\"'><img src=x onerror=window.owned=1><script>window.owned=1</script>",
    "templates": "${window.owned=1}{{constructor.constructor('window.owned=1')()}}",
    "other hosts": "//evil.test/a",
    "paths": "../../../../api/v1/index.json?",
    "huge numbers": "9" * 400,
    "small numbers": "-1e-400",
    "no numbers": "NaN",
    "selectors": "\"],*:has(x),[a=\"\\",
    "expressions": "(((((a+)+)+)+)+)+$[",
    "control characters": "\u0000\u202e\ud7ff\uffff",
}  # fmt: skip
INTACT = """() => ({
    owned: window.owned ?? null, polluted: Object.keys(Object.prototype).concat(
        Object.keys(Array.prototype), "owned" in {} ? ["owned"] : []),
    scripts: document.querySelectorAll("main script:not([type]), main [onerror], [src=x]").length,
    links: [...document.querySelectorAll("a[href]")].filter(
        link => ["javascript:", "data:"].includes(link.protocol) || link.host === "evil.test"
    ).map(link => link.outerHTML),
    violations: window.violations,
})"""  # fmt: skip


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(
    "path", [*PAGES[:1], *(pytest.param(path, marks=pytest.mark.slow) for path in PAGES[1:])]
)
def test_an_address_asks_and_never_acts(
    browser: Browser, own_site: Path, own_address: str, path: str
) -> None:
    if not (own_site / path / "index.html").exists():
        pytest.fail(f"{path} is no page")
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(f"({SEEN})()")
    errors: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.goto(own_address + path, wait_until="networkidle")
    plain = page.evaluate(INTACT)
    assert (plain["owned"], plain["polluted"], plain["links"]) == (None, [], [])
    words = len(page.locator("main").inner_text())
    for what, value in VALUES.items():
        query = "&".join(f"{quote(name)}={quote(value)}" for name in NAMES)
        # As many as an address holds, each doubled, with a fragment.
        page.goto(f"{own_address}{path}?{query}&{query}#{quote(value)}", wait_until="networkidle")
        assert page.evaluate(INTACT) == plain, what
        assert errors == [], what
        assert page.url.startswith(own_address + path), what
        assert len(page.locator("main").inner_text()) > min(words, 200) / 4, what
    assert [url for url in asked if not url.startswith(own_address)] == []
    context.close()
