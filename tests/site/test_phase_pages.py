"""Plots and intervals of each phase, beside its board."""

import csv
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from evaluator.site.build import build
from evaluator.site.content import content
from evaluator.site.pages import overview
from tests.records import cells_of, record_of
from tests.repository import Repository
from tests.site.conftest import serving, site_of
from tests.site.test_accessibility import violations
from tests.site.test_history import dated_commits, two_phases
from tests.site.waiting import PATIENCE

BASE = "benchmarks/adding"
FINAL = f"{BASE}/phases/final-b-round-b"
MAIN = f"{BASE}/phases/main"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    """A benchmark of three phases: one is over, one is open, and nobody entered the third."""
    with dated_commits() as dates:
        made = two_phases(tmp_path_factory.mktemp("phases") / "repo", dates)
        file = f"{BASE}/competition.yaml"
        second = "name: Final <b>round</b>, start: 2026-03-02, "
        made.replace(file, second, f"{second}end: 2100-01-01, ")
        (line,) = re.findall(r"(?m)^.*name: Final.*\n", (made.path / file).read_text())
        third = line.replace("index: 1", "index: 2").replace("Final <b>round</b>", "Later")
        third = third.replace("start: 2026-03-02, end: 2100-01-01", "start: 2100-01-01")
        made.replace(file, line, f"{line}{third}")
        made.commit("A third phase")
        yield made


@pytest.fixture(scope="module")
def site(repository: Repository) -> Path:
    return build.build_site(repository.path).folder


def participants(file: Path) -> list[str]:
    with file.open() as lines:
        return [line["participant"] for line in csv.DictReader(lines)]


def test_each_phase_with_results_has_its_own(site: Path) -> None:
    for folder, names in ((MAIN, ["bob", "alice"]), (FINAL, ["dave", "carol"])):
        assert participants(site / folder / "confidence/confidence.csv") == names
        plots = site / folder / "plots"
        assert sorted(participants(plots / "score-over-time.csv")) == sorted(names)
        assert {file.stem for file in plots.glob("*.svg")} == {
            file.stem for file in plots.glob("*.csv")
        }
        assert 'href="analysis/"' in (site / folder / "index.html").read_text()
        page = (plots.parent / "analysis/index.html").read_text()
        (shown,) = re.findall(r"<p class=\"note\">Phase ([^,.]*)", page)
        assert shown == ("Main" if folder == MAIN else "Final &lt;b&gt;round&lt;/b&gt;")
        for name in ("plots", "confidence"):
            assert 'href="../analysis/"' in (plots.parent / name / "index.html").read_text()
    # Of the open phase both addresses have the same.
    for name in ("confidence/confidence.csv", "plots/marks.json", "plots/score-over-time.svg"):
        assert (site / FINAL / name).read_bytes() == (site / BASE / name).read_bytes()


def test_a_phase_that_nobody_entered_has_none(site: Path) -> None:
    later = site / BASE / "phases/later"
    assert {path.name for path in later.iterdir() if path.is_dir()} == set()
    page = (later / "index.html").read_text()
    assert 'href="analysis/"' not in page


def test_of_many_phases_the_latest_have_them(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "MAX_PHASES", 1)
    copy = tmp_path / "copy"
    repository.git("clone", "--quiet", str(repository.path), str(copy))
    made = build.build_site(copy).folder
    assert (made / FINAL / "plots/index.html").exists()
    assert not (made / MAIN / "plots").exists()
    assert not (made / MAIN / "confidence").exists()
    assert not (made / MAIN / "analysis").exists()
    page = (made / MAIN / "index.html").read_text()
    assert 'href="analysis/"' not in page
    assert "An analysis is beside the latest phase that anybody entered" in page


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 1280])
def test_from_a_phase_to_its_plots_and_intervals(browser: Browser, site: Path, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    with serving(site) as address:
        page.goto(f"{address}{MAIN}/")
        page.locator("details.verdict summary").click()
        page.get_by_role("link", name="How certain is each rank?").click()
        expect(page).to_have_url(f"{address}{MAIN}/analysis/")
        expect(page.get_by_role("heading", level=1)).to_have_text("Adding, Main: analysis")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert [one for one in violations(page) if not one.startswith("color-contrast")] == []
        page.get_by_role("link", name="The leaderboard").click()
        expect(page).to_have_url(f"{address}{MAIN}/")
        page.get_by_role("link", name="Analysis of this phase").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Adding, Main: analysis")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_label("Highlight a submission or a participant").fill("alice")
        expect(page.locator("output")).to_contain_text("1 match")
        page.locator('[data-plot="score-over-time"] svg:visible .marks > *').first.focus()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"{re.escape(address)}{BASE}/submissions/(alice|bob)/"))
        expect(page.get_by_role("heading", level=1)).not_to_contain_text("404")
    context.close()


def first(page: Page, routes: list[Route]) -> Route:
    """Return the first request, once the browser has sent one: it does so when it has time."""
    end = time.monotonic() + PATIENCE
    while not routes and time.monotonic() < end:
        page.wait_for_timeout(50)
    return routes[0]


@pytest.mark.browser
def test_results_that_come_late_do_not_replace_those_that_are_asked_for(
    browser: Browser, site: Path
) -> None:
    late: list[Route] = []
    page = browser.new_page()
    page.route("**/phases/main/view.json", lambda route: late.append(route))
    choice, candidates = page.get_by_label("Phase"), page.locator("[name=candidate] option")
    with serving(site) as address:
        page.goto(f"{address}{BASE}/compare/?with=nobody/one")
        expect(candidates).to_contain_text(["dave", "carol"])
        choice.select_option(label="Main")
        choice.select_option(label="Final <b>round</b>")
        with page.expect_response("**/phases/main/view.json"):
            first(page, late).continue_()
        page.wait_for_timeout(300)  # so long nothing may happen
        page.get_by_label("Find").press_sequentially("a")
        expect(candidates).to_contain_text(["dave", "carol"])
        late.clear()
        page.goto(f"{address}{BASE}/compare/?with=nobody/one")
        choice.select_option(label="Main")
        choice.select_option(label="Final <b>round</b>")
        first(page, late).abort()
        page.wait_for_timeout(300)
        expect(page.get_by_text("Choose two.")).to_be_visible()
    page.close()


def test_what_leads_is_shown_by_the_column_that_ranks_in_its_phase(repo: Repository) -> None:
    repo.with_bundle("small")
    of_phase = "  phases: {0: {columns: [distance], primary: distance}}\n"
    repo.replace(f"{BASE}/competition.yaml", "pullbench:\n", f"pullbench:\n{of_phase}")
    repo.commit("One column")
    for cell in cells_of(repo).values():
        if cell.id.benchmark == "adding":
            repo.put(record_of(cell, scores={"distance": 2.5}))
    repo.commit("Records")
    contents, site = site_of(repo.path)
    page = overview.home([one for one in contents if one.benchmark.name == "adding"], site)
    assert "<caption>Distance</caption>" in page
    assert '<td class="value">2.50</td>' in page
    assert [column.key for column in contents[0].current.columns] == ["distance"]
