"""What readers look for on the site of this repository, in at most three clicks from Home."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser
MAX_CLICKS = 3
CLASSICS = "Tabular classics"
"""A benchmark that Home does not name, since others end sooner: it is on the page of all."""
DECON = "DECONbench (stand-in data)"
"""One that it does."""


class Reader:
    """Somebody at Home with a mouse and a keyboard; a form that is sent counts as a click."""

    def __init__(self, page: Page, home: str) -> None:
        self.page = page
        self.home = home
        self.clicks = 0
        page.goto(home)

    def click(self, what: Locator) -> None:
        """Click on the one thing that a locator finds first."""
        self.clicks += 1
        assert self.clicks <= MAX_CLICKS
        what.first.click()

    def follow(self, name: str, within: str = "main") -> None:
        """Click on a link of the page."""
        self.click(self.page.locator(within).get_by_role("link", name=name, exact=True))

    def open_classics(self) -> None:
        """Go to a board by the page of all benchmarks."""
        self.follow("Benchmarks", "body")
        self.follow(CLASSICS)

    def search(self, words: str) -> None:
        """Search the site."""
        self.page.get_by_role("banner").get_by_role("searchbox").fill(words)
        self.clicks += 1
        self.page.keyboard.press("Enter")

    def path(self) -> str:
        """Address of the page, from the site's root."""
        return self.page.url.removeprefix(self.home)


@pytest.fixture
def reader(browser: Browser, own_address: str) -> Iterator[Reader]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(60_000)
    yield Reader(context.new_page(), own_address)
    context.close()


def test_which_benchmarks_can_be_entered_today_and_until_when(reader: Reader) -> None:
    open_now = reader.page.get_by_role("list", name="Open benchmarks")
    card = open_now.get_by_role("listitem").filter(has_text="OGB-LSC: MAG240M")
    expect(card).to_contain_text("until 2027-06-01")
    expect(card.get_by_role("link", name="Submit")).to_be_visible()
    reader.follow("OGB-LSC: MAG240M (stand-in data)")
    expect(reader.page.locator("main")).to_contain_text("until 2027-06-01")


def test_a_board_of_published_results_is_never_open(reader: Reader) -> None:
    """On Home, among the benchmarks, on its board and where one submits."""
    open_now = reader.page.get_by_role("list", name="Open benchmarks")
    expect(open_now).not_to_contain_text(re.compile("paper:|as published"))
    reader.page.get_by_role("link", name=re.compile("All .* benchmarks")).click()
    cards = reader.page.get_by_role("list", name="Benchmarks").get_by_role("listitem")
    published = cards.filter(has=reader.page.get_by_text("published results", exact=True))
    titles = [
        "AutoGraph, as published", "Codabench paper: the leaderboard of Figure 3",
        "OGB-LSC paper: MAG240M", "OGB-LSC paper: PCQM4M and PCQM4Mv2",
        "OGB-LSC paper: WikiKG90M and WikiKG90Mv2",
        "OGB-LSC paper: model sizes on PCQM4M and PCQM4Mv2", "What pullbench costs",
    ]  # fmt: skip
    links = published.get_by_role("heading").get_by_role("link")
    expect(links).to_have_count(len(titles))
    assert sorted(links.all_inner_texts()) == titles
    published.get_by_role("link", name=titles[3]).click()
    head = reader.page.locator(".board-head")
    expect(head).to_contain_text(re.compile("published results", re.IGNORECASE))
    expect(head).not_to_contain_text(re.compile("open", re.IGNORECASE))
    reader.page.get_by_role("link", name="Add a published result").click()
    states = reader.page.get_by_role("region", name="Phases").get_by_role("cell")
    expect(states.filter(has_text="open")).to_have_count(0)
    expect(reader.page.locator("main")).to_contain_text("Nothing is evaluated here.")


def test_a_rank_that_differs_from_its_sources_is_marked(reader: Reader) -> None:
    reader.page.goto(f"{reader.home}benchmarks/ogb-lsc-paper-mag240m/phases/kdd-cup-2021/")
    row = reader.page.get_by_role("row").filter(has_text="HUNGraphs")
    expect(row.get_by_role("cell").first).to_have_text("38")
    expect(row).to_contain_text("rank 39 at its source")
    expect(reader.page.locator("main").get_by_text("at its source")).to_have_count(1)
    row.get_by_role("link", name="HUNGraphs").click()
    expect(reader.page.locator("main")).to_contain_text(
        "It states rank 39; this board ranks by its own rules."
    )


def test_with_own_weights_the_sentence_names_who_leads_then(reader: Reader) -> None:
    """It still named the board's leader."""
    reader.page.goto(f"{reader.home}benchmarks/autograph-paper/")
    said = reader.page.locator("[data-conclusion]")
    before = said.text_content() or ""
    tasks = "".join(f"&weight.dataset-{letter}=0" for letter in "acdefghijklmno")
    reader.page.goto(f"{reader.home}benchmarks/autograph-paper/?metric=acc&aggregate=mean{tasks}")
    expect(said).to_have_text(
        "In your ranking \u2068PASA_NJU (second)\u2069 (pasanju) leads. "
        "Whether that is certain was not computed."
    )
    assert "PASA_NJU" not in before.partition("leads")[0]
    reader.page.goto(f"{reader.home}benchmarks/autograph-paper/?sort=submission")
    expect(said).to_have_text(before)


def test_who_is_best_on_one_data_set_and_is_that_certain(reader: Reader) -> None:
    reader.follow("AutoWSL (stand-in data)")
    reader.click(reader.page.locator('th[data-column="final-1.auc"] button'))
    expect(reader.page.locator("[data-conclusion]")).to_contain_text(
        "leads. With one task that was run once, nothing can be concluded"
    )
    expect(reader.page.locator("table.pullbench tbody tr").first).to_contain_text("Boosted trees")


def test_what_changed_since_a_date(reader: Reader) -> None:
    reader.follow("AMLB validation")
    reader.follow("History")
    reader.clicks += 1
    chosen = reader.page.get_by_label("From")
    expect(chosen.locator("option").nth(1)).to_be_attached()
    chosen.select_option(index=chosen.locator("option").count() - 1)
    expect(reader.page).to_have_url(re.compile(r"\?from="))
    expect(
        reader.page.get_by_text(re.compile("Nothing changed|New|Moved|Values")).first
    ).to_be_visible()
    assert reader.clicks <= MAX_CLICKS


def test_rank_by_ones_own_weights_and_send_the_link(reader: Reader, browser: Browser) -> None:
    reader.follow(DECON)
    reader.click(reader.page.locator(".controls summary", has_text="Ranking"))
    weight = reader.page.locator('.controls input[name^="weight."]').first
    weight.fill("5")
    expect(reader.page).to_have_url(re.compile(r"weight\.[^=]+=5"))
    other = browser.new_context().new_page()
    other.goto(reader.page.url)
    expect(other.locator('.controls input[name^="weight."]').first).to_have_value("5")
    other.context.close()


def test_is_the_lead_real(reader: Reader) -> None:
    reader.open_classics()
    expect(reader.page.locator("main")).to_contain_text(
        re.compile(r"leads, but is not significantly better than .* samples of 4 tasks")
    )


def test_a_method_by_its_name_across_all_boards(reader: Reader) -> None:
    reader.search("Support vectors")
    results = reader.page.locator(".search-results li")
    expect(results.filter(has_text="Open tabular").first).to_be_visible()
    reader.click(results.filter(has_text=CLASSICS).get_by_role("link"))
    assert reader.path() == "benchmarks/tabular-classics/submissions/grace/support-vectors/"


def test_all_results_of_one_participant(reader: Reader) -> None:
    reader.search("grace")
    found = reader.page.locator(".search-results li").filter(has_text="Participant")
    reader.click(found.get_by_role("link", name="grace", exact=True))
    assert reader.path() == "people/grace/"
    for board in (CLASSICS, "Open tabular"):
        expect(reader.page.locator("main").get_by_text(board).first).to_be_visible()


def test_the_numbers_into_pandas_by_the_address_that_the_page_has(reader: Reader) -> None:
    reader.open_classics()
    reader.click(reader.page.locator("summary", has_text="Share"))
    code = reader.page.locator(".share code").inner_text()
    file = re.search(r'read_parquet\("([^"]+)"\)', code)
    assert file is not None
    assert file[1].startswith("http://"), "nothing is left to be filled in by whoever pastes it"
    scope: dict[str, Any] = {}
    exec(code.replace("\nboard.", "\ntable = board."), scope)  # noqa: S102, what readers do
    table = scope["table"]
    assert table.loc["Support vectors", ("iris", "accuracy")] == pytest.approx(0.92)
    reader.page.goto(f"{reader.page.url}share/")
    expect(reader.page.locator("main")).to_contain_text(f'read_parquet("{file[1]}")')


def test_cite_this_board_with_its_address(reader: Reader) -> None:
    reader.open_classics()
    reader.follow("Cite")
    expect(reader.page.locator("main")).to_contain_text("@misc{tabular-classics-")
    expect(reader.page.locator("main")).to_contain_text(
        re.compile(r"url = \{https://\S+/benchmarks/tabular-classics\}")
    )


def test_check_one_number_oneself(reader: Reader) -> None:
    reader.open_classics()
    reader.follow("Support vectors")
    commands = reader.page.locator("pre").filter(has_text="pullbench reproduce").inner_text()
    for part in ("git clone ", "git checkout ", "pip install", "tabular-classics/grace/support"):
        assert part in commands
    expect(reader.page.locator("pre").filter(has_text="pullbench reproduce")).to_be_in_viewport()


def test_only_methods_that_answer_something(reader: Reader) -> None:
    reader.follow(DECON)
    reader.click(reader.page.locator(".controls summary", has_text="Filter"))
    reader.click(reader.page.locator(".controls [name=language][value=R]"))
    rows = reader.page.locator("table.pullbench tbody tr:not([hidden])")
    expect(rows.filter(has_text="Non-negative least squares in Python")).to_have_count(0)
    expect(rows.filter(has_text="Non-negative least squares")).to_have_count(1)
    assert "=R" in reader.page.url


def test_how_far_two_methods_differ_and_on_which_tasks(reader: Reader) -> None:
    reader.follow(DECON)
    reader.follow("Non-negative least squares")
    reader.clicks += 1
    reader.page.get_by_label("Compare with").select_option(index=2)
    table = reader.page.locator("table.pullbench").first
    expect(table.get_by_role("row").nth(2)).to_contain_text(re.compile("worse|better|same"))
    assert "?with=" in reader.page.url
