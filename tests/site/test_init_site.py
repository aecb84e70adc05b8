"""The site of a repository that `init` wrote: the same header and tokens, and its own accent."""

import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.core.errors import InvalidInputError
from evaluator.plugins.scaffold.benchmark import from_template
from evaluator.plugins.scaffold.package import Package
from evaluator.plugins.scaffold.repository import begin_repository
from evaluator.site.build.build import build_site
from evaluator.site.pages.accent import accent_rules
from tests.repository import Repository
from tests.site.conftest import ROOT, serving

TOKENS = (ROOT / "evaluator/site/pages/assets/tokens.css").read_text()
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
LOOK = '[tool.pullbench.site]\nlogo = "site/logo.svg"\naccent = "#e8b100"\n'
CONTRAST = """() => {
    const read = text => text.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
        .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    const light = text => [.2126, .7152, .0722]
        .reduce((sum, share, i) => sum + share * read(text)[i], 0);
    const contrast = (one, other) => {
        const [dark, pale] = [light(one), light(other)].sort((a, b) => a - b);
        return (pale + .05) / (dark + .05);
    };
    const link = getComputedStyle(document.querySelector('.md-typeset h2 > .more'));
    const button = getComputedStyle(document.querySelector('.md-button--primary'));
    const page = getComputedStyle(document.body).backgroundColor;
    return [contrast(link.color, page), contrast(button.color, button.backgroundColor)];
}"""


def begin(folder: Path) -> Repository:
    package = Package(requirement="pullbench", files={})
    begin_repository(
        folder, benchmark="first", begin=partial(from_template, "code", "First"),
        organisers=["olga"], forge="https://forge.example/acme/bench", package=package,
    )  # fmt: skip
    repository = Repository(folder)
    repository.write("site/logo.svg", LOGO)
    settings = (folder / "pyproject.toml").read_text()
    assert "[tool.pullbench.site]\n" in settings
    repository.write("pyproject.toml", settings.replace("[tool.pullbench.site]\n", LOOK))
    repository.commit("Begin")
    return repository


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return begin(tmp_path_factory.mktemp("init") / "bench")


@pytest.fixture(scope="module")
def written(begun: Repository) -> Iterator[str]:
    with serving(build_site(begun.path).folder) as address:
        yield address


@pytest.fixture(params=["light", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(color_scheme=request.param)
    yield context.new_page()
    context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [375, 1280])
def test_it_has_the_header_the_guides_and_the_logo(page: Page, written: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("", "benchmarks/first/", "people/", "readers/", "participants/"):
        page.goto(written + path)
        header = page.get_by_role("banner")
        box = header.bounding_box()
        assert box is not None
        assert (box["y"], box["height"]) == (0, 48), path
        links = ["Home", "Benchmarks", "People", "Docs"][width < 640 :]
        assert header.locator("nav a:visible").all_inner_texts() == links
        logo = header.locator(".site-name img")
        assert logo.evaluate("one => one.complete && one.naturalWidth > 0"), path
        expect(header.get_by_role("link", name="Bench", exact=True)).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") == width
    if width == 1280:
        page.get_by_role("link", name="Read a board").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Read a board")


@pytest.mark.browser
def test_its_accent_can_be_read_in_light_and_dark(page: Page, written: str) -> None:
    page.goto(written)
    assert min(page.evaluate(CONTRAST)) >= 4.5
    red, green, blue = page.locator(".md-typeset h2 > .more").first.evaluate(
        "one => getComputedStyle(one).color.match(/\\d+/g).map(Number)"
    )
    assert red > green > blue, "the hue of the accent stays"


@pytest.mark.parametrize("accent", ["#000000", "#ffffff", "#ffee00", "#808080", "#00695c"])
def test_any_accent_becomes_dark_on_light_and_light_on_dark(accent: str) -> None:
    light, dark = (
        sum(bytes.fromhex(colour))
        for colour in re.findall(r"--pb-accent:#(\w{6});", accent_rules(accent, TOKENS))
    )
    assert light < 3 * 128 < dark or accent == "#00695c"
    assert accent_rules("", TOKENS) == ""


@pytest.mark.parametrize("logo", ["site/none.svg", "benchmarks/first/logo.png", "site/index.md"])
def test_a_logo_that_cannot_be_shown_names_file_and_key(tmp_path: Path, logo: str) -> None:
    repository = begin(tmp_path / "bench")
    settings = (repository.path / "pyproject.toml").read_text()
    repository.write("pyproject.toml", settings.replace("site/logo.svg", logo))
    with pytest.raises(
        InvalidInputError, match=rf"pyproject.toml: tool.pullbench.site.logo: '{logo}'"
    ):
        build_site(repository.path)


@pytest.mark.slow
@pytest.mark.browser
def test_another_accent_or_logo_builds_the_site_anew(begun: Repository, tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    shutil.copytree(begun.path, folder, ignore=shutil.ignore_patterns("build"))
    before = (build_site(folder).folder / "assets/pullbench.css").read_text()
    settings = (folder / "pyproject.toml").read_text()
    (folder / "pyproject.toml").write_text(settings.replace("#e8b100", "#aa0000"))
    assert (build_site(folder).folder / "assets/pullbench.css").read_text() != before
