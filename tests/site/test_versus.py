"""The page of a submission: beside any other, what happened to it, where its scores are from."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Reason
from evaluator.site.boards.comparison import shown_number
from evaluator.site.boards.timeline import failures_of, timeline
from evaluator.site.build import build
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark
from tests.records import record_of
from tests.repository import Repository
from tests.site.conftest import ROOT, serving
from tests.site.test_people import text

RIGHT = "benchmarks/adding/submissions/alice/right/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_a_value_of_three_hundred_digits_is_short() -> None:
    assert shown_number(1e308, 3) == "1.000e+308"
    assert shown_number(-12.3456, 2) == "-12.35"


def test_scores_stand_beside_the_best_of_the_board(site: Path) -> None:
    page = (site / RIGHT / "index.html").read_text()
    table = page[page.index('class="pullbench scores"') :].partition("</table>")[0]
    heads = [text(head).strip() for head in re.findall(r"<th scope.*?</th>", table)]
    assert heads == ["Task", "Right", "best", "Distance", "best", "Prediction time"]
    # alice has 0.75, mallory 0.95 in both columns; of distances the smaller is better.
    for name in ("All tasks", '<a href="#task-one">One</a>', '<a href="#task-two">Two</a>'):
        cells = table.partition(f"<tr><th>{name}</th>")[2].partition("</tr>")[0]
        assert re.findall(r"<td[^>]*>[^<]*", cells)[:4] == [
            "<td>0.75", '<td class="other">0.95', '<td class="best">0.75', '<td class="other">0.75',
        ]  # fmt: skip


def test_tasks_that_failed_alike_stand_together() -> None:
    entries = Entries(make_benchmark(tasks="0, 1")).enter("a", "one", FAILED, FAILED)
    board = entries.board()
    row = board.rows[0]
    (found,) = failures_of(row, board, with_logs=False)
    assert (found.tasks, found.error.reason, found.log) == (("One", "Two"), Reason.TIMED_OUT, "")


def test_the_log_of_what_failed_is_open(site: Path) -> None:
    page = (site / "benchmarks/adding/submissions/bob/wrong/index.html").read_text()
    above = page[page.index('class="admonition failure"') : page.index('id="scores"')]
    assert "One, Two: timed out" in above
    assert 'tabindex="0">out of patience &lt;b&gt;</pre>' in above
    assert "<details" not in above


def test_what_happened_in_the_order_of_time(site: Path) -> None:
    page = text((site / RIGHT / "index.html").read_text())
    story = page[page.index("What happened to it") : page.index("Provenance")]
    # The earlier versions of this record come the later first; time orders them.
    assert re.search(
        r"2025-12-01 00:00 UTC : evaluated \(One\).*2025-12-02 00:00 UTC : scored again \(One\)"
        r".*2026-01-01 00:00 UTC : submitted"
        r".*2026-01-02 00:00 UTC : evaluated again \(One\)",
        story,
    )


def test_events_of_many_records_are_few() -> None:
    entries = Entries(make_benchmark(tasks="0, 1")).enter("a", "one", {"a": 1.0}, {"a": 2.0})
    row = entries.board().rows[0]
    assert [(item.what, item.tasks) for item in timeline(row, entries.board())] == [
        ("submitted", ()),
        ("evaluated", ("One", "Two")),
    ]
    entries.enter("b", "two", FAILED)
    board = entries.board(stale=frozenset([CellId(
        benchmark="bench", participant="b", submission="two", phase="main", task="one",
    )]))  # fmt: skip
    row = next(row for row in board.rows if row.submission.name == "two")
    assert [(item.what, item.tasks) for item in timeline(row, board)[1:]] == [
        ("failed, timed out: participant must act", ("One",)),
        ("to be evaluated again: the record is of other content", ("One",)),
        ("to be evaluated", ("Two",)),
    ]


def test_provenance_is_a_chain(site: Path) -> None:
    page = (site / RIGHT / "index.html").read_text()
    chain = re.findall(r"<li><strong>([^<]*)</strong>", page[page.index('id="provenance"') :])
    assert chain == [
        "Submission", "Content", "Commit evaluated", "Image", "Evaluator", "Runner", "Time",
        "Scores", "This page",
    ]  # fmt: skip
    # What is not the same of all stands with its task.
    task = page[page.index('id="task-two"') : page.index('id="more"')]
    assert re.findall(r"<li><strong>([^<]*)</strong>", task) == ["Score key"]


def test_machine_and_times_are_said_to_be_the_runners_claim(site: Path) -> None:
    page = text((site / RIGHT / "index.html").read_text())
    provenance = page[page.index("Provenance") :]
    assert provenance.count("are the claim of the runner that made the record") == 1


@pytest.mark.browser
def test_any_other_is_chosen_and_the_address_says_so(page: Page, address: str) -> None:
    page.goto(address + RIGHT)
    choice = page.get_by_label("Compare with")
    expect(choice).to_have_value("")
    table = page.locator("table.scores")
    assert table.locator("th.other").all_inner_texts() == ["best", "best"]
    choice.select_option("bob/wrong")
    assert page.url.endswith("?with=bob%2Fwrong")
    assert table.locator("th.other").all_inner_texts() == ["other", "other"]
    expect(table.locator("tbody tr:nth-child(2) td.other").first).to_have_text("failed")
    choice.select_option("mallory/hostile")
    beside = table.locator("tbody tr:nth-child(2) td.other")
    expect(beside.first).to_have_text("0.95 \u22120.20 worse")
    expect(beside.last).to_have_text("0.95 \u22120.20 better")
    page.go_back()
    page.go_back()
    expect(choice).to_have_value("")
    expect(beside.first).to_have_text("0.95")
    assert page.title() != "owned"


@pytest.mark.browser
def test_the_static_comparison_is_what_the_script_makes(
    browser: Browser, page: Page, address: str
) -> None:
    page.goto(address + RIGHT)
    expect(page.get_by_label("Compare with")).to_be_visible()
    made = page.locator("table.scores").inner_text()
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(address + RIGHT)
    expect(plain.locator("[data-versus]")).to_be_hidden()
    assert re.sub(r"\s+", " ", plain.locator("table.scores").inner_text()) == re.sub(
        r"\s+", " ", made
    )
    context.close()


@pytest.mark.browser
def test_an_unknown_name_in_the_address_is_named(page: Page, address: str) -> None:
    page.goto(address + RIGHT + "?with=<img src=x onerror=document.title='owned'>")
    expect(page.locator(".versus [role=status]")).to_contain_text("is not another submission")
    expect(page.get_by_label("Compare with")).to_have_value("")
    assert page.title() != "owned"


@pytest.mark.slow
@pytest.mark.browser
def test_scripts_write_halves_as_the_page_without_them(browser: Browser, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo").with_bundle("small")
    shutil.copytree(ROOT / "site", repository.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repository.path / "mkdocs.yml")
    for item in repository.plan().missing:
        value = 0.25 if item.cell.id.submission == "right" else 0.125
        keys = item.cell.benchmark.leaderboard.score_keys
        record = record_of(item.cell, scores=dict.fromkeys(keys, value))
        repository.put(record)
    repository.commit("Records")
    tables = []
    with serving(build.build_site(repository.path).folder) as address:
        for scripts in (False, True):
            context = browser.new_context(java_script_enabled=scripts)
            page = context.new_page()
            page.goto(address + RIGHT)
            if scripts:
                expect(page.locator("[data-versus]")).to_be_visible()
            tables.append(page.locator("table.scores tbody").inner_text().split())
            context.close()
    assert "0.12" in tables[0]
    assert tables[0] == tables[1]


@pytest.mark.slow
@pytest.mark.browser
def test_others_results_are_those_of_now_and_without_scripts_those_of_a_commit(
    browser: Browser, tmp_path: Path
) -> None:
    """The page is that of the first commit, when its submission was the best."""
    repository = Repository(tmp_path / "repo").with_bundle("small")
    repository.replace(
        "benchmarks/adding/competition.yaml", "  extra: [token]", "  aggregate: mean_rank"
    )
    shutil.copytree(ROOT / "site", repository.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repository.path / "mkdocs.yml")
    for item in repository.plan().missing:
        value = 2.0 if item.cell.id.submission == "right" else 1.0
        repository.put(record_of(item.cell, scores={"right": value, "distance": 0}))
    first = repository.commit("Records")
    build.build_site(repository.path)
    for record in repository.records().values():
        if record.cell.submission == "wrong":
            scores = {"right": 3.0, "distance": 0}
            repository.put(record.replace(scores=scores))
    repository.commit("Better ones")
    seen = {}
    with serving(build.build_site(repository.path).folder) as address:
        for scripts in (False, True):
            context = browser.new_context(java_script_enabled=scripts)
            page = context.new_page()
            page.goto(address + RIGHT)
            if scripts:
                expect(page.locator("[data-as-of]")).to_have_count(0)
            line = page.locator("table.scores tbody tr").first
            cells = [text(one) for one in line.locator("td").all_inner_texts()[:4]]
            best = line.locator("td.best").count()
            rank = page.locator(".stats dd").first.inner_text()
            page.goto(address + "people/alice/")
            if scripts:
                expect(page.locator("[data-as-of]")).to_have_count(0)
            theirs = page.locator("tbody tr").first.locator("td").all_inner_texts()[::2]
            seen[scripts] = (rank, cells, best, theirs)
            context.close()
    assert seen == {
        False: (f"1 of 2 as of commit {first[:12]}", ["1.00", "1.00", "2.00", "2.00"], 3,
                ["1 of 2", "1.00 Mean rank"]),
        True: ("2 of 2", ["2.00", "1.00", "2.00", "3.00"], 1, ["2 of 2", "2.00 Mean rank"]),
    }  # fmt: skip
