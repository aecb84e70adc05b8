"""Results from elsewhere are told apart wherever they are shown."""

import json
import shutil
from pathlib import Path

from evaluator.site.build import build
from tests.repository import Repository
from tests.site.view import read_view

ROOT = Path(__file__).parents[2]
PAPER = """
pullbench:
  reported: only
  citation: {authors: ["Somebody, Ann"], title: A paper, year: 2021}
"""
ENTRY = """\
kind: reported
source: Somebody & others 2020, Table 6 <b>
source_url: https://example.org/paper
scores: {one: {right: 9.5, distance: 1}, two: {right: 9.5, distance: 1}}
"""


def test_the_mark_and_the_source(small: Repository) -> None:
    shutil.copytree(ROOT / "site", small.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", small.path / "mkdocs.yml")
    small.replace(
        "benchmarks/adding/competition.yaml", "\npullbench:\n",
        "\npullbench:\n  reported: true\n"
        "  tasks: {0: {metrics: [auc]}, 1: {metrics: [neg_logloss]}}\n",
    )  # fmt: skip
    small.write("submissions/adding/paper/table-6/submission.yaml", ENTRY)
    small.commit("Report")
    built = build.build_site(small.path).folder
    board = (built / "benchmarks/adding/index.html").read_text()
    assert "Not reproduced here. Source: Somebody" in board
    page = (built / "benchmarks/adding/submissions/paper/table-6/index.html").read_text()
    assert "Reported, not reproduced here" in page
    assert (
        'href="https://example.org/paper">Somebody &amp; others 2020, Table 6 &lt;b&gt;</a>' in page
    )
    assert "nothing was evaluated" in page
    # Tasks of different metrics name theirs, in the board's head as scripts draw it, too.
    for one in ("One (auc)", "Two (neg_logloss)"):
        assert all(one in text for text in (board, page))
    view = read_view(built / "benchmarks/adding")
    assert [task["name"] for task in view["tasks"]] == ["One (auc)", "Two (neg_logloss)"]
    data = json.loads((built / "api/v1/adding/main.json").read_text())
    kinds = {row["participant"]: (row["kind"], row["source"]) for row in data["rows"]}
    assert kinds["paper"] == ("reported", "Somebody & others 2020, Table 6 <b>")
    assert kinds["alice"] == ("code", "")


def test_a_board_of_published_results_says_nothing_of_evaluations(small: Repository) -> None:
    small.write("site/index.md", "# Boards\n")
    small.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[0])
    small.replace("benchmarks/adding/competition.yaml", "\npullbench:\n", PAPER)
    for name in ("alice", "bob"):
        shutil.rmtree(small.path / f"submissions/adding/{name}", ignore_errors=True)
    small.write("submissions/adding/typist/table-6/submission.yaml", ENTRY)
    small.commit("Report")
    folder = build.build_site(small.path).folder
    page, about, submit = (
        (folder / f"benchmarks/adding/{path}index.html").read_text()
        for path in ("", "about/", "submit/")
    )
    foot = page[page.index('class="board-foot"') :]
    assert "1 reported" in foot and "evaluated" not in foot and "Reproduce" not in foot
    for text in (about, submit):
        assert "Time limit" not in text and "24 hours" not in text and "Reproduce" not in text
    bibtex = (folder / "benchmarks/adding/submissions/typist/table-6/citation.bib").read_text()
    assert "author = {{Somebody}, {Ann}}" in bibtex
    assert "year = {2021}" in bibtex
    assert "As stated by Somebody" in bibtex
    assert "author = {{typist}}" not in bibtex
    assert "not known yet" not in (folder / "people/typist/index.html").read_text()
