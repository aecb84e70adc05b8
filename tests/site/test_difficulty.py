"""The difficulty of tasks on the page of the analysis: a table with bars that needs no script."""

import shutil
from pathlib import Path

import pytest

from evaluator.site.build import build
from tests.records import record_of
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
PAGE = "benchmarks/adding/analysis/index.html"


def built(repo: Repository, baseline: str) -> str:
    for path in ("site", "mkdocs.yml"):
        source = ROOT / path
        (shutil.copytree if source.is_dir() else shutil.copy)(source, repo.path / path)
    if baseline:
        repo.replace(
            "benchmarks/adding/competition.yaml",
            "\npullbench:\n",
            f"\npullbench:\n  baseline: {baseline}\n",
        )
    repo.commit("Baseline")
    for item in repo.plan().missing:
        keys = item.cell.benchmark.leaderboard.score_keys
        value = 0.25 if item.cell.id.participant == "bob" else 0.75
        record = record_of(item.cell, scores=dict.fromkeys(keys, value))
        repo.put(record)
    repo.commit("Records")
    return (build.build_site(repo.path).folder / PAGE).read_text()


@pytest.mark.slow
def test_bars_say_their_values(small: Repository) -> None:
    page = built(small, "bob/wrong")
    assert 'id="hard"' in page
    assert "<code>bob/wrong</code>" in page
    assert 'role="img"' in page
    assert 'aria-label="modelling 0.50, intrinsic 0.25"' in page
    assert '<rect class="modelling" x="0" y="0" width="133.33" height="12"/>' in page
    assert '<rect class="intrinsic" x="133.33" y="3" width="66.67" height="6"/>' in page


@pytest.mark.slow
def test_without_a_baseline_there_is_no_such_part(small: Repository) -> None:
    assert "modelling" not in built(small, "")


@pytest.mark.slow
def test_a_baseline_without_result_is_named(small: Repository) -> None:
    page = built(small, "bob/absent")
    assert "The baseline <code>bob/absent</code> has no result yet" in page
