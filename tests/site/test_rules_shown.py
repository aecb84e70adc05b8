"""Goals, approvals, links, dates and limits on the pages of a built site."""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from evaluator.core.formats.record import Step
from evaluator.site.build import build
from tests.records import cells_of, record_of
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
BUNDLE = "benchmarks/adding/competition.yaml"
SHEET = """
fact_sheet:
  code: {key: code, type: text, title: Code, selection: "", is_required: "false", is_on_leaderboard: "true"}
"""  # noqa: E501
EXTENSION = """
pullbench:
  approval: required
  dates: true
  quota_by: ""
  questions: {code: {type: url}}
  phases: {0: {budget: {seconds_per_item: 0.01, items: 200}, max_submissions_per_week: 1}}
  columns: {right: {goal: {value: 2, label: What people reach}}}
"""
MOST = "      - {title: Most, key: most, index: 2, computation: max, computation_indexes: [0, 1]}\n"
LINK = "https://host.edu/a?b=1&c='2'"
VALUES = {"right": 3.0, "wrong": 1.0}


@pytest.fixture
def built(small: Repository) -> Path:
    shutil.copytree(ROOT / "site", small.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", small.path / "mkdocs.yml")
    small.replace(BUNDLE, "\npullbench:\n", EXTENSION)
    column = "index: 1, sorting: asc}\n"
    small.replace(BUNDLE, column, column + MOST)
    small.write(BUNDLE, (small.path / BUNDLE).read_text() + SHEET)
    small.git("rm", "-rq", "submissions/adding", "submissions/echo")
    for name in ("right", "wrong", "waits", "refused"):
        folder = f"submissions/adding/alice/{name}"
        small.write(f"{folder}/submission.yaml", f'kind: code\nfact_sheet: {{code: "{LINK}"}}\n')
        small.write(f"{folder}/main.py", f"# {name}\n")
    decisions = "".join(
        f"- {{submission: alice/{name}, decision: {what}, date: 2026-01-02, "
        f"reason: 'R <{name}>'}}\n"
        for name, what in (("right", "approved"), ("wrong", "approved"), ("refused", "refused"))
    )
    small.write("benchmarks/adding/approvals.yaml", f"decisions:\n{decisions}")
    for cell in cells_of(small).values():
        value = VALUES.get(cell.id.submission, 9.0)
        step = Step(step="ingestion", wall_seconds=1.5, exit_code=0)
        made = record_of(cell).replace(scores={"right": value, "distance": 1.0}, steps=[step])
        small.put(made)
    small.commit("All")
    assert small.problems() == []
    return build.build_site(small.path).folder


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_the_board(built: Path) -> None:
    page = (built / "benchmarks/adding/index.html").read_text()
    body = page[page.index("<tbody>") :]
    places = [body.index(one) for one in ("alice/right/", "What people reach", "alice/wrong/")]
    assert places == sorted(places)
    assert "goal, no submission" in body
    assert "awaiting approval" in body and "refused: R &lt;refused&gt;" in body
    assert body.index("alice/wrong/") < min(body.index("alice/waits/"), body.index("alice/refused"))
    links = re.findall(r'<a rel="noopener nofollow ugc" href="([^"]*)"', body)
    assert set(links) == {"https://host.edu/a?b=1&amp;c=&#39;2&#39;"}
    assert "0.0075" in body and "s per item" in page and ">Date<" in page
    text = text_of((built / "benchmarks/adding/about/index.html").read_text())
    assert "What the organiser has not approved has no rank; its row says so." in text
    assert "3 s; to predict, 2 s, 0.01 s for each of 200 items" in text
    assert "5 / 1 / 100" in text
    assert "Most the greatest on each task; the board takes that of means" in text_of(page)
    # What nobody approved is no best value.
    rows = {row.partition("</a>")[0][-5:]: row for row in body.split("<tr")}
    assert "best" in rows["right"]
    assert "best" not in rows["waits"] and "9.00" in rows["waits"]


def test_the_pages_of_submissions(built: Path) -> None:
    def page(name: str) -> str:
        return text_of(
            (built / f"benchmarks/adding/submissions/alice/{name}/index.html").read_text()
        )

    assert "not ranked: awaiting approval" in page("waits")
    assert "not ranked: refused: R &lt;refused&gt;" in page("refused")
    assert "The organiser's decision of 2026-01-02: approved: R &lt;right&gt;." in page("right")
    assert (
        "Budget of the prediction step: 1.50 s, 0.0075 s for each of 200 items used, of 2 s, "
        "0.01 s for each of 200 items."
    ) in page("right")
    listing = text_of((built / "benchmarks/adding/submissions/index.html").read_text())
    assert "refused: R &lt;refused&gt;" in listing and "awaiting approval" in listing


def test_what_awaits_approval_is_on_the_page_of_what_waits(built: Path) -> None:
    page = (built / "status/index.html").read_text()
    assert "Nothing waits" not in page
    lines = [text_of(line) for line in page.split("<tr>") if "alice/waits" in line]
    assert len(lines) == 1
    assert "awaiting approval" in lines[0] and "only approved entries are ranked" in lines[0]
    assert lines[0].strip().startswith("alice/waits") and "organiser" in lines[0]


@pytest.mark.browser
def test_a_goal_keeps_its_place_when_the_board_is_sorted(built: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto((built / "benchmarks/adding/index.html").as_uri())
    rows = page.locator("table.pullbench[data-sortable]").first.locator("tbody tr")
    assert "What people reach" in rows.nth(1).inner_text()
    head = page.locator("table.pullbench[data-sortable]").first.locator("thead tr").last
    head.get_by_role("button", name="Rank").click()  # it is ascending: now the last comes first
    shown = [rows.nth(i).inner_text().split("\n")[0] for i in range(rows.count())]
    place = next(i for i, text in enumerate(shown) if "What people reach" in text)
    assert place == 1
    page.close()
