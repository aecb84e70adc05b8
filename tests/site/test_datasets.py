"""A board that grows both ways, as readers see it."""

import json
import shutil
from pathlib import Path

import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.site.build import build
from tests.records import failed, record_of
from tests.repository import Repository
from tests.site.conftest import HOSTILE, ROOT

PAGES = "benchmarks/growing"


def evaluate(repo: Repository) -> None:
    """Write records until nothing is missing but what waits."""
    while cells := [i.cell for i in repo.plan().missing if i.cell.submission.name != "waiting"]:
        for cell in cells:
            record = record_of(cell, extra={HOSTILE[:40]: 3.0})
            if not cell.task.is_check:
                scores = {"distance": len(cell.task.slug), "right": 0.5}
                record = record_of(cell, scores=scores)
            elif cell.submission.name == "words":
                record = failed(record, Actor.PARTICIPANT, Reason.REJECTED)
                assert record.error is not None
                error = record.error.replace(message=HOSTILE)
                record = record.replace(error=error)
            repo.put(record)
        repo.commit("Records")


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data sets of every state; one has a hostile name, one was replaced."""
    repo = Repository(tmp_path_factory.mktemp("grown") / "repo").with_bundle("growing")
    shutil.copytree(ROOT / "site", repo.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", repo.path / "mkdocs.yml")
    evaluate(repo)
    for name, more in (("hostile", ""), ("newer", "replaces: bob/ones"), ("waiting", "")):
        folder = f"submissions/growing/bob/{name}"
        title = HOSTILE[:90] if name == "hostile" else name.title()
        repo.write(
            f"{folder}/submission.yaml",
            f"kind: dataset\nname: {title!r}\nfact_sheet: {{source: {HOSTILE!r}}}\n{more}\n",
        )
        repo.write(f"{folder}/input_data/numbers.txt", f"{len(name)}\n")
        repo.write(f"{folder}/reference_data/sum.txt", f"{len(name)}\n")
    repo.commit("Data")
    evaluate(repo)
    return build.build_site(repo.path).folder


def test_every_data_set_has_a_page(grown: Path) -> None:
    states = {}
    for folder in ("bob/ones", "bob/hostile", "bob/newer", "bob/waiting", "carol/words"):
        page = (grown / PAGES / "submissions" / folder / "index.html").read_text()
        assert "<script>evil" not in page
        assert "<img src=x" not in page
        for word in ("Accepted:", "Not checked yet", "Refused.", "Retired:"):
            if word in page:
                states[folder] = word
    assert states == {
        "bob/ones": "Retired:", "bob/hostile": "Accepted:", "bob/newer": "Accepted:",
        "bob/waiting": "Not checked yet", "carol/words": "Refused.",
    }  # fmt: skip
    retired = (grown / PAGES / "submissions/bob/ones/index.html").read_text()
    assert 'href="../../../submissions/bob/newer/"' in retired


def test_the_matrix_reads_both_ways(grown: Path) -> None:
    board = (grown / PAGES / "index.html").read_text()
    assert "Win rate" in board
    assert "Own data: does not count for this row." in board
    assert (
        board.count("Does not count: replaced by bob/newer") == 2
    )  # rows; one column for each task
    by_data = (grown / PAGES / "datasets/index.html").read_text()
    assert "4 data sets and 2 programs" in by_data
    assert "<script>evil" not in by_data
    others = by_data.partition('id="others"')[2]
    assert "bob/waiting" in others
    assert "carol/words" in others
    tasks = (grown / PAGES / "tasks/index.html").read_text()
    assert "submissions/growing/bob/newer/input_data" in tasks


def test_data_for_machines(grown: Path) -> None:
    data = json.loads((grown / "api/v1/growing/main.json").read_text())
    assert [(task["dataset"], task["retired"]) for task in data["tasks"]] == [
        ("", ""), ("bob/hostile", ""), ("bob/newer", ""), ("bob/ones", "replaced by bob/newer"),
    ]  # fmt: skip
    rows = {row["participant"]: row for row in data["rows"]}
    counts = {slug: task["counts"] for slug, task in rows["bob"]["tasks"].items()}
    assert counts == {
        "first": True, "bob~hostile": False, "bob~newer": False, "bob~ones": False,
    }  # fmt: skip
    assert rows["alice"]["overall"]["coverage"] == 1.0
