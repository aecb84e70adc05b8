"""Boards of repeated tasks with pass@k and a withdrawn task, and the tables that papers take."""

import datetime as dt
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.snapshot_boards import read_tables
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.site.boards.exports.paper_tables import to_latex, to_markdown
from evaluator.site.build import build
from tests.records import cells_of, failed, record_of
from tests.repository import Repository
from tests.site.conftest import ROOT, serving
from tests.site.test_board import cells, opened

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TASK = (
    "{index: %d, name: %s, ingestion_program: ingestion_program, scoring_program: scoring_program}"
)
STRANGE = [
    '\\input{x} $a$ 50% `b` | c & d_e #1 ~^{} "q" ---',
    "<b>bold</b> *stars* [link](x)",
    "e\u0301\u0301\u0301\u0301 \u202ereversed\u0085next\ufeffzero",
    "x" * 60 + " https://x @you \U0001f600",
]
REPEATED = "benchmarks/repeated/competition.yaml"


def written(name: str) -> str:
    """A text in YAML, which knows no surrogates."""
    return json.dumps(name).replace(r"\ud83d\ude00", r"\U0001f600")


@pytest.fixture(scope="module")
def tables_repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    repo = Repository(tmp_path_factory.mktemp("tables") / "repo").with_bundle("repeats")
    shutil.copytree(ROOT / "site", repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    first = next((repo.path / "submissions/repeated").glob("*/*"))
    for number in range(6):
        folder = repo.path / f"submissions/repeated/user-{number}/entry"
        shutil.copytree(first, folder)
        if number < len(STRANGE):
            (folder / "submission.yaml").write_text(
                f"kind: code\nname: {written(STRANGE[number])}\n"
            )
    shutil.rmtree(first.parent)
    repo.replace(
        REPEATED, "  repeats: 3", "  repeats: 3\n  passes: {score: {at: [1, 3], all: [3]}}"
    )
    for part in ("benchmarks", "submissions"):
        shutil.copytree(repo.path / part / "repeated", repo.path / part / "several")
    several = REPEATED.replace("repeated", "several")
    tasks = "\n".join(f"  - {TASK % (at, name)}" for at, name in enumerate(("One", "Two", "Three")))
    repo.replace(several, f"  - {TASK % (0, 'Task')}", tasks)
    repo.replace(several, "tasks: [0]", "tasks: [0, 1, 2]")
    repo.replace(
        several, "  repeats: 3",
        "  repeats: 3\n  tasks: {2: {withdrawn: {date: 2026-05-01, reason: labels were wrong}}}",
    )  # fmt: skip
    for place, cell in enumerate(cells_of(repo).values()):
        number = int(cell.submission.participant.removeprefix("user-"))
        record = record_of(cell, scores={"score": float(place % 7 > number)})
        failing = {(5, "one"), (5, "task"), (4, "three")}
        broke = (number, cell.task.slug) in failing and cell.id.repeat == 1
        repo.put(failed(record, Actor.PARTICIPANT, Reason.TIMED_OUT) if broke else record)
    repo.commit("Records")
    return repo


@pytest.fixture(scope="module")
def tables_site(tables_repository: Repository) -> Path:
    return build.build_site(tables_repository.path).folder


@pytest.fixture(scope="module")
def tables_address(tables_site: Path) -> Iterator[str]:
    with serving(tables_site) as found:
        yield found


@pytest.mark.parametrize("name", ["repeated", "several"])
def test_pass_columns_are_shown_and_scripts_draw_the_same(
    browser: Browser, tables_address: str, name: str
) -> None:
    address = f"{tables_address}benchmarks/{name}/"
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(address)
    drawn = browser.new_context().new_page()
    after = cells(opened(drawn, address))
    assert after == cells(plain.locator("[data-view] table"))
    texts = [[cell["text"] for cell in row] for _, row in after]
    heads = [text.split()[0] for text in texts[0]]
    assert {"pass@1", "pass@3", "pass^3"} <= set(heads)
    at = heads.index("pass@3")
    value = re.compile(r"[01]\.\d{3} [01]\.\d{3}\N{EN DASH}[01]\.\d{3}")
    assert all(value.fullmatch(row[at]) for row in texts[1:])
    assert any(cell.startswith("failed") for row in texts for cell in row)
    for page in (plain, drawn):
        page.context.close()


def test_a_withdrawn_task_is_marked(tables_site: Path) -> None:
    board = (tables_site / "benchmarks/several/index.html").read_text()
    why = "withdrawn on 2026-05-01: labels were wrong"
    assert re.search(rf'<th[^>]*title="{why}"[^>]*>\s*<bdi>Three</bdi>.*?retired', board)
    assert f"no longer: {why}" in (tables_site / "benchmarks/several/tasks/index.html").read_text()
    about = (tables_site / "benchmarks/several/about/index.html").read_text()
    assert f"Three does not count: {why}." in about
    assert why in (tables_site / "api/v1/several/main.json").read_text()


def saved(page: Page, form: str) -> str:
    """What the button of a board gives."""
    share = page.locator("details.share")
    if share.get_attribute("open") is None:
        share.locator("summary").click()
    with page.expect_download() as download:
        share.get_by_role("button", name=form).click()
    return download.value.path().read_text(encoding="utf-8")


def compare(page: Page, address: str, site: Path) -> int:
    """Compare all boards of a site with what the command prints; returns how many."""
    snapshot = load_snapshot(site.parents[1], None)
    tables = read_tables(snapshot, dt.datetime.now(dt.UTC))
    compared = 0
    for name, benchmark in snapshot.benchmarks.items():
        for phase in benchmark.phases:
            folder = f"benchmarks/{name}/phases/{phase.slug}/"
            if not (site / folder).exists():
                folder = f"benchmarks/{name}/"
            text = (site / folder / "index.html").read_text()
            if "data-up=" not in text or f'aria-label="Leaderboard of {phase.name}"' not in text:
                continue
            board = publish(tables.board(benchmark, phase))
            opened(page, address + folder)
            assert saved(page, "LaTeX") == to_latex(board), folder
            assert saved(page, "Markdown") == to_markdown(board), folder
            compared += 1
    return compared


def test_button_and_command_give_the_same_bytes(
    page: Page, tables_address: str, tables_site: Path, tables_repository: Repository
) -> None:
    assert compare(page, tables_address, tables_site) == 2
    printed = tables_repository.pullbench("leaderboard", "several", "--format", "latex").stdout
    opened(page, f"{tables_address}benchmarks/several/")
    assert saved(page, "LaTeX") == printed


def test_all_boards_of_the_project(page: Page, own_address: str, own_site: Path) -> None:
    assert compare(page, own_address, own_site) > 15


def test_what_a_reader_chose_is_in_the_table(page: Page, tables_address: str) -> None:
    query = "?hide=task.one&sort=two.score&order=asc&search=user-4"
    opened(page, f"{tables_address}benchmarks/several/{query}")
    head, _, *lines = saved(page, "Markdown").split("\n\n")[0].splitlines()
    assert "One" not in head
    assert "Two" in head
    assert [line.split("|")[2].strip() for line in lines] == ["entry (user-4)"]
    opened(page, f"{tables_address}benchmarks/several/?group=status&add=each.score")
    text = saved(page, "LaTeX")
    assert re.search(r"^ & .*: failed \(1 row\)", text, re.MULTILINE)
