"""The analysis of a benchmark on its site and by its verb."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluator.core.cli import cli
from evaluator.core.errors import UsageError
from evaluator.site.build import build
from tests.records import record_of
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
FOLDER = "benchmarks/adding/analysis"
BASE = {"alice/right": 0.9, "bob/wrong": 0.2, "carol/other": 0.5}


def fill(repo: Repository, repeats: int) -> None:
    """Three methods, in the same order on every repeat."""
    repo.replace("benchmarks/adding/competition.yaml", "\npullbench:\n",
                 f"\npullbench:\n  repeats: {repeats}\n")  # fmt: skip
    repo.write("submissions/adding/carol/other/submission.yaml", "kind: code\nname: <b>&\n")
    repo.write("submissions/adding/carol/other/main.py", "")
    repo.commit("Repeats")
    for item in repo.plan().missing:
        cell = item.cell.id
        base = BASE.get(f"{cell.participant}/{cell.submission}", 0.0)
        keys = item.cell.benchmark.leaderboard.score_keys
        scores = dict.fromkeys(keys, base + 0.01 * (cell.repeat or 0))
        repo.put(record_of(item.cell, scores=scores))
    repo.commit("Records")


def built(repo: Repository) -> Path:
    for path in ("site", "mkdocs.yml"):
        source = ROOT / path
        (shutil.copytree if source.is_dir() else shutil.copy)(source, repo.path / path)
    repo.commit("Site")
    return build.build_site(repo.path).folder


def test_the_page_has_figures_sentences_and_their_data(small: Repository) -> None:
    fill(small, 6)
    site = built(small)
    page = (site / FOLDER / "index.html").read_text()
    assert "has the best mean rank, 1.00" in page
    assert "<li>" in page
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" class="figure wide" role="img"') >= 3
    assert "<b>&" not in page.split("<svg", 1)[1]
    for name in ("critical-difference.svg", "scores.csv", "pairs.csv", "analysis.json"):
        assert (site / FOLDER / name).is_file()
    for name in ("scores.csv", "analysis.json", "../confidence/confidence.json"):
        assert f'href="{name}"' in page


def test_without_repeats_it_says_that_nothing_can_be_concluded(small: Repository) -> None:
    fill(small, 1)
    site = built(small)
    assert "over repeats. Here 2 tasks ran once." in (site / FOLDER / "index.html").read_text()
    assert not (site / FOLDER / "analysis.json").exists()
    assert 'id="tests"' not in (site / FOLDER / "index.html").read_text()


def test_the_verb_writes_the_same_files_again_at_any_commit(
    small: Repository, tmp_path: Path
) -> None:
    fill(small, 6)
    first = _run(small, tmp_path / "first")
    head = small.git("rev-parse", "HEAD").strip()
    for path in (small.path / "submissions/adding/carol").rglob("*.json"):
        path.unlink()
    small.commit("Carol is gone")
    assert "needs three methods" not in first
    again = _run(small, tmp_path / "again", "--at", head)
    assert first == again
    files = {path.name: path.read_bytes() for path in (tmp_path / "first").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()}
    assert json.loads(files["analysis.json"])["compared_on"] == "folds"
    with pytest.raises(UsageError, match="a comparison needs 3"):
        _run(small, tmp_path / "third")


def _run(repo: Repository, out: Path, *more: str) -> str:
    arguments = ["-C", str(repo.path), "analyze", "adding", "--out", str(out), *more]
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output.replace(str(out), "")
