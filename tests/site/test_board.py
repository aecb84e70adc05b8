"""Boards that scripts draw: the same as without scripts, and what readers make of them."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.core.leaderboard.oracle import Choice, rank
from tests.site.view import read_view

pytestmark = pytest.mark.browser
CLASSICS = "benchmarks/tabular-classics/"
CELLS = """table => [...table.rows].filter(row => row.cells.length).map(row => [
    row.className.replace('apart', '').trim(),
    [...row.cells].map(cell => ({
        kind: cell.tagName, classes: [...cell.classList].sort().join(' '), title: cell.title,
        value: cell.dataset.value ? Number(cell.dataset.value) : cell.dataset.value ?? null,
        span: cell.colSpan, scope: cell.scope, tab: cell.tabIndex,
        sort: cell.dataset.sort ?? null, sorted: cell.ariaSort,
        text: cell.textContent.replace(/\\s+/g, ' ').trim(),
        links: [...cell.querySelectorAll('a')].map(
            link => [link.getAttribute('href'), link.className, link.rel]),
        bar: [...cell.querySelectorAll('rect')].map(
            part => ['class', 'x', 'width'].map(name => part.getAttribute(name))),
        parts: [...cell.querySelectorAll('span')].map(
            span => [span.className, span.title, span.textContent.trim()]),
    })),
])"""
NONE = "\N{EN DASH}"


def opened(page: Page, address: str) -> Locator:
    """Open a board and wait until scripts drew it."""
    page.goto(address)
    expect(page.locator("[data-view][data-ready]")).to_have_count(1)
    return page.locator("[data-view] table")


def cells(table: Locator) -> list[Any]:
    """What each row and cell holds; as text, since values one by one take seconds to hand over."""
    found: list[Any] = json.loads(table.evaluate(f"table => JSON.stringify(({CELLS})(table))"))
    return found


def column(table: Locator, name: str) -> list[str]:
    """Texts of the column under a head, by its id."""
    place = (
        table.locator("thead tr")
        .last.locator("th")
        .evaluate_all("(all, name) => all.findIndex(one => one.dataset.column === name)", name)
    )
    assert place >= 0, name
    cells = table.locator(f"tbody tr:not(.space) > :nth-child({place + 1})")
    return [text.strip().removesuffix(" ★") for text in cells.all_inner_texts()]


def test_scripts_draw_what_stands_there_without_them(
    browser: Browser, own_site: Path, own_address: str
) -> None:
    boards = [
        page.parent.relative_to(own_site)
        for page in sorted(own_site.glob("benchmarks/**/index.html"))
        if "data-up=" in page.read_text()
    ]
    assert len(boards) > 20
    plain = browser.new_context(java_script_enabled=False).new_page()
    drawn = browser.new_context().new_page()
    for path in boards:
        plain.goto(f"{own_address}{path}/")
        table = opened(drawn, f"{own_address}{path}/")
        before = cells(plain.locator("[data-view] table"))
        after = cells(table)
        assert len(before) > 1
        for there, here in zip(before, after, strict=True):
            for cell, same in zip(here[1], there[1], strict=False):
                assert cell == same, path
            assert here == there, path
    plain.context.close()
    drawn.context.close()


def test_the_order_stands_in_the_address(page: Page, own_address: str) -> None:
    table = opened(page, own_address + CLASSICS)
    table.locator("th[data-column='iris.accuracy'] button").click()
    assert parse_qsl(urlsplit(page.url).query) == [("sort", "iris.accuracy")]
    found = [float(text) for text in column(table, "iris.accuracy")]
    assert found == sorted(found, reverse=True)
    expect(table.locator("th[data-column='iris.accuracy'] button")).to_be_focused()
    page.keyboard.press("Enter")
    assert parse_qsl(urlsplit(page.url).query) == [("sort", "iris.accuracy"), ("order", "asc")]
    shared = page.url
    page.go_back()
    expect(table.locator("th[aria-sort=descending]")).to_have_attribute(
        "data-column", "iris.accuracy"
    )
    table = opened(page, shared)
    found = [float(text) for text in column(table, "iris.accuracy")]
    assert found == sorted(found)


def test_there_is_one_column_a_task_and_others_are_chosen(page: Page, own_address: str) -> None:
    table = opened(page, own_address + CLASSICS)
    heads = table.locator("thead tr").last.locator("th")
    assert [text.split()[0] for text in heads.all_inner_texts()[2:7]] == [
        "Accuracy", "Iris", "Wine", "Breast", "Digits",
    ]  # fmt: skip
    expect(table.locator("thead tr")).to_have_count(1)
    assert table.locator("tbody td[class*=heat-]").count() == 7 * 4
    for cell in table.locator("tbody td.best:not(.main)").all():
        assert "heat-6" in (cell.get_attribute("class") or "")
    page.locator("summary", has_text="Columns").click()
    page.get_by_role("checkbox", name="Wine").uncheck()
    each = page.get_by_role("group", name="On each task")
    each.get_by_role("checkbox", name="Balanced accuracy").check()
    ids = heads.evaluate_all("all => all.map(one => one.dataset.column)")
    assert {"iris.accuracy", "iris.balanced_accuracy"} <= {*ids}
    assert not [name for name in ids if name.startswith("wine.")]
    assert "overall.balanced_accuracy" not in ids
    bands = table.locator("thead tr").first.locator("th").all_inner_texts()
    assert "Iris" in bands
    assert "Wine" not in bands
    assert sorted(parse_qsl(urlsplit(page.url).query)) == [
        ("add", "each.balanced_accuracy"), ("hide", "task.wine"),
    ]  # fmt: skip
    page.get_by_role("group", name="Over all tasks").get_by_role(
        "checkbox", name="Balanced accuracy"
    ).check()
    expect(table.locator("th[data-column='overall.balanced_accuracy']")).to_be_visible()


def test_columns_without_a_value_are_not_shown(
    browser: Browser, own_site: Path, own_address: str
) -> None:
    suite = "benchmarks/openml-mini-suite/"
    view = read_view(own_site / suite)
    empty = [key for key, values in view["overall"].items() if set(values) == {None}]
    assert "result" in empty
    for scripts in (True, False):
        context = browser.new_context(java_script_enabled=scripts)
        page = context.new_page()
        page.goto(f"{own_address}{suite}?{'&'.join(f'add=overall.{key}' for key in empty)}")
        if scripts:
            expect(page.locator("[data-ready]")).to_have_count(1)
        heads = page.locator("[data-view] thead tr").last.locator("th").all_inner_texts()
        assert heads[2].startswith("Mean rank")
        assert not [text for text in heads if text.startswith(("Result", "ROC AUC"))]
        context.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (375, 667)])
def test_the_board_is_on_the_first_screen(
    page: Page, own_site: Path, own_address: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    for name in sorted(file.parent.name for file in own_site.glob("benchmarks/*/index.html")):
        table = opened(page, f"{own_address}/benchmarks/{name}/")
        top = table.bounding_box()
        assert top is not None
        if width == 1280:
            assert top["y"] <= 220, name
        rows = table.locator("tbody tr:has(td.rank)")
        third = rows.nth(min(2, rows.count() - 1)).bounding_box()
        assert third is not None
        assert third["y"] + third["height"] <= height, name


def test_names_and_ranks_stay_on_a_phone(page: Page, own_address: str) -> None:
    page.set_viewport_size({"width": 375, "height": 667})
    table = opened(page, f"{own_address}/benchmarks/openml-mini-suite/")
    cells = [table.locator("tbody tr").nth(1).locator(kind) for kind in ("td.rank", "th")]
    before = [cell.bounding_box() for cell in cells]
    page.evaluate("document.querySelector('.board').scrollLeft = 400")
    assert [cell.bounding_box() for cell in cells] == before
    assert before[1] is not None
    assert before[1]["x"] + before[1]["width"] < 375 * 0.6


@pytest.mark.parametrize("title", ["Filter", "Columns", "Ranking", "Share"])
def test_a_panel_is_beside_the_board_which_does_not_move(
    page: Page, own_address: str, title: str
) -> None:
    table = opened(page, f"{own_address}/benchmarks/openml-mini-suite/")
    row = table.locator("tbody tr").first
    before = row.bounding_box()
    page.locator(".board-top summary", has_text=title).click()
    panel, region = page.locator(".panel:visible").bounding_box(), page.locator(".board")
    beside, after = region.bounding_box(), row.bounding_box()
    assert before is not None
    assert after is not None
    assert panel is not None
    assert beside is not None
    assert (after["x"], after["y"]) == (before["x"], before["y"])
    assert beside["x"] + beside["width"] <= panel["x"]
    table.locator(".pick").nth(0).check()
    table.locator(".pick").nth(2).check()
    expect(page.locator("[data-compare]")).to_be_visible()
    picked = row.bounding_box()
    assert picked is not None
    assert (picked["x"], picked["y"]) == (before["x"], before["y"])
    page.keyboard.press("Escape")


def test_better_is_longer_and_intervals_are_about_the_end(page: Page, own_address: str) -> None:
    table = opened(page, f"{own_address}/benchmarks/openml-mini-suite/")
    lengths = table.locator("td.main svg").evaluate_all(
        "all => all.map(one => one.firstChild.getBoundingClientRect().width)"
    )
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]
    spans = table.locator("td.main svg:has(.interval)").evaluate_all(
        """all => all.map(one => [one.children[1], one.children[0]].map(
            part => part.getBoundingClientRect()).map(box => [box.left, box.right]))"""
    )
    assert spans
    assert all(low <= end <= high for (low, high), (_, end) in spans)


def test_a_readers_ranking_begins_with_the_boards_weights(
    page: Page, own_site: Path, own_address: str
) -> None:
    view = read_view(own_site / CLASSICS)
    weights = [5, 1, 1, 3]

    def weighted(route: Route) -> None:
        data = route.fetch().json()
        for task, weight in zip(data["tasks"], weights, strict=True):
            task["weight"] = weight
        route.fulfill(json=data)

    page.route("**/view.json*", weighted)
    values = list(view["scores"]["balanced_accuracy"].values())
    expected = rank(Choice(values=values, weights=weights, ascending=False))
    table = opened(page, f"{own_address}{CLASSICS}?aggregate=mean&metric=balanced_accuracy")
    shown = table.locator("tbody td:nth-child(3)").evaluate_all(
        "all => all.map(c => c.dataset.value)"
    )
    assert sorted(map(float, shown)) == pytest.approx(sorted(expected.values), rel=1e-12)


def test_each_column_says_which_end_is_better(page: Page, own_address: str) -> None:
    query = "?add=overall.acc&add=overall.logloss"
    table = opened(page, f"{own_address}benchmarks/openml-mini-suite/{query}")
    assert table.locator("th[data-column='overall.acc'] .better").all_inner_texts() == ["↑"]
    head = table.get_by_role("columnheader", name="Log loss lower is better").first
    expect(head).to_have_text(re.compile("↓"))
    expect(table.locator("th[data-column=submission] .better")).to_have_count(0)


def test_of_one_task_the_page_says_who_is_best_and_whether_that_is_certain(
    page: Page, own_address: str
) -> None:
    opened(page, f"{own_address}benchmarks/cometh/")
    said = page.locator(".verdict")
    whole = said.locator("summary").inner_text()
    table = page.locator("[data-view][data-ready] table")
    head = table.locator("th[data-column$='.relative_error']").nth(2)
    head.locator("button").click()
    name = head.inner_text().split("\N{UPWARDS ARROW}")[0].split("\N{DOWNWARDS ARROW}")[0].strip()
    expect(said).to_contain_text(f"On {name}: ")
    expect(said).to_contain_text("nothing can be concluded about which is better in general")
    page.get_by_role("button", name="Sorted by").click()
    assert said.locator("summary").inner_text() == whole
    said.locator("summary").click()
    said.get_by_role("link", name="How certain is each rank?").click()
    page.get_by_text("The best on each").click()
    line = page.get_by_role("region", name="On each").locator("tbody tr").nth(1)
    expect(line).to_contain_text("one method, run once: cannot tell")
    line.get_by_role("link").first.click()
    expect(said).to_contain_text(f"On {name}: ")


def test_rows_lead_to_their_code_at_the_commit_of_the_board(
    page: Page, own_site: Path, own_address: str
) -> None:
    commit = read_view(own_site / CLASSICS)["commit"]
    opened(page, own_address + CLASSICS)
    link = page.get_by_role("row", name="Nearest neighbours").get_by_role("link", name="code")
    expect(link).to_have_attribute(
        "href", re.compile(f"/tree/{commit}/submissions/tabular-classics/bob/nearest-neighbours$")
    )
    opened(page, own_address + "benchmarks/ogb-lsc-paper-mag240m/")  # reported scores alone
    expect(page.locator("tbody th a.details")).to_have_count(0)


def test_columns_are_added_and_taken_away_by_ticks(page: Page, own_address: str) -> None:
    table = opened(page, own_address + CLASSICS)
    ids = table.locator("thead tr").last.locator("th")
    before = ids.count()
    page.locator("summary", has_text="Columns").click()
    page.get_by_role("checkbox", name="Memory (MiB)").check()
    page.get_by_role("checkbox", name="Date").check()
    expect(ids).to_have_count(before + 2)
    assert min(map(float, column(table, "resource.memory"))) > 1
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", text) for text in column(table, "submitted"))
    page.get_by_role("button", name="None").click()
    assert "iris.accuracy" not in ids.evaluate_all("all => all.map(one => one.dataset.column)")
    page.get_by_role("button", name="All", exact=True).click()
    expect(ids).to_have_count(before + 2)
    shared = page.url
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox", name="Date")).to_be_hidden()
    expect(page.locator("summary", has_text="Columns")).to_be_focused()
    opened(page, shared)
    expect(ids).to_have_count(before + 2)
    page.locator("summary", has_text="Columns").click()
    expect(page.get_by_role("checkbox", name="Date")).to_be_checked()
    page.locator("h1").click()
    expect(page.get_by_role("checkbox", name="Date")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("checkbox", name="Date")).to_be_hidden()


def test_the_fastest_within_one_percent_of_the_best_is_three_clicks_from_home(
    page: Page, own_site: Path, own_address: str
) -> None:
    view = read_view(own_site / "benchmarks/autorl-jobshop")
    values, seconds = view["overall"]["gap"], view["resource"]["time"]
    most = 1.01 * min(values)
    near = [row for row, value in enumerate(values) if value <= most]
    assert 1 < len(near) < len(values)
    expected = [view["rows"]["title"][row] for row in sorted(near, key=lambda row: seconds[row])]
    page.goto(own_address)
    page.locator("article").get_by_role("link", name="AutoRL: dynamic job shop").first.click()
    page.locator("summary", has_text="Filter").click()
    page.get_by_role("button", name="Fastest within 1% of the best").click()
    table = page.locator("[data-view] table")
    assert table.locator("tbody th > a:not(.details)").all_inner_texts() == expected
    shown = [float(text) for text in column(table, "resource.time")]
    assert shown == pytest.approx(sorted(seconds[row] for row in near), rel=0.006)
    chips = page.get_by_role("list", name="Sort and filters").get_by_role("button")
    assert [text.split(" \N{MULTIPLICATION SIGN}")[0] for text in chips.all_inner_texts()] == [
        "Sorted by Prediction time, mean of tasks (s): lowest first",
        "Within 1% of the best Gap, %",
    ]  # fmt: skip
    chips.nth(1).focus()
    page.keyboard.press("Enter")
    expect(table.locator("tbody tr")).to_have_count(len(values))
    expect(chips).to_have_count(1)
    expect(chips).to_be_focused()
    page.keyboard.press("Enter")
    expect(chips).to_have_count(0)
    expect(page.get_by_label("Find")).to_be_focused()
    assert [text.split()[0] for text in column(table, "rank")] == ["1", "2", "3", "4", "5"]


def test_what_takes_more_than_a_reader_allows_is_left_out(
    page: Page, own_site: Path, own_address: str
) -> None:
    view = read_view(own_site / CLASSICS)
    seconds = view["resource"]["time"]
    most = sorted(seconds)[2]
    table = opened(page, f"{own_address}{CLASSICS}?max.time={most}&search=e")
    fits = [n for n, title in enumerate(view["rows"]["title"]) if seconds[n] <= most]
    assert table.locator("tbody th > a:not(.details)").count() <= len(fits) == 3
    expect(
        page.get_by_role("button", name=f"Prediction time, mean of tasks (s) at most {most} remove")
    ).to_be_visible()
    page.get_by_role("button", name="Find: e remove").click()
    assert table.locator("tbody th > a:not(.details)").count() == 3
    table = opened(
        page, f"{own_address}{CLASSICS}?weight.iris=2&sort=wine.accuracy&method_family=linear"
    )
    page.get_by_role("button", name="Your own ranking remove").click()
    page.get_by_role("button", name="Sorted by Accuracy, Wine: highest first remove").click()
    assert not urlsplit(page.url).query.count("weight")
    assert table.locator("tbody th > a:not(.details)").count() >= 1


@pytest.mark.parametrize(
    "aggregation", ["mean", "mean_rank", "median", "borda", "geometric_mean", "normalised"]
)
def test_a_readers_ranking_is_that_of_python(
    page: Page, own_site: Path, own_address: str, aggregation: Any
) -> None:
    view = read_view(own_site / CLASSICS)
    weights = {"iris": 3.0, "wine": 0.0, "breast-cancer": 0.5, "digits": 1.0}
    query = "&".join(f"weight.{slug}={weight}" for slug, weight in weights.items())
    baseline = view["rows"]["participant"].index("alice")
    expected = rank(
        Choice(
            values=list(view["scores"]["balanced_accuracy"].values()),
            weights=[weights[task["slug"]] for task in view["tasks"]],
            ascending=False,
            aggregation=aggregation,
            baseline=baseline if aggregation == "normalised" else None,
            breakers=[
                (view["overall"][column["key"]], column["sorting"] == "asc")
                for column in view["columns"]
                if column["breaks_ties"]
            ],
        )
    )
    name = f"alice/{view['rows']['submission'][baseline]}"
    table = opened(
        page,
        f"{own_address}{CLASSICS}?aggregate={aggregation}&metric=balanced_accuracy"
        f"&baseline={name}&{query}",
    )
    by_name = dict(
        zip(
            table.locator("tbody th > a:not(.details)").all_inner_texts(),
            column(table, "yours"),
            strict=True,
        )
    )
    titles = view["rows"]["title"]
    assert by_name == {
        title: str(place) for title, place in zip(titles, expected.ranks, strict=True)
    }
    assert [int(text) for text in column(table, "yours")] == sorted(map(int, by_name.values()))
    values = table.locator("tbody td:nth-child(3)").evaluate_all(
        "all => all.map(c => c.dataset.value)"
    )
    assert sorted(map(float, values)) == pytest.approx(sorted(expected.values), rel=1e-12)
    spans = column(table, "yours.span")
    assert all(re.fullmatch(f"[1-7]{NONE}[1-7]", text) for text in spans)


@pytest.mark.slow
def test_by_a_boards_own_rule_a_reader_gets_its_ranks(
    page: Page, own_site: Path, own_address: str
) -> None:
    boards = 0
    for path in sorted(own_site.glob("benchmarks/**/view.json")):
        view = read_view(path.parent)
        ranked_by = next((c for c in view["columns"] if c["key"] == view["ranked_by"]), None)
        known = view["aggregate"] in ("mean", "mean_rank") or len(view["tasks"]) == 1
        if not known or ranked_by is None or ranked_by["over_tasks"] or view["listed"] < 2:
            continue
        aggregate = "mean_rank" if view["aggregate"] == "mean_rank" else "mean"
        folder = path.parent.relative_to(own_site)
        table = opened(page, f"{own_address}{folder}/?aggregate={aggregate}&sort=rank")
        ranks = table.locator("tbody tr:not(.goal) td.rank").evaluate_all(
            "all => all.map(one => one.dataset.value)"
        )
        assert ranks[::2] == ranks[1::2], folder
        assert len(ranks) == 2 * view["listed"]
        boards += 1
    assert boards > 20


def test_ranks_by_several_metrics_say_how_stable_they_are(page: Page, own_address: str) -> None:
    table = opened(page, own_address + CLASSICS + "?metric=accuracy&metric=balanced_accuracy")
    spans = column(table, "yours.span")
    assert all(re.fullmatch(f"[1-7]{NONE}[1-7]", text) for text in spans)
    assert spans[0].startswith("1")


def test_stability_is_told_where_tasks_do_not_count_for_all(page: Page, own_address: str) -> None:
    table = opened(page, own_address + "benchmarks/open-tabular/?aggregate=mean")
    assert table.locator("td.uncounted").count() > 0
    spans = column(table, "yours.span")
    assert spans
    assert all(re.fullmatch(f"[1-9]{NONE}[1-9]", text) for text in spans)


def test_two_that_are_ticked_can_be_compared(page: Page, own_address: str) -> None:
    table = opened(page, own_address + CLASSICS)
    link = page.locator("[data-compare]")
    picks = table.locator(".pick")
    picks.nth(0).check()
    expect(link).to_be_hidden()
    picks.nth(2).check()
    expect(link).to_have_text("Compare the 2 that are ticked")
    for place in (3, 4, 5):
        picks.nth(place).check()
    expect(picks.nth(6)).to_be_disabled()
    link.click()
    expect(page).to_have_url(re.compile(r"compare/\?with="))
    assert len(parse_qsl(urlsplit(page.url).query)) == 5


def test_a_link_says_what_it_was_made_of(page: Page, own_address: str) -> None:
    opened(page, own_address + CLASSICS + "?sort=iris.accuracy")
    page.locator("summary", has_text="Share").click()
    link = page.locator("[data-permalink]")
    expect(link).to_have_attribute("href", re.compile(r"sort=iris\.accuracy&at=[0-9a-f]{12}"))
    link.click()
    expect(page).to_have_url(re.compile("at="))
    expect(page.locator("[data-moved]")).to_be_hidden()
    opened(page, own_address + CLASSICS + "?at=0123456789ab")
    expect(page.locator("[data-moved]")).to_contain_text("0123456789ab")


def test_nonsense_in_the_address_is_borne(page: Page, own_address: str) -> None:
    table = opened(
        page,
        own_address + CLASSICS + "?sort=__proto__&order=up&hide=constructor&metric=gone"
        "&aggregate=best&weight.iris=-1&weight.wine=NaN&baseline=%F0%9F%98%80&show=none&since=x&heat",
    )
    assert table.locator("tbody tr").count() >= 0
    table = opened(page, own_address + CLASSICS + "?weight.iris=0&weight.wine=0&weight.digits=0"
                   "&weight.breast-cancer=0")  # fmt: skip
    assert column(table, "yours") == [NONE] * 7
    table = opened(page, own_address + CLASSICS + "?weight.iris=1e308&weight.wine=1e308")
    assert sorted(column(table, "yours")) == [str(n) for n in range(1, 8)]


def test_the_reason_of_a_failure_is_told_on_focus(page: Page, address: str) -> None:
    table = opened(page, address + "benchmarks/adding/")
    cell = table.locator("td.failed[title]").first
    cell.focus()
    tip = page.locator(".cell-tip")
    expect(tip).to_be_visible()
    assert tip.inner_text() == (cell.get_attribute("title") or "").strip()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("width", [900, 375])
def test_nothing_prints_through_the_names_of_a_board_that_is_scrolled_sideways(
    page: Page, own_address: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    table = opened(page, f"{own_address}/benchmarks/openml-mini-suite/")
    page.evaluate("document.querySelector('.board').scrollIntoView({block: 'center'})")
    name = table.locator("tbody tr:nth-child(2) > th")
    pictures = set()
    for offset in (260, 320, 380):
        page.evaluate("offset => document.querySelector('.board').scrollLeft = offset", offset)
        pictures.add(picture(page, name))
    assert table.locator("tbody tr:nth-child(2) > td").nth(1).bounding_box()["x"] < 0  # type: ignore[index]
    assert len(pictures) == 1


def picture(page: Page, cell: Locator) -> bytes:
    """Pixels of a cell, without the lines around it."""
    box = cell.bounding_box()
    assert box is not None
    page.mouse.move(0, 0)
    return page.screenshot(
        clip={
            "x": box["x"] + 2, "y": box["y"] + 2,
            "width": box["width"] - 6, "height": box["height"] - 4,
        }
    )  # fmt: skip


@pytest.mark.slow
def test_on_a_phone_a_row_shows_rank_name_and_primary_score(
    page: Page, own_site: Path, own_address: str
) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    names = sorted(file.parent.name for file in own_site.glob("benchmarks/*/index.html"))
    assert len(names) >= 20
    for name in names:
        table = opened(page, f"{own_address}/benchmarks/{name}/")
        row = table.locator("tbody tr:has(td.rank)").first
        for cell in (row.locator("td.rank"), row.locator("th"), row.locator("td.num").first):
            box = cell.bounding_box()
            assert box is not None
            assert box["x"] >= 0, name
            assert box["x"] + box["width"] <= 375, name
        head = table.locator('thead [data-column="submission"]')
        page.evaluate("document.querySelector('.board').scrollLeft = 150")
        assert head.bounding_box()["x"] == row.locator("th").bounding_box()["x"], name  # type: ignore[index]


def test_eighteen_tasks_of_a_submission_stand_on_one_screen(page: Page, own_address: str) -> None:
    """With code and commands beside them; a task's name opens what is folded."""
    page.goto(own_address + "benchmarks/autowsl/submissions/alice/prior/")
    rows = page.locator("table.scores tbody tr")
    assert rows.count() == 19
    for part in (rows.last, page.locator("#code + dd"), page.locator("#reproduce + pre")):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900
    assert page.evaluate("document.documentElement.scrollHeight") < 1300
    assert page.locator(".folds details[open]").count() == 0
    page.locator("table.scores").get_by_role("link", name="Final 18", exact=True).click()
    expect(page.locator("#task-final-18")).to_be_in_viewport()
