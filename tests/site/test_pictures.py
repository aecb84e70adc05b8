"""The README's pictures, taken of the project's own site; ``make pictures`` puts them there."""

import re

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.site.conftest import ROOT

SUITE = "benchmarks/openml-mini-suite/"
PICTURES = {
    "leaderboard": (SUITE, "no significant difference", 520),
    "compare": (
        f"{SUITE}compare/?with=dave/small-automl&with=bob/random-forest", "At a glance",
        760,
    ),
}  # fmt: skip
"""Name -> its page, what has to be on the picture, and its height: nothing but what fills it."""
SHOTS = ROOT / "build/screenshots/readme"


@pytest.mark.browser
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_for_the_readme(browser: Browser, own_address: str, name: str) -> None:
    path, words, height = PICTURES[name]
    SHOTS.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(
        viewport={"width": 1280, "height": height},
        color_scheme="light", reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    page.goto(own_address + path, wait_until="networkidle")
    expect(page.get_by_text(words).first).to_be_in_viewport()
    # Shaded or compared: what only the page's script does.
    expect(page.locator("td[class*='heat-'], td .worse").first).to_be_in_viewport()
    file = SHOTS / f"{name}.png"
    page.screenshot(path=file)
    context.close()
    with Image.open(file) as taken:
        assert taken.size == (1280, height)
        assert len(taken.convert("RGB").getcolors(maxcolors=2**20) or ()) > 50


def test_the_readme_shows_these_and_no_other() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text())
    assert sorted(shown) == sorted(f"site/assets/{name}.png" for name in PICTURES)
    for name, (_, _, height) in PICTURES.items():
        with Image.open(ROOT / f"site/assets/{name}.png") as picture:
            assert picture.size == (1280, height)
