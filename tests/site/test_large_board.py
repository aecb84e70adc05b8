"""A board of more rows than a page should hold: the first in the page, the rest by scripts."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from evaluator.site.boards.view_numbers import STATIC_CELLS
from evaluator.site.build import build
from tests.bench import boards
from tests.repository import Repository
from tests.site.conftest import serving
from tests.site.view import read_view
from tests.site.waiting import wait_until_drawn

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
    return build.build_site(repository.path).folder


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
    assert len(text) < 200_000
    assert f"of {ROWS} rows" in text
    assert text.count('<td class="num rank"') < ROWS / 4
    view = read_view(built / BOARD)
    assert len(view["rows"]["rank"]) == ROWS
    assert len((built / BOARD / "board.csv").read_text().splitlines()) > ROWS


def test_all_rows_are_there_and_few_are_elements(page: Page, address: str, built: Path) -> None:
    view = read_view(built / BOARD)
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
        wait_until_drawn(page)
        if str(ROWS) in seen:
            break
    names = [
        title + who
        for title, who in zip(view["rows"]["title"], view["rows"]["participant"], strict=True)
    ]
    assert [seen[str(place)] for place in range(1, ROWS + 1)] == names


def test_rows_that_stay_in_sight_keep_the_focus(page: Page, address: str) -> None:
    page.goto(address + BOARD, wait_until="networkidle")
    region = page.locator("[data-view][data-ready]")
    link = region.locator("tr[aria-rowindex='12'] th a").first
    link.focus()
    region.evaluate("one => { one.scrollTop = 300; }")
    expect(region.locator("tr[aria-rowindex='1']")).to_have_count(0)
    expect(link).to_be_focused()


def test_it_is_sorted_searched_and_grouped_as_small_ones_are(
    page: Page, address: str, built: Path
) -> None:
    view = read_view(built / BOARD)
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
    page.locator("summary", has_text="Filter").click()
    page.get_by_label("Group by").select_option("status")
    expect(page.get_by_role("status").first).to_contain_text("2 groups")
    assert table.locator("tr.group").count() >= 1
    page.goto(address + BOARD + "?aggregate=borda")
    expect(table.locator("th[data-column=yours]")).to_be_visible()


def test_of_fewer_rows_and_many_columns_those_in_sight_are_elements(
    page: Page, address: str
) -> None:
    more = "".join(f"&add=each.{key}" for key in ("balanced", "log_loss", "both"))
    page.goto(f"{address}{BOARD}?search=person1{more}")
    table = page.locator("[data-view] table")
    expect(page.get_by_role("status").first).to_have_text(f"110 of {ROWS} rows")
    columns = table.locator("thead tr").last.locator("th").count()
    assert 110 * columns > 2000
    expect(table).to_have_attribute("aria-rowcount", "110")
    assert table.locator("tbody tr:not(.space)").count() < 60
    page.locator("[data-view]").evaluate("one => { one.scrollTop = one.scrollHeight; }")
    expect(table.locator("tbody tr[aria-rowindex='110']")).to_be_visible()
    # What fits into a glance stands there as a whole.
    page.goto(f"{address}{BOARD}?search=person12")
    expect(page.get_by_role("status").first).to_have_text(f"10 of {ROWS} rows")
    expect(table).to_have_attribute("aria-rowcount", "-1")
    assert table.locator("tbody tr").count() == 10


@pytest.mark.slow
def test_on_paper_all_rows_and_columns_stand(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}{BOARD}?sort=task-3.score")
    table = page.locator("[data-view] table")
    expect(page.locator("[data-view]")).to_have_attribute("data-ready", "")
    rows, columns = table.locator("tbody tr"), table.locator("thead tr").last.locator("th")
    wait_until_drawn(page)
    seen = rows.all_inner_texts()
    page.evaluate(
        """() => { window.printed = []; addEventListener("beforeprint", () => {
            const tables = document.querySelectorAll("[data-view] table");
            window.printed = Array.from(tables, (table) => ({
                rows: table.tBodies[0].rows.length,
                cells: Math.min(...Array.from(table.tBodies[0].rows, (row) => row.cells.length)),
                ids: Array.from(table.tHead.lastChild.cells, (cell) => cell.dataset.column),
                width: table.offsetWidth,
            }));
        }); }"""
    )
    page.pdf(path=tmp_path / "board.pdf")
    printed = page.evaluate("window.printed")
    assert len(printed) > 1
    for part in printed:
        assert part["rows"] == ROWS
        assert part["cells"] == len(part["ids"])
        assert part["ids"][:2] == ["rank", "submission"]
        assert part["width"] < 700  # pixels of a page of A4 between its margins
    others = [name for part in printed for name in part["ids"][2:]]
    ids = columns.evaluate_all("all => all.map(one => one.dataset.column)")
    assert others == ids[2:]
    expect(page.locator("[data-view] table")).to_have_count(1)
    expect(table).to_have_class(re.compile(r"\bmany\b"))
    expect(rows).to_have_count(len(seen))
    assert rows.all_inner_texts() == seen
    assert len(seen) < 100


def test_without_scripts_the_first_rows_stand_there(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + BOARD)
    assert 10 <= page.locator("[data-view] tbody tr").count() < 60
    expect(page.locator("[data-rest]")).to_contain_text(f"of {ROWS} rows")
    context.close()


def test_a_submissions_page_finds_its_place(page: Page, address: str, built: Path) -> None:
    view = read_view(built / BOARD)
    row = view["rows"]["rank"].index(200)
    name = f"{view['rows']['participant'][row]}/{view['rows']['submission'][row]}"
    page.goto(f"{address}{BOARD}submissions/{name}/")
    expect(page.locator("article")).to_contain_text("Rank 200 of")


def test_files_of_two_boards_are_not_mixed(page: Page, address: str, built: Path) -> None:
    """The browser may keep one of them from before the site changed."""
    whole = (built / BOARD / "first.bin").read_bytes()
    asked: list[str | None] = []

    def answer(route: Route) -> None:
        asked.append(route.request.headers.get("cache-control"))
        route.fulfill(body=whole if len(asked) > 1 else b"\0" * len(whole))

    page.route("**/first.bin", answer)
    page.goto(address + BOARD)
    expect(page.locator("[data-view]")).to_have_attribute("data-ready", "")
    assert len(asked) == 2
    expect(page.locator("[data-view] tbody td.num").nth(1)).to_have_text(
        f"{read_view(built / BOARD)['overall']['score'][0]:.2f}"
    )


def test_where_numbers_are_of_another_board_the_page_stays_as_it_is(
    page: Page, address: str
) -> None:
    page.route("**/first.bin", lambda route: route.fulfill(body=b"\0" * 8))
    with page.expect_console_message(lambda said: "different boards" in said.text):
        page.goto(address + BOARD)
    assert page.locator("[data-view] tbody td").count() > 100
    assert page.locator("[data-ready]").count() == 0


def _held(page: Page) -> list[Route]:
    """Hold the numbers of all rows back until the test lets them go on."""
    held: list[Route] = []
    page.route("**/scores-*.bin", lambda route: held.append(route))
    return held


def test_numbers_that_come_later_take_their_places(page: Page, address: str, built: Path) -> None:
    view = read_view(built / BOARD)
    held = _held(page)
    page.goto(f"{address}{BOARD}?add=each.balanced")
    region = page.locator("[data-view][data-ready]")
    value = region.locator("td[data-value]").nth(1)
    expect(value).to_have_text(f"{view['overall']['score'][0]:.2f}")
    absent = region.get_by_title("Not loaded yet.")
    expect(absent.first).to_have_text("…")
    for one in held:
        one.continue_()
    expect(absent).to_have_count(0)
    region.evaluate("one => { one.scrollTop = one.scrollHeight; }")
    expect(region.locator(f"tr[aria-rowindex='{ROWS}']")).to_be_visible()
    expect(absent).to_have_count(0)


def test_what_was_asked_for_waits_for_its_numbers(page: Page, address: str) -> None:
    held = _held(page)
    page.goto(f"{address}{BOARD}?sort=task-3.balanced")
    region, status = page.locator("[data-view][data-ready]"), page.get_by_role("status").first
    expect(status).to_have_text(f"{ROWS} rows; loading numbers …")
    expect(region.locator("td.rank").first).to_have_text(re.compile("^1"))
    for one in held:
        one.continue_()
    expect(status).to_have_text(f"{ROWS} rows")
    expect(region.locator("th[data-column='task-3.balanced']")).to_have_attribute(
        "aria-sort", "descending"
    )
    # The rows follow their head a frame later.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    values = [float(one) for one in region.locator("tbody tr").evaluate_all(
        """all => {
            const heads = document.querySelector("[data-view] thead tr:last-child").cells;
            const at = Array.from(heads).findIndex(one => one.dataset.column === "task-3.balanced");
            return all.map(row => row.cells[at]?.dataset.value).filter(Boolean);
        }"""
    )]  # fmt: skip
    assert values == sorted(values, reverse=True)


def test_without_the_rest_the_first_rows_are_read_and_a_message_says_so(
    page: Page, address: str
) -> None:
    page.route("**/scores-*.bin", lambda route: route.abort())
    page.goto(f"{address}{BOARD}?add=each.balanced")
    region, status = page.locator("[data-view][data-ready]"), page.get_by_role("status").first
    expect(status).to_contain_text("some numbers could not be loaded")
    assert region.locator("td.rank + th + td[data-value]").count() > 5
    page.get_by_label("Find").fill("person12")
    expect(status).to_contain_text(f"10 of {ROWS} rows; some numbers could not be loaded")


def test_the_schema_describes_the_view(built: Path) -> None:
    schema = json.loads((built / "schemas/view.json").read_text())
    view = json.loads((built / BOARD / "view.json").read_text())
    jsonschema.validate(view, schema)
    read_view(built / BOARD)


def test_a_board_is_interactive_after_few_requests(page: Page, address: str) -> None:
    """Counted as a static host sends them: text is compressed."""
    asked: list[Request] = []
    page.on("requestfinished", lambda request: asked.append(request))
    page.goto(address + BOARD)
    expect(page.locator("[data-view]")).to_have_attribute("data-ready", "")
    page.wait_for_load_state("networkidle")
    answers = [answer for one in [*asked] if (answer := one.response())]
    sent = [len(gzip.compress(answer.body())) for answer in answers]
    assert len(sent) <= 12
    assert sum(sent) <= 200_000
    # The rest is read once a reader sees rows of it, and colours stay as they were.
    region = page.locator("[data-view]")
    drawn = region.locator("tr[aria-rowindex='1'] td").evaluate_all(
        "all => all.map(one => one.className)"
    )
    region.evaluate("one => { one.scrollTop = one.scrollHeight; }")
    expect(region.locator(f"tr[aria-rowindex='{ROWS}']")).to_be_visible()
    expect(region.get_by_title("Not loaded yet.")).to_have_count(0)
    assert any("/scores-" in one.url for one in asked)
    region.evaluate("one => { one.scrollTop = 0; }")
    first = region.locator("tr[aria-rowindex='1'] td")
    expect(first.first).to_be_visible()
    assert first.evaluate_all("all => all.map(one => one.className)") == drawn
