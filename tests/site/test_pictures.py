"""Pictures of the README and of tutorials, of our own site; ``make pictures`` puts them there."""

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
    "board": ("benchmarks/tabular-classics/", "no significant difference", 640),
    "submission": (
        "benchmarks/tabular-classics/submissions/carol/logistic-regression/", "Reproduce", 640,
    ),
}  # fmt: skip
"""Name -> its page, what has to be on the picture, and its height: nothing but what fills it."""
SHOTS = ROOT / "build/screenshots/readme"


@pytest.mark.browser
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture(browser: Browser, own_address: str, name: str) -> None:
    path, words, height = PICTURES[name]
    SHOTS.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(
        viewport={"width": 1280, "height": height},
        color_scheme="light", reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    page.goto(own_address + path, wait_until="networkidle")
    expect(page.get_by_text(words).first).to_be_in_viewport()
    # Shaded, compared or best.
    expect(page.locator("td[class*='heat-'], td .worse, td.best").first).to_be_in_viewport()
    file = SHOTS / f"{name}.png"
    page.screenshot(path=file)
    context.close()
    with Image.open(file) as taken:
        assert taken.size == (1280, height)
        assert len(taken.convert("RGB").getcolors(maxcolors=2**20) or ()) > 50


def test_pages_show_these_and_no_other() -> None:
    pages = [ROOT / "README.md", *(ROOT / "site").glob("*/*.md")]
    shown = {
        name for page in pages
        for name in re.findall(r"!\[[^\]]+\]\([^)]*assets/(\w+)\.png\)", page.read_text())
    }  # fmt: skip
    assert shown == {*PICTURES}
    assert {file.stem for file in (ROOT / "site/assets").iterdir()} == shown
    for name, (_, _, height) in PICTURES.items():
        with Image.open(ROOT / f"site/assets/{name}.png") as picture:
            assert picture.size == (1280, height)
