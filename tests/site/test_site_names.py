"""Names of folders on the site: no file of the site has one of them."""

import os
import shutil
from pathlib import Path

import pytest

from evaluator.core.errors import Actor
from evaluator.site.boards.exports.badges import MAX_BADGES
from evaluator.site.build import build
from tests.records import write_records
from tests.repository import Repository
from tests.site.conftest import ROOT

ODD = (
    "index.html", "index.json", "index.md", "leader.svg", "leader.json", "board.json", "tasks",
    "plots", "badge", "details", "embed", "citation.bib", "rank.svg", "rank.json", "scores",
    "sitemap.xml", "sitemap.xml.gz", "404.html", "robots.txt", "feed.xml", "submissions", "people",
    "status", "assets", "search", "main.json", "history", "phases", "view.json",
)  # fmt: skip
"""Files and folders of sites, as participants, submissions and tags."""
BENCHMARKS = ("index.md", "feed.xml", "main.json")


def enter(repository: Repository, benchmark: str, participant: str, name: str) -> None:
    folder = f"submissions/{benchmark}/{participant}/{name}"
    repository.write(f"{folder}/submission.yaml", "kind: code\n")
    repository.write(f"{folder}/main.py", "")


def begun(path: Path) -> Repository:
    repository = Repository(path).with_bundle("small")
    repository.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    repository.write("site/index.md", '# Home\n\n<div data-pullbench="home"></div>\n')
    return repository


def test_whoever_is_accepted_takes_nobodys_place(tmp_path: Path) -> None:
    repository = begun(tmp_path / "repo")
    for name in ODD:
        if name != "index.html":
            enter(repository, "adding", name, "one")
        enter(repository, "adding", "ada", name)
    for name in BENCHMARKS:
        shutil.copytree(repository.path / "benchmarks/echo", repository.path / "benchmarks" / name)
    assert repository.problems() == []
    repository.commit("Entries")
    write_records(repository)
    repository.commit("Records")
    for name in ODD:
        repository.git("tag", name)
    assert len(ODD) < MAX_BADGES
    site = build.build_site(repository.path).folder
    written = {
        Path(folder, file).relative_to(site).as_posix()
        for folder, _, files in os.walk(site)
        for file in files
    }
    lists = ("adding/submissions", "adding/history", "index.md/submissions", "echo/submissions")
    for name in (*(f"benchmarks/{place}/index.html" for place in lists), "api/v1/index.json"):
        assert name in written
    for name in ODD:
        if name != "index.html":
            assert f"benchmarks/adding/submissions/{name}/one/index.html" in written
            assert f"people/{name}/index.html" in written
            assert f"benchmarks/adding/history/{name}/index.html" in written
        assert f"benchmarks/adding/submissions/ada/{name}/index.html" in written
    for name in BENCHMARKS:
        assert f"benchmarks/{name}/index.html" in written
        assert f"api/v1/{name}/main.json" in written


@pytest.mark.parametrize("name", ["index.html", "Index.HTML"])
def test_a_participant_called_as_the_list_is_refused(tmp_path: Path, name: str) -> None:
    repository = begun(tmp_path / "repo")
    enter(repository, "adding", name, "mine")
    (problem,) = repository.problems()
    assert problem.file == f"submissions/adding/{name}/mine/submission.yaml"
    assert problem.key == "participant"
    assert problem.actor is Actor.PARTICIPANT
    assert problem.severity == "error"
    assert name in problem.message
    assert "another name" in problem.hint


@pytest.mark.parametrize("name", ["index.html", "index.json"])
def test_a_benchmark_called_as_a_list_of_boards_is_refused(tmp_path: Path, name: str) -> None:
    repository = begun(tmp_path / "repo")
    repository.git("mv", "benchmarks/echo", f"benchmarks/{name}")
    shutil.rmtree(repository.path / "submissions/echo")
    (problem,) = repository.problems()
    assert (problem.file, problem.key) == (f"benchmarks/{name}/competition.yaml", "benchmark")
    assert (problem.actor, problem.severity) == (Actor.ORGANISER, "error")


def test_what_is_committed_stays_as_it_is(tmp_path: Path) -> None:
    repository = begun(tmp_path / "repo")
    enter(repository, "adding", "index.html", "mine")
    repository.commit("From before")
    write_records(repository)
    repository.commit("Records")
    (problem,) = repository.problems()
    assert problem.severity == "warning"
    done = repository.pullbench("validate")
    assert done.returncode == 0
    assert "file of the site" in done.stdout + done.stderr
    assert repository.plan().missing == ()
    board = repository.pullbench("leaderboard", "adding", "--format", "csv").stdout
    assert "index.html,mine" in board


def test_a_pull_request_cannot_bring_it(tmp_path: Path) -> None:
    repository = begun(tmp_path / "repo")
    repository.commit()
    base = repository.git("rev-parse", "HEAD")
    enter(repository, "adding", "index.html", "mine")
    head = repository.commit("Mine")
    repository.git("remote", "add", "origin", repository.path.as_uri())
    done = repository.pullbench("validate", "--base", base, "--head", head, "--actor", "index.html")
    assert done.returncode != 0
    assert "file of the site" in done.stdout + done.stderr
