"""What an organiser hides is nowhere on the site."""

import json
import re
import shutil
from pathlib import Path

import pytest

from evaluator.site.pages import benchmark_pages
from evaluator.site.pages.submission_pages import submission_pages
from tests.records import cells_of, record_of
from tests.repository import Repository
from tests.site.conftest import ROOT, SECRETS, site_of

ADDING = "benchmarks/adding"
_DIGEST = re.compile(rb"\b(?=[0-9]*[a-f])[0-9a-f]{7,64}\b")
"""Of a commit or a file: four digits of a score stand in one now and then, by chance."""


@pytest.mark.parametrize("secret", SECRETS)
def test_no_number_of_a_hidden_leaderboard_is_in_any_file(sealed_site: Path, secret: float) -> None:
    forms = (f"{secret:.0f}".encode(), f"{secret:,.0f}".encode())
    # The theme's own files stand below assets/.
    files = [
        path
        for path in sealed_site.rglob("*")
        if path.is_file() and path.relative_to(sealed_site).parts[0] != "assets"
    ]
    assert len(files) > 20
    contents = {path: _DIGEST.sub(b"", path.read_bytes()) for path in files}
    found = [path for path, content in contents.items() if any(form in content for form in forms)]
    assert found == []


def test_where_nothing_is_hidden_all_of_them_are_shown(sealed_site: Path, tmp_path: Path) -> None:
    """The test above would pass on a site of other records."""
    root = sealed_site.parents[1]
    shutil.copytree(root, tmp_path / "open", ignore=shutil.ignore_patterns("build"))
    for file in (tmp_path / "open").glob("benchmarks/*/competition.yaml"):
        file.write_text(file.read_text().replace("    hidden: true\n", ""))
    contents, site = site_of(tmp_path / "open")
    shown = "".join(
        page.html
        for content in contents
        for page in (
            *benchmark_pages.benchmark_pages(content, site),
            *(lazy.render() for lazy in submission_pages(content, site)),
        )
    )
    for secret in SECRETS:
        assert f"{secret:.0f}" in shown or f"{secret:,.0f}" in shown


def test_hidden_boards_say_so_and_have_no_files(sealed_site: Path) -> None:
    assert "organiser hides this leaderboard" in (sealed_site / ADDING / "index.html").read_text()
    assert not (sealed_site / ADDING / "board.csv").exists()
    assert json.loads((sealed_site / "api/v1/index.json").read_text()) == {"benchmarks": []}
    assert list((sealed_site / "api/v1").iterdir()) == [sealed_site / "api/v1/index.json"]


def test_a_submission_to_a_hidden_board_has_its_state_and_who_must_act(sealed_site: Path) -> None:
    page = (sealed_site / ADDING / "submissions/bob/wrong/index.html").read_text()
    assert "malformed scores" in page
    assert "<strong>organiser</strong>" in page
    assert "The organiser hides the details and can say more." in page
    assert "Hidden with the leaderboard" in page
    assert "Scored again" not in page
    assert "<iframe" not in page


def test_a_fault_that_waits_is_told_without_what_it_repeats(sealed_site: Path) -> None:
    page = (sealed_site / "status/index.html").read_text()
    assert "platform fault" in page
    assert "the score is" not in page


@pytest.mark.slow
def test_a_hidden_primary_column_is_reported_and_the_site_is_built(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it ranked on former boards, and another column ranks today."""
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    shutil.copytree(ROOT / "site", repo.path / "site")
    repo.copy_bundle("small")
    for cell in cells_of(repo).values():
        scores = dict.fromkeys(cell.benchmark.leaderboard.score_keys, 0.7316)
        if "right" in scores:
            scores["right"] = 73.19
        repo.put(record_of(cell, scores=scores))
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-01T10:00:00+00:00")
    repo.commit("Rank by what is right")
    repo.replace(f"{ADDING}/competition.yaml", "key: right,", "key: right, hidden: true,")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-02T10:00:00+00:00")
    repo.commit("Hide it")
    done = repo.pullbench("validate")
    assert done.returncode == 1
    assert "hides the column that ranks" in done.stdout
    done = repo.pullbench("site")
    assert done.returncode == 0, done.stderr
    assert not (repo.path / "build/site" / ADDING / "index.html").exists()
    assert (repo.path / "build/site/benchmarks/echo/index.html").exists()
    repo.replace(f"{ADDING}/competition.yaml", "    key: results\n",
                 "    key: results\n    primary_index: 1\n")  # fmt: skip
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-03T10:00:00+00:00")
    repo.commit("Rank by the distance")
    done = repo.pullbench("site")
    assert done.returncode == 0, done.stderr
    pages = [path.read_text() for path in (repo.path / "build/site" / ADDING).rglob("*.html")]
    assert any("2026-03-01" in page and "0.73" in page for page in pages)
    assert not any("73.19" in page for page in pages)
