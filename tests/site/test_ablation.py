"""The ablation of a benchmark in stages, as people meet it."""

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.core.errors import Actor
from evaluator.core.formats.record import CellError, Reason
from evaluator.site.build import build
from tests.records import record_of
from tests.repository import Repository
from tests.site.conftest import serving

ROOT = Path(__file__).parents[2]
BASE = "benchmarks/staged"
MINUS, NONE = "\N{MINUS SIGN}", "\N{EN DASH}"
# What the programs of the bundle compute; see tests/core/planning/test_stages.py.
ERRORS = {
    "none": {"": 17},
    "two": {"": 0, "shift": 15, "scale": 8},
    "one": {"": 10},
    "three": {"": 1, "shift": 16, "scale": 5, "cut": 18, "scale+cut": 6, "shift+cut": 17},
    "answer": {"": 2},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site on which all has run but what fails: carol's without her cut."""
    repo = Repository(tmp_path_factory.mktemp("staged") / "repo").with_bundle("staged")
    shutil.copytree(ROOT / "site", repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    for item in repo.plan().missing:
        some = item.cell.id.task.partition("+")[2]
        error = ERRORS[item.cell.id.submission].get(some)
        if error is None:
            failure = CellError(
                actor=Actor.PARTICIPANT, reason=Reason.TIMED_OUT, message="was stopped"
            )
            record = record_of(item.cell, status="failed", scores={}, error=failure)
        else:
            record = record_of(item.cell, scores={"error": error, "value": 20 - error})
        repo.put(record)
    repo.commit("Records")
    return build.build_site(repo.path).folder


@pytest.fixture(scope="module")
def base(site: Path) -> Iterator[str]:
    """The benchmark's address."""
    with serving(site) as address:
        yield f"{address}{BASE}/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def rows(page: Page) -> list[list[str]]:
    """Text of the table's body, cell by cell."""
    found = page.locator("table.ablation tbody tr")
    return [
        [" ".join(text.split()) for text in found.nth(at).locator("th, td").all_inner_texts()]
        for at in range(found.count())
    ]


@pytest.mark.browser
def test_the_ablation_of_a_benchmark(page: Page, base: str) -> None:
    page.goto(base)
    # The board itself has the whole submissions alone.
    expect(page.locator("table.pullbench").first.locator("thead th")).to_have_count(4)
    page.get_by_role("link", name="Analysis", exact=True).click()
    page.get_by_role("link", name="Ablation", exact=True).click()
    expect(page.locator("table.ablation thead tr").last.locator("th")).to_have_text(
        ["Submission", "Together", "Shifting", "scale", "cut", "Shifting", "scale", "cut"]
    )
    assert rows(page) == [
        ["two alice", "0.00 +17.00", "15.00 +2.00", "8.00 +9.00", NONE,
         f"8.00 {MINUS}8.00", f"15.00 {MINUS}15.00", NONE],
        ["three carol", "1.00 +16.00", "16.00 +1.00", "5.00 +12.00", f"18.00 {MINUS}1.00",
         f"6.00 {MINUS}5.00", f"17.00 {MINUS}16.00", "failed timed out"],
        ["one bob", "10.00 +7.00", "10.00 +7.00", NONE, NONE, f"17.00 {MINUS}7.00", NONE, NONE],
        ["none organiser the organiser's own pipeline", "17.00", *[NONE] * 6],
    ]  # fmt: skip
    page.get_by_role("link", name="two").click()
    expect(page.get_by_role("heading", name="two", level=1)).to_be_visible()
    expect(page).to_have_url(f"{base}submissions/alice/two/")


@pytest.mark.browser
def test_the_stages_of_a_submission(page: Page, base: str) -> None:
    page.goto(f"{base}submissions/alice/two/")
    assert rows(page) == [
        ["Shifting", "15.00 +2.00", f"8.00 {MINUS}8.00"],
        ["scale", "8.00 +9.00", f"15.00 {MINUS}15.00"],
        ["cut", NONE, NONE],
        ["All together", "0.00 +17.00", ""],
    ]
    for name in ("organiser/none", "dora/answer"):
        page.goto(f"{base}submissions/{name}/")
        expect(page.locator("table.ablation")).to_have_count(0)


@pytest.mark.browser
def test_a_column_can_be_sorted(page: Page, base: str) -> None:
    page.goto(f"{base}ablation/")
    page.get_by_role("button", name="scale").first.click()
    names = page.locator("table.ablation tbody th a").all_inner_texts()
    assert names[:2] == ["three", "two"]  # 5 and 8 with their scale alone; lower is better


def test_data_beside_the_page(site: Path) -> None:
    text = (site / BASE / "ablation/ablation.csv").read_text()
    lines = list(csv.DictReader(text.splitlines()))
    mine = {
        (line["submission"], line["variant"], line["stage"]): (line["value"], line["change"])
        for line in lines
        if line["column"] == "error"
    }
    assert mine["two", "alone", "scale"] == ("8.0", "9.0")
    assert mine["three", "without", "cut"] == ("", "")
    data = json.loads((site / "api/v1/staged/main.json").read_text())
    assert len(data["ablation"]) == len(lines)
    assert [stage["key"] for stage in data["stages"]] == ["shift", "scale", "cut"]
    assert all("+" not in slug for row in data["rows"] for slug in row["tasks"])


def test_how_to_enter_names_the_folders(site: Path) -> None:
    page = (site / BASE / "submit/index.html").read_text()
    assert "a folder for each stage that you bring, of shift/, scale/, cut/" in page
