"""What a scoring program writes under keys that are no column: nobody's, unless it is asked for."""

import json
import shutil

import pytest

from evaluator.site.build import build
from tests.records import record_of
from tests.repository import Repository
from tests.site.conftest import ROOT

CELL = "adding/alice/right/main/one"
BUNDLE = "benchmarks/adding/competition.yaml"
TRUTH = 90817.2635
"""What the scoring program knows, and nobody else."""


@pytest.fixture
def telling(small: Repository) -> Repository:
    """A public bundle whose scoring program writes the ground truth beside its scores."""
    small.replace(
        "benchmarks/adding/scoring_program/scoring.py",
        '    "token"', f'    "ground_truth": {TRUTH},\n    "token"',
    )  # fmt: skip
    for path in ("site", "mkdocs.yml"):
        source = ROOT / path
        (shutil.copytree if source.is_dir() else shutil.copy)(source, small.path / path)
    small.commit("A scoring program that tells")
    return small


def where_it_stands(repo: Repository) -> list[str]:
    """Files of the records, the site and its data that hold the number or its name."""
    built = build.build_site(repo.path).folder
    texts = ("ground_truth", "90817", "9.08173e+04")
    return [
        path.relative_to(repo.path).as_posix()
        for folder in (built, repo.path / "submissions")
        for path in folder.rglob("*")
        if path.is_file() and any(text.encode() in path.read_bytes() for text in texts)
    ]


@pytest.mark.slow
@pytest.mark.docker
def test_numbers_under_keys_that_are_no_column_are_published_nowhere(telling: Repository) -> None:
    record = telling.run("adding/alice/right")[CELL]
    assert "ground_truth" not in record.extra
    assert "token" in record.extra  # which the bundle asks for
    telling.commit("Records")
    assert where_it_stands(telling) == []
    board = telling.pullbench("leaderboard", "adding", "--format", "json").stdout
    table = telling.pullbench("results", "adding", "--format", "amlb").stdout
    assert json.loads(board)["rows"]
    assert "90817" not in board + table


def test_not_even_those_of_records_that_hold_them(telling: Repository) -> None:
    """Such as those made before the bundle was asked."""
    for item in telling.plan().missing:
        keys = item.cell.benchmark.leaderboard.score_keys
        record = record_of(
            item.cell, scores=dict.fromkeys(keys, 0.5), extra={"ground_truth": TRUTH}
        )
        telling.put(record)
    telling.commit("Records")
    assert {path.split("/")[0] for path in where_it_stands(telling)} == {"submissions"}
    assert "90817" not in telling.pullbench("results", "adding", "--format", "amlb").stdout


@pytest.mark.slow
@pytest.mark.docker
def test_a_bundle_may_ask_for_them(telling: Repository) -> None:
    telling.replace(BUNDLE, "extra: [token]", "extra: [token, ground_truth]")
    telling.commit("Ask")
    assert telling.run("adding/alice/right")[CELL].extra["ground_truth"] == TRUTH
    telling.commit("Records")
    assert "build/site/benchmarks/adding/submissions/alice/right/index.html" in where_it_stands(
        telling
    )
