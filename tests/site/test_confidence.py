"""The page that says whether a lead is real, in a real browser."""

import csv
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from evaluator.site.build import build
from tests.records import record_of
from tests.repository import Repository
from tests.site.conftest import HOSTILE, ROOT, serving
from tests.site.test_browser import is_complaint

pytestmark = pytest.mark.browser
BASE = "benchmarks/adding/"
PAGE = f"{BASE}analysis/"
FILES = f"{BASE}confidence/"
TASKS = 8
NAMES = {"ann/best": "Best", "ben/near": HOSTILE[:90], "cat/last": "Last"}
EARLY = {"ann/early": "Third", "ben/early": "Second", "cat/early": "First"}
SCORES = {
    "ann/best": [9, 1, 9, 1, 9, 1, 9, 2],
    "ben/near": [1, 9, 1, 9, 1, 9, 1, 9],
    "cat/last": [0] * TASKS,
    "ann/early": [1] * TASKS,
    "ben/early": [2] * TASKS,
    "cat/early": [3] * TASKS,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board of eight tasks whose first two rows are apart by luck, and a phase before."""
    repo = Repository(tmp_path_factory.mktemp("confidence") / "repo").with_bundle("small")
    for path in ("site", "mkdocs.yml"):
        source = ROOT / path
        (shutil.copytree if source.is_dir() else shutil.copy)(source, repo.path / path)
    for folder in (repo.path / "submissions/adding").iterdir():
        shutil.rmtree(folder)
    text = (repo.path / f"{BASE}competition.yaml").read_text()
    first = re.search(r"^ *- *\{?index: 0.*?(?=^ *- *\{?index: 1|^\w)", text, re.M | re.S)
    assert first is not None
    more = "".join(
        first[0].replace("index: 0", f"index: {index}").replace("name: ", f"name: More {index} ", 1)
        for index in range(2, TASKS)
    )
    text = re.sub(r"^(phases:)", lambda found: more + found[1], text, count=1, flags=re.M)
    text = re.sub(r"tasks: \[[0-9, ]*\]", f"tasks: {list(range(TASKS))}", text)
    (main,) = re.findall(r"(?m)^  - \{index: 0, name: Main, .*\n", text)
    early = main.replace("Main", "Early").replace("2020-01-01", "2020-01-01, end: 2026-03-02")
    later = main.replace("index: 0", "index: 1").replace("2020-01-01", "2026-03-02")
    repo.write(f"{BASE}competition.yaml", text.replace(main, early + later))
    for phase, entered, when in (("early", EARLY, "2026-03-01"), ("main", NAMES, "2026-03-03")):
        for name, title in entered.items():
            said = f"kind: code\nphase: {phase}\nname: {title!r}\n"
            repo.write(f"submissions/adding/{name}/submission.yaml", said)
            repo.write(f"submissions/adding/{name}/main.py", f"# {name}")
        with pytest.MonkeyPatch.context() as patch:
            for role in ("AUTHOR", "COMMITTER"):
                patch.setenv(f"GIT_{role}_DATE", f"{when}T10:00:00+00:00")
            repo.commit("Entries")
    seen: dict[str, int] = {}
    for item in repo.plan().missing:
        cell = item.cell.id
        if cell.benchmark != "adding":
            continue
        name = f"{cell.participant}/{cell.submission}"
        value = SCORES[name][seen.setdefault(name, 0)]
        seen[name] += 1
        keys = item.cell.benchmark.leaderboard.score_keys
        repo.put(record_of(item.cell, scores=dict.fromkeys(keys, float(value))))
    assert set(seen.values()) == {TASKS}
    repo.commit("Records")
    return build.build_site(repo.path).folder


@pytest.fixture(scope="module")
def root(site: Path) -> Iterator[str]:
    with serving(site) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 320, "height": 800})
    made = context.new_page()
    complaints: list[str] = []
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.on("console", lambda m: complaints.append(m.text) if is_complaint(m) else None)
    yield made
    assert complaints == []
    context.close()


def test_a_reader_is_told_whether_the_lead_is_real(page: Page, root: str) -> None:
    page.goto(f"{root}{PAGE}")
    said = page.locator(".conclusion")
    expect(said).to_contain_text("is not significantly better than")
    expect(said).to_contain_text("chance alone explains this gap")
    for folded in page.locator("details.plot-data summary").all():
        folded.click()
    heads = page.locator("table.confidence thead tr").last.locator("th").all_inner_texts()
    assert heads == ["Rank", "Submission", "Rank interval", "Group", "Behind the first"]
    rows = page.locator("table.confidence tbody tr")
    expect(rows).to_have_count(3)
    assert rows.nth(0).locator("td").all_inner_texts()[:3] == ["1", "1 to 2", "1"]
    numbers = rows.nth(2).locator("td").all_inner_texts()
    assert numbers[:3] == ["3", "3", "2"]
    distance, low, high = map(float, re.findall(r"[0-9.]+", numbers[3]))
    assert 0 < low < distance == 5.12 < high
    duels = page.locator("table.duels tbody tr")
    assert duels.nth(0).locator("td").last.inner_text() == "100%"
    expect(duels.nth(0).locator("td.apart")).to_have_count(1)
    expect(duels.nth(2).locator("td.apart")).to_have_count(2)
    # Each cell of the matrix has a head of its line and of its column.
    assert page.locator('table.duels tbody th[scope="row"]').count() == 3
    assert page.locator('table.duels thead th[scope="col"]').count() == 4
    assert page.title() != "owned"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 320


def test_tables_are_reached_by_keyboard(page: Page, root: str) -> None:
    page.goto(f"{root}{PAGE}")
    page.get_by_text("How certain each rank is, in numbers").click()
    regions = page.get_by_role("region")
    for name in ("How certain each rank is", "Who beats whom"):
        region = regions.filter(has=page.locator("table")).and_(
            page.get_by_role("region", name=name)
        )
        region.focus()
        expect(region).to_be_focused()


def test_what_the_page_is_made_of(site: Path) -> None:
    text = (site / PAGE / "index.html").read_text()
    content = text.split('<article class="md-content__inner', 1)[1].split("</article>")[0]
    assert not re.search(r"<[^>]* (style|on[a-z]+)=|<style|<script>", content)
    assert "The signs are turned in all 128 ways" in content
    for word in ("weightings", "Nemenyi's critical", "Holm", 'id="critical-difference"'):
        assert word not in content, "these are in the files"

    assert 'href="analysis/"' in (site / BASE / "index.html").read_text()
    with (site / FILES / "confidence.csv").open(newline="") as stream:
        lines = list(csv.DictReader(stream))
    assert [line["rank"] for line in lines] == ["1", "2", "3"]
    assert lines[0]["wins_cat/last"] == "1.0"
    assert float(lines[0]["wins_ben/near"]) + float(lines[1]["wins_ann/best"]) == 1
    assert (lines[2]["low"], lines[2]["high"], lines[2]["weighted_same"]) == ("3", "3", "1.0")


def test_each_phase_has_its_own_diagram(site: Path) -> None:
    for phase, best in (("early", "cat/early"), ("main", "ann/best")):
        folder = site / BASE / "phases" / phase / "confidence"
        page = (folder.parent / "analysis/index.html").read_text()
        assert 'id="tests"' not in page
        tests = json.loads((folder / "confidence.json").read_text())["tests"]
        assert tests["friedman"]["methods"] == 3
        with (folder / "mean-ranks.csv").open(newline="") as stream:
            ranked = list(csv.DictReader(stream))
        assert ranked[0]["method"] == best
        with (folder / "pairs.csv").open(newline="") as stream:
            assert {line["method"] for line in csv.DictReader(stream)} == {
                line["method"] for line in ranked
            }
        drawn = (folder / "critical-difference.svg").read_text()
        assert all(line["mean_rank"] in drawn for line in ranked)
    # Early, each beats the next on every task.
    assert [
        line["mean_rank"]
        for line in csv.DictReader(
            (site / BASE / "phases/early/confidence/mean-ranks.csv").read_text().splitlines()
        )
    ] == ["1.0", "2.0", "3.0"]


def test_boards_of_one_task_conclude_nothing(site: Path) -> None:
    pages = list(site.glob("benchmarks/*/analysis/index.html"))
    assert len(pages) == 2
    echo = (site / "benchmarks/echo/analysis/index.html").read_text()
    assert "so nothing can be concluded" in echo
    assert not (site / "benchmarks/echo/confidence/confidence.csv").exists()


def test_compare_has_the_distances_of_the_board(browser: Browser, root: str) -> None:
    page = browser.new_page()
    page.goto(f"{root}{BASE}compare/?with=ann/best&with=ben/near&with=cat/last")
    line = page.get_by_role("region", name="Is the difference real?").locator("tbody tr")
    expect(line.locator("th")).to_have_text("On tasks like these (8 tasks)")
    first, near, last = line.locator("td").all_inner_texts()
    assert first == "\u2013"
    found = re.fullmatch(
        r"(\S+) \((\S+) to (\S+)\), no significant difference: a gap of (\S+) would show, "
        r"this one takes about ([0-9,]+) tasks",
        near.replace("\u2212", "-"),
    )
    assert found is not None, near
    distance, low, high, gap, needed = (float(one.replace(",", "")) for one in found.groups())
    assert gap == pytest.approx(0.75 * (high - low), abs=0.02)
    assert needed == pytest.approx(8 * (gap / distance) ** 2, rel=0.2)
    assert re.fullmatch(r"-5\.12 \(-[0-9.]+ to -[0-9.]+\), worse", last.replace("\u2212", "-"))
    page.goto(f"{root}{BASE}compare/?with=cat/last&with=ann/best")
    expect(line.locator("td").last).to_contain_text("better")

    def tolerate(route: Route) -> None:
        data = route.fetch().json()
        for one in data["comparisons"]:
            one["tolerated"] = 9.0
        route.fulfill(json=data)

    page.route("**/confidence.json", tolerate)
    page.reload()
    expect(line.locator("td").last).to_contain_text("perhaps within the tolerance: a gap of")
    page.close()
