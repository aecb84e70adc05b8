"""Boards that readers filter, search and group, in a real browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from evaluator.core.formats.schema import dump_yaml
from evaluator.site.build import build
from tests.records import record_of
from tests.repository import Repository
from tests.site.conftest import ROOT, serving

pytestmark = pytest.mark.browser
HOSTILE = (
    "'\"><script>document.title='owned'</script>"
    "<img src=x onerror=document.title='owned'> &quot;\u202e"
)
LONG = "y" * 1900 + "end"
SHEET = {
    "method_family": ("select", "Method family", ["linear", "trees", HOSTILE[:60]]),
    "deep": ("checkbox", "Deep", ""),
    "paper": ("text", "Paper", ""),
    # Names that mean something to a browser, to the theme, or to a script.
    "q": ("select", "Quality", ["low", "high"]),
    "__proto__": ("select", "Proto", ["yes", "no"]),
    "constructor": ("text", "Constructor", ""),
}
ROWS = {
    # participant/name: answers; the score falls from line to line
    "ann/one": {"method_family": "trees", "deep": False, "paper": "Breiman 2001", "q": "low"},
    "ann/two": {"method_family": "linear", "deep": False, "paper": "Gauss 1809", "q": "high"},
    "ben/three": {"method_family": "trees", "deep": True, "paper": LONG, "__proto__": "yes"},
    "cat/four": {"method_family": "linear", "deep": False, "constructor": "Gauss again"},
    "dan/five": {"deep": True},
    "mallory/six": {"method_family": HOSTILE[:60], "paper": HOSTILE, "constructor": HOSTILE},
}
RANKED = ["one", "two", "three", "four", "five", "six"]
BOARD = "benchmarks/adding/"


def benchmark(repository: Repository, name: str) -> None:
    """Make one of the bundle ``small`` with the fact sheet, and six entries to it."""
    shutil.copytree(ROOT / "tests/bundles/small/benchmarks/adding",
                    repository.path / "benchmarks" / name)  # fmt: skip
    sheet = {
        key: {"key": key, "type": kind, "title": title, "selection": selection}
        for key, (kind, title, selection) in SHEET.items()
    }
    path = f"benchmarks/{name}/competition.yaml"
    text = (repository.path / path).read_text() + dump_yaml({"fact_sheet": sheet}).decode()
    if name == "quiet":
        text = text.replace("pullbench:\n", "pullbench:\n  phases: {0: {shows: status}}\n")
    if name == "sealed":
        text = text.replace("    key: results\n", "    key: results\n    hidden: true\n")
    if name == "alone":  # what it is ranked by says nothing of its task
        text = text.replace("tasks: [0, 1]", "tasks: [0]")
        text = text.replace("pullbench:\n", "pullbench:\n  aggregate: win_rate\n")
    repository.write(path, text)
    for entry, answers in ROWS.items():
        repository.write(f"submissions/{name}/{entry}/main.py", "")
        repository.write(f"submissions/{name}/{entry}/submission.yaml",
                         dump_yaml({"kind": "code", "fact_sheet": answers}))  # fmt: skip


def data_sets(repository: Repository) -> None:
    """Add the bundle ``growing`` with four data sets of participants."""
    repository.copy_bundle("growing")
    sheet = "source: {key: source, type: text, title: Source, is_required: true}\n"
    licence = "licence: {key: licence, type: select, title: Licence, selection: [CC0, BSD]}\n"
    repository.replace("benchmarks/growing/competition.yaml", sheet, f"{sheet}      {licence}")
    ones = repository.path / "submissions/growing/bob/ones"
    for name, chosen in (("bob/ones", "CC0"), ("bob/two", "BSD"), ("dan/three", "CC0")):
        folder = repository.path / "submissions/growing" / name
        if folder != ones:
            shutil.copytree(ones, folder)
        repository.write(
            f"submissions/growing/{name}/submission.yaml",
            f"kind: dataset\nfact_sheet: {{source: me, licence: {chosen}}}\n",
        )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repository = Repository(tmp_path_factory.mktemp("choosing") / "repo")
    repository.copy_bundle("small")
    shutil.rmtree(repository.path / "benchmarks/adding")
    shutil.rmtree(repository.path / "submissions/adding")
    shutil.copytree(ROOT / "site", repository.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repository.path / "mkdocs.yml")
    for name in ("adding", "quiet", "sealed", "alone"):
        benchmark(repository, name)
    data_sets(repository)
    repository.commit()
    for _ in range(2):  # what the checks of data sets accept opens cells of its own
        for item in repository.plan().missing:
            record = record_of(item.cell)
            place = (
                RANKED.index(item.cell.id.submission) if item.cell.id.submission in RANKED else 0
            )
            # Task two ranks the other way round, by its distance.
            values = {"right": 1 - place / 10, "distance": 1 + place}
            scores = {key: values.get(key, value) for key, value in record.scores.items()}
            record = record.replace(scores=scores)
            repository.put(record)
        repository.commit("Records")
    assert [item.reason for item in repository.plan().missing] == []
    return build.build_site(repository.path).folder


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    with serving(built) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert page.title() != "owned"
    context.close()
    assert errors == []


SEEN = "all => all.filter(one => one.checkVisibility()).map(one => one.innerText)"


def names(page: Page, *, scripts: bool = True) -> list[str]:
    """Titles of the rows that are seen, from above, once scripts have read the boards."""
    if scripts:
        expect(page.locator("[data-view]:not([data-ready])")).to_have_count(0)
    table = page.locator("table[data-sortable]").first
    found: list[str] = table.locator("tbody tr:not(.group) > th > a:not(.details)").evaluate_all(
        SEEN
    )
    return found


def headings(page: Page) -> list[str]:
    expect(page.locator("[data-view]:not([data-ready])")).to_have_count(0)
    table = page.locator("table[data-sortable]").first
    found: list[str] = table.locator("tr.group th").evaluate_all(SEEN)
    return found


def status(page: Page) -> Locator:
    return page.get_by_role("status").first


def query(page: Page) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(page.url).query, keep_blank_values=True)


def filters(page: Page) -> Locator:
    panel = page.locator(".controls details").first
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    return panel.locator(".facets")


def group_by(page: Page, label: str) -> None:
    filters(page).get_by_label("Group by").select_option(label=label)


def test_filters_combine_and_the_count_is_told(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    assert names(page) == RANKED
    expect(status(page)).to_have_text("6 rows")
    shown = filters(page)
    family = shown.get_by_role("group", name="Method family")
    family.get_by_role("checkbox", name="trees 2").check()
    assert names(page) == ["one", "three"]
    expect(status(page)).to_have_text("2 of 6 rows")
    family.get_by_role("checkbox", name="linear 2").check()
    assert names(page) == ["one", "two", "three", "four"]
    shown.get_by_role("group", name="Deep").get_by_role(
        "checkbox", name="no", exact=False
    ).first.check()
    assert names(page) == ["one", "two", "four"]
    shown.get_by_role("textbox", name="Paper contains").fill("gauss")
    assert names(page) == ["two"]
    expect(page.locator(".controls summary").first).to_have_text("Filter (3)")
    # Ranks are those of the whole board.
    assert page.locator("tr:not([hidden]) > td.rank").all_inner_texts() == ["2"]
    page.get_by_role("button", name="Show all").click()
    assert names(page) == RANKED
    assert query(page) == []
    expect(page.get_by_label("Find").first).to_be_focused()


COVERED = """panel => [...document.querySelectorAll(
    '.tools > *, .shown > *, .share')].filter(one => {
        const {left, top, width, height} = one.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        return one.checkVisibility({visibilityProperty: true}) && panel.contains(seen);
    }).map(one => one.innerText || one.tagName)"""


@pytest.mark.parametrize("width", range(980, 1500, 65))
def test_an_open_panel_covers_none_of_the_controls(page: Page, address: str, width: int) -> None:
    """However wide a browser makes fields and letters, and so however they wrap."""
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address + BOARD)
    shown = filters(page)
    before = shown.bounding_box()
    shown.get_by_role("checkbox", name="trees 2").check()
    expect(page.get_by_role("button", name="Show all")).to_be_visible()
    assert shown.evaluate(COVERED) == []
    assert shown.bounding_box() == before, "it moves below the reader's hand"
    page.locator(".controls summary").first.click()
    expect(page.get_by_role("button", name="Method family: trees")).to_be_visible()


def test_participants_and_what_is_not_answered(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    shown = filters(page)
    shown.get_by_role("group", name="Participant").get_by_role("checkbox", name="ann").check()
    assert names(page) == ["one", "two"]
    page.go_back()
    group = shown.get_by_role("group", name="Method family")
    group.get_by_role("checkbox", name="not answered").check()
    assert names(page) == ["five"]
    assert query(page) == [("method_family", "")]


def test_search_looks_at_names_participants_and_answers(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    find = page.get_by_label("Find").first
    for text, found in (("THREE", ["three"]), ("ann", ["one", "two"]), ("again", ["four"]),
                        ("nothing like it", [])):  # fmt: skip
        find.fill(text)
        assert names(page) == found
        expect(status(page)).to_have_text(f"{len(found)} of 6 rows")


def test_groups_have_counts_and_keep_ranks(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    group_by(page, "Method family")
    found = headings(page)
    assert found[:2] == ["Method family: trees 2 rows", "Method family: linear 2 rows"]
    assert found[-1] == "Method family: not answered 1 row"
    assert names(page) == ["one", "three", "two", "four", "six", "five"]
    assert page.locator("td.rank").all_inner_texts() == ["1", "3", "2", "4", "6", "5"]
    expect(status(page)).to_have_text("6 rows in 4 groups")
    assert query(page) == [("group", "method_family")]
    page.get_by_label("Find").first.fill("gauss")
    assert headings(page) == ["Method family: linear 2 rows"]
    page.get_by_label("Find").first.fill("")
    group_by(page, "nothing")
    assert names(page) == RANKED
    assert headings(page) == []


def test_sorting_stays_within_groups_and_outlives_them(page: Page, address: str) -> None:
    page.goto(address + BOARD + "?group=method_family")
    head = (
        page.locator("table[data-sortable] thead").first.get_by_role("button", name="Right").first
    )
    head.click()
    head.click()
    assert page.locator("th[aria-sort]").all_inner_texts() == ["Right ↑"]
    # Worst first: the group of the worst row leads, and unanswered rows stay last.
    assert names(page) == ["six", "four", "two", "three", "one", "five"]
    assert headings(page)[1] == "Method family: linear 2 rows"
    group_by(page, "nothing")
    assert names(page) == RANKED[::-1]


def test_an_address_shows_the_same_view_to_others(
    page: Page, browser: Browser, address: str
) -> None:
    page.goto(address + BOARD + "?utm=x#phases")
    group_by(page, "Deep")
    filters(page).get_by_role("checkbox", name="trees").check()
    page.get_by_label("Find").first.press_sequentially("a")
    assert query(page) == [
        ("utm", "x"), ("search", "a"), ("group", "deep"), ("method_family", "trees"),
    ]  # fmt: skip
    assert page.url.endswith("#phases")
    other = browser.new_page()
    other.goto(page.url)
    assert (names(other), headings(other)) == (names(page), headings(page))
    expect(other.get_by_label("Find").first).to_have_value("a")
    expect(other.locator("input[value=trees]")).to_be_checked()
    expect(other.get_by_label("Group by").first).to_have_value("deep")
    # The theme's own search stays closed: it opens itself on another name.
    expect(other.get_by_placeholder("Search")).to_have_value("")
    other.close()


def test_the_back_button_takes_back_a_choice_at_a_time(page: Page, address: str) -> None:
    page.goto(address)
    page.goto(address + BOARD)
    filters(page).get_by_role("checkbox", name="trees").check()
    find = page.get_by_label("Find").first
    find.press_sequentially("three")
    assert names(page) == ["three"]
    page.go_back()  # a word is one step
    assert names(page) == ["one", "three"]
    expect(find).to_have_value("")
    page.go_back()
    assert names(page) == RANKED
    expect(page.locator("input[value=trees]")).not_to_be_checked()
    page.go_forward()
    assert names(page) == ["one", "three"]
    page.go_back()
    page.go_back()
    assert page.url == address


def test_everything_works_by_keyboard_alone(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    press = page.keyboard.press
    page.get_by_role("link", name="About", exact=True).focus()
    press("Tab")
    expect(page.get_by_label("Find").first).to_be_focused()
    page.keyboard.type("s")  # a letter that opens the theme's search elsewhere
    expect(page.get_by_label("Find").first).to_have_value("s")
    press("Backspace")
    press("Tab")
    expect(page.locator(".controls summary").first).to_be_focused()
    press("Enter")
    press("Tab")
    expect(page.get_by_role("button", name="Close").first).to_be_focused()
    press("Tab")
    expect(page.get_by_label("Group by").first).to_be_focused()
    press("ArrowDown")
    assert query(page) == [("group", "participant")]
    press("Tab")
    expect(page.locator("[name=show]")).to_be_focused()
    press("Tab")
    expect(page.locator("[name=within]")).to_be_focused()
    while page.evaluate("document.activeElement.matches('.numbers *')"):
        press("Tab")
    expect(page.get_by_role("checkbox", name="ann 2")).to_be_focused()
    press("Space")
    assert names(page) == ["one", "two"]
    assert headings(page) == ["Participant: ann 2 rows"]
    for _ in range(40):
        if page.evaluate("document.activeElement.hasAttribute('data-clear')"):
            break
        press("Tab")
    press("Enter")
    assert names(page) == RANKED


def test_every_control_has_a_name(page: Page, address: str) -> None:
    page.goto(address + BOARD)
    filters(page)
    controls = page.locator(".controls").first.locator("input, select, button, summary")
    for control in controls.all():
        name = control.evaluate(
            "e => e.ariaLabel || (e.labels ? [...e.labels] : [e]).map(l => l.innerText).join()"
        )
        assert name.strip() or control.is_hidden()
    assert page.get_by_role("search", name="Rows of Main").count() == 1
    assert page.locator("[data-count]").first.get_attribute("aria-live") == "polite"


def test_without_javascript_the_table_is_whole_and_there_are_no_controls(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + BOARD + "?method_family=trees&group=method_family")
    assert names(page, scripts=False) == RANKED
    assert page.locator(".controls").count() == 0
    context.close()


def test_hostile_answers_are_text(page: Page, address: str) -> None:
    page.goto(address + BOARD + "?group=method_family")
    shown = filters(page)
    assert any(HOSTILE[:30] in heading for heading in headings(page))
    shown.get_by_label(HOSTILE[:30]).check()
    assert names(page) == ["six"]
    for key in SHEET:
        name = "sheet.q" if key == "q" else key
        page.goto(f"{address}{BOARD}?group={name}")
        assert len(names(page)) == len(RANKED)
        assert len(headings(page)) > 1
    assert (
        page.locator(".pullbench script, .pullbench img, .controls script, .controls img").count()
        == 0
    )


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        ("method_family=gone", []),
        ("method_family=gone&method_family=linear", ["two", "four"]),
        ("paper=" + "z" * 5000, []),
        ("group=nothing-like-it", RANKED),
        ("group=constructor&__proto__=yes", ["three"]),
        ("constructor=gauss", ["four"]),
        ("method_family=%3Cimg%20src=x%20onerror=document.title='owned'%3E", []),
        ("search=%FF%00%E2%80%AE", []),
    ],
)
def test_strange_addresses_harm_nobody(
    page: Page, address: str, choice: str, found: list[str]
) -> None:
    page.goto(f"{address}{BOARD}?{choice}")
    assert names(page) == found
    assert page.locator(".controls img").count() == 0


def test_what_an_address_asks_for_in_vain_can_be_taken_back(page: Page, address: str) -> None:
    page.goto(address + BOARD + "?method_family=gone")
    expect(status(page)).to_have_text("0 of 6 rows")
    filters(page).get_by_role("checkbox", name="gone 0").uncheck()
    assert names(page) == RANKED


def test_long_answers_are_cut(page: Page, address: str) -> None:
    page.goto(address + BOARD + "?group=paper")
    expect(page.locator("[data-ready]")).to_have_count(1)
    assert 200 < max(map(len, headings(page))) < 240


def test_a_phone_does_not_scroll_sideways(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = context.new_page()
    for path in (BOARD, BOARD + "tasks/", "benchmarks/growing/datasets/"):
        page.goto(address + path + "?group=participant")
        for details in page.locator("article details").all():
            details.evaluate("element => { element.open = true; }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()


def test_boards_of_one_page_show_one_view(page: Page, address: str) -> None:
    page.goto(address + BOARD + "tasks/")
    page.locator("summary", has_text="Board of this task alone").first.click()
    first = page.locator(".controls").first
    first.get_by_label("Find").fill("gauss")
    page.locator("summary", has_text="Board of this task alone").nth(1).click()
    tables = page.locator("table[data-sortable]")
    assert tables.count() == 2
    for table in tables.all():
        assert sorted(
            table.locator("tbody tr:visible > th > a:not(.details)").all_inner_texts()
        ) == [
            "four",
            "two",
        ]
    assert page.locator("[data-count]").all_inner_texts() == ["2 of 6 rows"] * 2
    second = page.locator(".controls").nth(1).get_by_label("Find")
    expect(second).to_have_value("gauss")
    second.fill("")
    expect(page.locator(".controls").first.get_by_label("Find")).to_have_value("")


def test_data_sets_are_chosen_by_their_sheet(page: Page, address: str) -> None:
    page.goto(address + "benchmarks/growing/datasets/")
    group_by(page, "Licence")
    assert headings(page) == ["Licence: CC0 2 rows", "Licence: BSD 1 row",
                              "Licence: not answered 2 rows"]  # fmt: skip
    filters(page).get_by_role("checkbox", name="CC0").check()
    for table in page.locator("table[data-sortable]").all():
        assert table.locator("tbody tr:visible:not(.group) > th").count() == 2
    page.goto(address + "benchmarks/growing/datasets/?participant=the+organiser")
    assert names(page) == ["First"]


def test_a_board_of_statuses_has_controls_too(page: Page, address: str) -> None:
    page.goto(address + "benchmarks/quiet/?method_family=trees&group=deep")
    assert sorted(names(page)) == ["one", "three"]
    assert len(headings(page)) == 2


def test_hidden_and_small_boards_have_none(page: Page, built: Path, address: str) -> None:
    for path in ("benchmarks/sealed/", "benchmarks/echo/"):
        text = (built / path / "index.html").read_text()
        assert "data-answers" not in text
        assert "data-controls" not in text
        page.goto(address + path + "?method_family=trees&search=zzz")
        assert page.locator(".controls").count() == 0
    page.goto(address + "benchmarks/echo/?search=zzz")
    assert names(page) == ["same"]


def test_one_submission_of_each_participant(page: Page, address: str) -> None:
    page.goto(address + BOARD + "?show=best")
    expect(status(page)).to_have_text("5 of 6 rows")
    assert names(page) == [name for name in RANKED if name != "two"]
    filters(page).get_by_label("Show").select_option("all")
    assert names(page) == RANKED
    assert query(page) == [("show", "all")]


def test_the_best_where_no_column_of_the_only_task_ranks(page: Page, address: str) -> None:
    page.goto(address + "benchmarks/alone/?show=best")
    assert names(page) == [name for name in RANKED if name != "two"]
    expect(status(page)).to_have_text("5 of 6 rows")


def test_dates_and_states(page: Page, address: str) -> None:
    page.goto(address + BOARD + "?since=2000-01-01&until=2999-12-31&status=finished")
    expect(status(page)).to_have_text("6 rows")
    page.goto(address + BOARD + "?until=2000-01-01")
    expect(status(page)).to_have_text("0 of 6 rows")
    expect(page.locator("[data-view] tbody")).to_contain_text("No row fits what is asked for.")
    filters(page).get_by_label("to", exact=True).fill("")
    expect(status(page)).to_have_text("6 rows")
