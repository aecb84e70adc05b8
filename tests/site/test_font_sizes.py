"""One page of every kind has text in the five sizes of the tokens, and in no other."""

import re

import pytest
from playwright.sync_api import Browser

from tests.site.conftest import ROOT
from tests.site.test_accessibility import CLASSICS, OPENED, PAGES, SUITE

SIZES = {"12px", "13px", "15px", "18px", "26px"}
MORE = (
    SUITE + "embed/", SUITE + "history/2026-11-24/", SUITE + "compare/", "people/", "benchmarks/",
    CLASSICS + "pages/terms/", "benchmarks/open-tabular/submissions/grace/breast-cancer/", "faq/",
    "docs/", "contributors/decisions/",
)  # fmt: skip
FOUND = """() => [...document.querySelectorAll('body, body *')].flatMap(one => {
    if (one.closest('script, style, noscript, template, option')) return [];
    if (one.ownerSVGElement && !one.checkVisibility()) return [];
    const drawn = one.ownerSVGElement && one.getScreenCTM?.();
    const scale = drawn ? Math.hypot(drawn.a, drawn.b) : 1;
    const texts = ['::before', '::after'].map(part => getComputedStyle(one, part))
        .filter(({content}) => /["'].*[^\\s"'].*["']/.test(content));
    const hasText = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    return [...texts, ...(hasText ? [getComputedStyle(one)] : [])]
        .map(({fontSize}) => `${Math.round(parseFloat(fontSize) * scale * 100) / 100}px `
            + `${one.tagName} ${one.className.baseVal ?? one.className}`);
})"""


def test_the_tokens_are_five() -> None:
    tokens = (ROOT / "evaluator/site/pages/assets/tokens.css").read_text()
    sizes = re.findall(r"--pb-text-\w+: ([\d.]+)rem", tokens)
    assert {f"{float(size) * 20:.0f}px" for size in sizes} == SIZES


@pytest.mark.browser
@pytest.mark.parametrize("width", [375, 1280])
def test_text_has_the_five_sizes(browser: Browser, own_address: str, width: int) -> None:
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    others: dict[str, set[str]] = {}
    for path in (*PAGES, *MORE):
        answer = page.goto(own_address + path)
        assert answer is not None
        assert answer.ok or path == "404.html", path
        page.evaluate(OPENED)
        found = page.evaluate(FOUND)
        assert len(found) > 5, path
        if wrong := {one for one in found if one.split(" ")[0] not in SIZES}:
            others[path] = wrong
    page.context.close()
    assert others == {}
