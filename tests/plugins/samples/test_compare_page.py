"""Samples of compared submissions, as a browser shows them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from evaluator.site.build import build
from tests.plugins.samples.boards import COMPETITION, make_board
from tests.repository import Repository
from tests.site.conftest import ROOT, serving

pytestmark = pytest.mark.browser
ROWS = {"ann": [1, 1, 0, 1] * 60, "bob": [1, 0, 0, 1] * 60, "cy": [0, 1, 0, 1] * 60}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    repository = Repository(tmp_path_factory.mktemp("samples") / "repo")
    repository.copy_bundle("protocol")
    repository.replace(COMPETITION, "pullbench:\n", "pullbench:\n  samples: true\n")
    shutil.copytree(ROOT / "site", repository.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repository.path / "mkdocs.yml")
    make_board(repository, ROWS)
    folder: Path = build.build_site(repository.path).folder
    with serving(folder) as found:
        yield found


def test_any_two_rows_are_compared_by_sample(browser: Browser, address: str) -> None:
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address + "benchmarks/protocol/compare/?with=bob/one&with=cy/one")
    part = page.locator("section", has=page.get_by_role("heading", name="Sample by sample"))
    expect(part.get_by_role("status")).to_have_text("They differ on 120 of 240 samples.")
    expect(part.locator("tbody tr")).to_have_count(120)
    part.get_by_label("Find a sample").fill("0023")
    expect(part.get_by_role("status")).to_contain_text("4 of them match")
    assert [line.split() for line in part.locator("tbody tr").all_inner_texts()] == [
        ["00232", "1", "0"], ["00233", "0", "1"], ["00236", "1", "0"], ["00237", "0", "1"],
    ]  # fmt: skip
    assert errors == []
    page.close()


def test_the_page_of_samples_is_searched(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "benchmarks/protocol/")
    page.get_by_role("link", name="Analysis").click()
    page.get_by_role("link", name="Samples").click()
    differ = page.get_by_role("region", name="Where the first rows differ").locator("tbody tr")
    expect(differ.filter(visible=True)).to_have_count(120)
    page.get_by_label("Search samples").fill("0001")
    expect(differ.filter(visible=True)).to_have_count(5)
    page.close()
