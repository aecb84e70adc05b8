"""A board of more rows than a page should hold: the first in the page, the rest by scripts."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator import website
from evaluator.board.view import STATIC_CELLS
from tests.bench import boards
from tests.repository import Repository
from tests.site.conftest import serving

pytestmark = pytest.mark.browser
ROWS, TASKS = 400, 5
BOARD = "benchmarks/large/"
CONFIGURATION = """
site_name: Large
docs_dir: site
site_dir: build/site
theme: {name: material, font: false}
plugins: [search, pullbench]
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repository = Repository(tmp_path_factory.mktemp("large") / "repo")
    repository.write("mkdocs.yml", CONFIGURATION)
    repository.write("site/index.md", "# Large\n")
    repository.commit()
    boards.fill(repository.path, ROWS, TASKS)
    repository.git("reset", "--hard", "-q")
    assert ROWS * TASKS * 4 > STATIC_CELLS
    return website.build(repository.path)


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    with serving(built) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def test_the_page_is_light_and_says_what_it_leaves_out(built: Path, browser: Browser) -> None:
    text = (built / BOARD / "index.html").read_text()
    assert len(text) < 400_000
    assert f"of {ROWS} rows" in text
    assert text.count('<td class="num rank"') < ROWS / 4
    view = json.loads((built / BOARD / "view.json").read_text())
    assert len(view["rows"]["rank"]) == ROWS
    assert len((built / BOARD / "board.csv").read_text().splitlines()) > ROWS


def test_all_rows_are_there_and_few_are_elements(page: Page, address: str, built: Path) -> None:
    view = json.loads((built / BOARD / "view.json").read_text())
    page.goto(address + BOARD)
    region = page.locator("[data-view]")
    expect(region).to_have_attribute("data-ready", "")
    table = region.locator("table")
    expect(table).to_have_attribute("aria-rowcount", str(ROWS))
    rows = table.locator("tbody tr:not(.space)")
    assert rows.count() < 90
    seen: dict[str, str] = {}
    for _ in range(60):
        found = rows.evaluate_all(
            "all => all.map(row => [row.ariaRowIndex ?? row.getAttribute('aria-rowindex'), "
            "row.querySelector('th a').textContent + row.querySelector('.who').textContent])"
        )
        seen |= dict(found)
        assert rows.count() < 90
        region.evaluate("one => { one.scrollTop += one.clientHeight * .8; }")
        page.wait_for_timeout(20)
        if str(ROWS) in seen:
            break
    names = [
        title + who
        for title, who in zip(view["rows"]["title"], view["rows"]["participant"], strict=True)
    ]
    assert [seen[str(place)] for place in range(1, ROWS + 1)] == names


def test_it_is_sorted_searched_and_grouped_as_small_ones_are(
    page: Page, address: str, built: Path
) -> None:
    view = json.loads((built / BOARD / "view.json").read_text())
    hidden = "".join(f"&hide={name}" for name in ("overall", "task.task-0", "task.task-1"))
    page.goto(address + BOARD + "?sort=task-3.score&order=asc" + hidden)
    table = page.locator("[data-view][data-ready] table")
    first = table.locator("tbody tr:not(.space)").first
    expect(first).to_be_visible()
    column = view["scores"]["score"][3]
    least = min(value for value in column if value is not None)
    place = (
        table.locator("thead tr")
        .last.locator("th")
        .evaluate_all("all => all.findIndex(one => one.dataset.column === 'task-3.score')")
    )
    assert 1 < place < 8  # columns out of sight are not drawn
    value = first.locator(f":scope > :nth-child({place + 1})").get_attribute("data-value")
    assert float(value or "nan") == least
    page.get_by_label("Find").fill("person12")
    expect(page.get_by_role("status").first).to_have_text(f"10 of {ROWS} rows")
    page.get_by_label("Find").fill("")
    page.get_by_label("Group by").select_option("status")
    expect(page.get_by_role("status").first).to_contain_text("2 groups")
    assert table.locator("tr.group").count() >= 1
    page.goto(address + BOARD + "?aggregate=borda")
    expect(table.locator("th[data-column=yours]")).to_be_visible()


def test_without_scripts_the_first_rows_stand_there(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + BOARD)
    assert 20 <= page.locator("[data-view] tbody tr").count() < 120
    expect(page.locator("[data-rest]")).to_contain_text(f"of {ROWS} rows")
    context.close()


def test_a_submissions_page_finds_its_place(page: Page, address: str, built: Path) -> None:
    view = json.loads((built / BOARD / "view.json").read_text())
    row = view["rows"]["rank"].index(200)
    name = f"{view['rows']['participant'][row]}/{view['rows']['submission'][row]}"
    page.goto(f"{address}{BOARD}submissions/{name}/")
    expect(page.locator("article")).to_contain_text("Rank 200 of")
