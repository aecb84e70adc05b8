"""The page of a submission leads to the pull requests that brought it."""

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.core.formats.repository_status import MergedPullRequest
from evaluator.site.build import build
from evaluator.site.content.content import Deployment
from evaluator.site.pages.submission_pages import submission_pages
from tests.core.leaderboard.boards import Entries, make_benchmark
from tests.repository import Repository
from tests.site.test_people import content_of

MINE = "submissions/adding/alice/right"
PAGE = f"benchmarks/adding/{MINE.replace('adding/', '')}/index.html"
NOW = dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC)
SETTINGS = '[tool.pullbench]\nforge = "https://github.com/some/benchmarks"\n'


def chain(page: str) -> str:
    found = re.search(r"<li><strong>Pull request</strong>.*?</li>", page)
    return found[0] if found else ""


@pytest.mark.slow
def test_a_merge_is_a_link_and_a_change_of_the_page(
    site_repository: Repository, tmp_path: Path
) -> None:
    repository = Repository.__new__(Repository)
    repository.path = tmp_path / "copy"
    site_repository.git("clone", "--quiet", str(site_repository.path), str(repository.path))
    repository.write("pyproject.toml", SETTINGS)
    repository.commit("Settings")
    repository.write(f"{MINE}/notes.txt", "A note.\n")
    commit = repository.commit("Add a note")
    site = build.build_site(repository.path).folder
    assert chain((site / PAGE).read_text()) == ""
    assert "Submission</strong>" in (site / PAGE).read_text()
    repository.git("commit", "--amend", "--quiet", "--message", "Add a note <b>now</b> (#31) (#12)")
    merged = repository.git("rev-parse", "HEAD")
    build.build_site(repository.path)
    found = chain((site / PAGE).read_text())
    assert re.findall('href="(.*?)"', found) == [
        "https://github.com/some/benchmarks/pull/12",
        f"https://github.com/some/benchmarks/tree/{merged}/",
    ]
    assert ">#12</a>" in found
    assert commit not in found
    assert "now" not in found
    other = (site / "benchmarks/adding/submissions/bob/wrong/index.html").read_text()
    assert chain(other) == ""


def test_without_a_known_forge_it_is_a_number() -> None:
    board = Entries(make_benchmark()).enter("ada", "one", {"a": 1.0}).board()
    at = Deployment(forge="", commit=None, modified=False, now=NOW)
    one = MergedPullRequest(number=7, commit="c" * 40, at=NOW)
    two = replace(one, number=9, commit="d" * 40)
    content = replace(content_of(board), pull_requests={board.rows[0].submission.id: (one, two)})
    (lazy,) = submission_pages(content, at)
    page = lazy.render()
    assert re.sub(r"<[^>]*>", "", chain(page.html)).split(": ", 1)[1] == (
        "#7 (cccccccccccc, 2026-01-02 03:04 UTC), then #9 (dddddddddddd, 2026-01-02 03:04 UTC)"
    )
