"""The page on which people without git begin."""

import datetime as dt
import html
import re
import urllib.parse
from pathlib import Path

import pytest

from evaluator.core.formats.submission import parse_submission
from evaluator.site.pages.benchmark_pages import benchmark_pages
from tests.repository import Repository
from tests.site.conftest import ROOT, site_of

PHASES = """  - {index: 0, name: Past, start: 2020-01-01, end: 2021-01-01, tasks: [0, 1]}
  - {index: 1, name: First, start: 2021-01-01, end: 2030-01-01, tasks: [0, 1], max_submissions: 7}
  - {index: 2, name: Second, start: 2030-01-01, tasks: [0, 1]}
"""
FORGE = 'forge = "https://%s/owner/name"\n'


@pytest.fixture
def repository(repo: Repository) -> Repository:
    repo.with_bundle("small")
    path = "benchmarks/adding/competition.yaml"
    text = (repo.path / path).read_text()
    repo.write(path, re.sub(r"  - \{index: 0, name: Main.*\n", PHASES, text))
    for entry in (repo.path / "submissions/adding").glob("*/*/submission.yaml"):
        entry.write_text(entry.read_text() + "phase: first\n")
    return repo


def submit_page(repository: Repository, forge: str = "", *, now: dt.datetime | None = None) -> str:
    setting = f"[tool.pullbench]\nbranch = 'trunk'\n{FORGE % forge if forge else ''}"
    repository.write("pyproject.toml", setting)
    contents, site = site_of(repository.path, now)
    content = next(item for item in contents if item.benchmark.name == "adding")
    found = [p for p in benchmark_pages(content, site) if p.path.endswith("/submit")]
    assert len(found) == 1
    return found[0].html


def links(page: str, part: str) -> list[str]:
    return [
        link for link in map(html.unescape, re.findall(r'href="([^"]*)"', page)) if part in link
    ]


@pytest.mark.parametrize(
    ("host", "new", "upload"),
    [
        ("github.com", "/owner/name/new/trunk", "/owner/name/upload/trunk/submissions/adding/"),
        (
            "codeberg.org",
            "/owner/name/_new/trunk/submissions/adding/YOUR-LOGIN/MY-ENTRY",
            "/owner/name/_upload/trunk/submissions/adding/",
        ),
    ],
)
def test_links_lead_to_the_forges_forms_and_are_valid(
    repository: Repository, host: str, new: str, upload: str
) -> None:
    page = submit_page(repository, host)
    assert [urllib.parse.urlsplit(link).path for link in links(page, "/upload/")
            or links(page, "/_upload/")] == [upload]  # fmt: skip
    (link,) = links(page, "value=")
    parts = urllib.parse.urlsplit(link)
    assert (parts.netloc, parts.path) == (host, new)
    value = urllib.parse.parse_qs(parts.query)["value"][0]
    benchmark = repository.snapshot().benchmarks["adding"]
    found, problems = parse_submission(
        ("adding", "you", "first"), value.encode(), ["main.py"], benchmark
    )
    assert problems == []
    assert found is not None
    assert found.phase == "first"


@pytest.mark.parametrize(("host", "many"), [("github.com", 1), ("codeberg.org", 0)])
def test_a_benchmark_with_a_form_links_to_it(repository: Repository, host: str, many: int) -> None:
    assert not links(submit_page(repository, host), "issues/new")
    repository.replace(
        "benchmarks/adding/competition.yaml", "\npullbench:\n", "\npullbench:\n  form: true\n"
    )
    page = submit_page(repository, host)
    wanted = "https://github.com/owner/name/issues/new?template=enter-adding.yml"
    assert links(page, "issues/new") == [wanted] * many
    assert page.count("public at once") == many


def test_without_a_forge_there_is_the_git_way_alone(repository: Repository) -> None:
    page = submit_page(repository)
    assert links(page, "://") == []
    assert "In the browser" not in page
    assert "git switch -c enter" in page
    mine = "submissions/adding/YOUR-LOGIN/MY-ENTRY"
    assert f"pullbench submit {mine} --benchmark adding --participant YOUR-LOGIN" in page


def test_all_that_an_entrant_needs_in_order(repository: Repository) -> None:
    repository.write(
        "benchmarks/adding/Dockerfile", "FROM python:3.11\nRUN pip install numpy==2.3\n"
    )
    page = submit_page(repository, "github.com")
    assert re.findall('<h2 id="([^"]*)"', page) == [
        "phases", "first", "limits", "commands", "installed", "then",
    ]  # fmt: skip
    installed = page[page.index('id="installed"') : page.index('id="then"')]
    assert "Python 3.11" in installed
    assert "<li><code>numpy==2.3</code></li>" in installed
    assert "pip list" in installed
    steps = re.findall("<li><strong>(.*?)</strong>", page[page.index('class="flow"') :])
    assert steps == ["Pull request", "Check", "Approval", "Evaluation", "Merge", "Board"]


def test_phases_with_their_states_and_quotas(repository: Repository) -> None:
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", submit_page(repository, "github.com")))
    for row in ("Past over ended 2021-01-01", "First open open until 2030-01-01",
                "Second upcoming starts 2030-01-01"):  # fmt: skip
        assert row in page
    assert "UTC 5 any 7 600 s code or results" in page
    assert "128 MiB of memory, 1 core and write 4 MiB; there is no network" in page


def test_where_no_phase_is_open_there_is_no_form(repository: Repository) -> None:
    page = submit_page(repository, "github.com", now=dt.datetime(2019, 1, 1, tzinfo=dt.UTC))
    assert "No phase is open" in page
    assert links(page, "value=") == []
    assert "What is submitted now is not evaluated" in page


@pytest.mark.parametrize(("late", "day", "is_offered"), [
    ("", 2, False), ("{days: 3, minus: 0.1}", 2, True), ("{days: 3, minus: 0.1}", 5, False),
])  # fmt: skip
def test_while_entries_may_be_late_there_is_a_form(
    repository: Repository, late: str, day: int, is_offered: bool
) -> None:
    if late:
        repository.replace(
            "benchmarks/adding/competition.yaml", "\npullbench:\n",
            f"\npullbench:\n  phases: {{1: {{late: {late}}}}}\n",
        )  # fmt: skip
    page = submit_page(repository, "github.com", now=dt.datetime(2030, 1, day, tzinfo=dt.UTC))
    asked = [link for link in links(page, "value=") if "phase: first" in urllib.parse.unquote(link)]
    assert bool(asked) == is_offered, links(page, "value=")


@pytest.mark.slow
def test_the_starting_kit_is_linked(site: Path) -> None:
    contents, deployment = site_of(ROOT)
    content = next(i for i in contents if i.benchmark.name == "diabetes-progression")
    page = next(p for p in benchmark_pages(content, deployment) if p.path.endswith("/submit")).html
    kit = f"https://github.com/pullbench/pullbench/tree/{deployment.commit}"
    assert f"{kit}/benchmarks/diabetes-progression/starting_kit" in page
    assert "predictions.csv: CSV" in page


def test_board_card_and_overview_lead_to_it(site: Path) -> None:
    base = "benchmarks/adding"
    assert 'href="submit/"' in (site / base / "index.html").read_text()
    assert 'href="../../submit/"' in (site / base / "pages/overview/index.html").read_text()
    assert f'href="{base}/submit/"' in (site / "index.html").read_text()
