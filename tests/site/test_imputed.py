"""Imputed results are never shown as measured: AMLB's results of 2019, from its table to a site.

``amlb_4h.csv`` is described in tests/plugins/insight/statistics/test_amlb_report.py.
All ten folds of H2OAutoML and TPOT failed on the task ``dionis``; some failed on others.
"""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from evaluator.core.formats.quantities import slug
from evaluator.site.build import build
from tests.repository import Repository
from tests.site.conftest import ROOT

TABLE = ROOT / "tests/plugins/insight/statistics/amlb_4h.csv"
BUNDLE = """\
version: 2
title: AutoML Benchmark 2019
image: logo.png
terms: terms.md
pages: []
tasks:
%(tasks)s
phases:
  - {index: 0, name: 4 hours, start: 2019-01-01, tasks: %(indices)s}
leaderboards:
  - title: Results
    key: results
    submission_rule: Force_Latest_Multiple
    columns:
      - {title: Result, key: result, index: 0, sorting: desc}
pullbench:
  reported: true
  repeats: 10
  analysis: {constant: amlb/constantpredictor, reference: amlb/tunedrandomforest, impute: amlb,
    stand_in: amlb/randomforest}
  tasks: {%(metrics)s}
"""


def rows() -> list[dict[str, str]]:
    with TABLE.open(newline="") as stream:
        return list(csv.DictReader(stream))


def failed_folds() -> dict[tuple[str, str], list[int]]:
    """Return (slug of a task, framework) -> folds without a result."""
    found = {
        (slug(row["task"]), row["framework"]): [n for n in range(10) if not row[f"fold_{n}"]]
        for row in rows()
    }
    return {key: folds for key, folds in found.items() if folds}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """AMLB's results, by its own table, with what failed left empty as AMLB writes it."""
    folder = tmp_path_factory.mktemp("imputed")
    repo = Repository(folder / "repo")
    failed = {task for task, _ in failed_folds()}
    tasks = sorted({row["task"] for row in rows() if slug(row["task"]) in failed})
    lines = [
        f"  - {{index: {n}, name: {task}, scoring_program: scoring}}"
        for n, task in enumerate(tasks)
    ]
    repo.write("benchmarks/amlb/logo.png", "x")
    repo.write("benchmarks/amlb/terms.md", "x")
    repo.write("benchmarks/amlb/scoring/metadata.yaml", "command: python x.py\n")
    table = ["task,framework,fold,metric,result,info"]
    losses = {
        row["task"]
        for row in rows()
        if row["framework"] == "constantpredictor" and float(row["fold_0"]) != 0.5
    }
    metrics = {task: "neg_logloss" if task in losses else "auc" for task in tasks}
    keys = ", ".join(f"{n}: {{metrics: [{metrics[task]}]}}" for n, task in enumerate(tasks))
    text = BUNDLE % {
        "tasks": "\n".join(lines), "indices": list(range(len(tasks))), "metrics": keys,
    }  # fmt: skip
    repo.write("benchmarks/amlb/competition.yaml", text)
    for row in rows():
        for fold in range(10):
            text = row[f"fold_{fold}"]
            sign = -1 if row["task"] in losses else 1
            info = "" if text else "NoResultError: timeout"
            value = repr(sign * float(text)) if text else ""
            metric = metrics.get(row["task"], "")
            table.append(f"{row['task']},{row['framework']},{fold},{metric},{value},{info}")
    file = folder / "results.csv"
    file.write_text("\n".join(table) + "\n")
    for path in ("site", "mkdocs.yml"):
        source = ROOT / path
        (shutil.copytree if source.is_dir() else shutil.copy)(source, repo.path / path)
    done = repo.pullbench("import", "amlb-results", str(file), "--benchmark", "amlb")
    assert done.returncode == 0, done.stderr
    repo.commit("Results")
    assert [p for p in repo.problems() if p.severity == "error"] == []
    return repo


@pytest.fixture(scope="module")
def built(imported: Repository) -> Path:
    return build.build_site(imported.path).folder


def board(site: Path) -> dict[str, dict[str, Any]]:
    text = next((site / "api/v1/amlb").glob("4-hours.json")).read_text()
    return {row["submission"]: row for row in json.loads(text)["rows"]}


def test_failures_stay_failures_on_the_board_and_in_its_json(built: Path) -> None:
    found = board(built)
    for (task, framework), folds in failed_folds().items():
        said = found[framework]["tasks"][task]
        assert said["status"] == "failed"
        assert said["error"]["message"].startswith(f"{len(folds)} of 10 folds failed; fold")
        assert said["error"]["reason"] == "timed out"
        assert (said["scores"] == {}) == (len(folds) == 10)
        assert found[framework]["rank"] is None
    page = (built / "benchmarks/amlb/index.html").read_text()
    assert page.count('<td class="state failed"') >= len(failed_folds())


def test_no_table_and_no_page_gives_another_frameworks_result(built: Path) -> None:
    forest = board(built)["randomforest"]["tasks"]["dionis"]["scores"]["result"]
    folder = built / "benchmarks/amlb"
    values = pq.read_table(folder / "board.parquet").to_pylist()
    on_dionis = {line["submission"]: line["value"] for line in values if line["task"] == "dionis"}
    assert on_dionis["randomforest"] == forest
    failed = [name for task, name in failed_folds() if task == "dionis"]
    assert failed == ["h2oautoml", "tpot"]
    assert [on_dionis[name] for name in failed] == [None, None]
    table = (folder / "board.csv").read_text().splitlines()
    for name in failed:
        line = next(line for line in table if f",{name}," in line)
        page = (folder / f"submissions/amlb/{name}/index.html").read_text()
        assert "10 of 10 folds failed" in page
        assert page.count("NoResultError: timeout</td>") >= 10
        assert f"{forest:.5f}" not in line + page


def test_results_by_fold_are_kept_and_come_back(imported: Repository) -> None:
    text = imported.pullbench("results", "amlb", "--format", "amlb").stdout
    found = list(csv.DictReader(io.StringIO(text)))
    for row in rows():
        if slug(row["task"]) not in {task for task, _ in failed_folds()}:
            continue
        own = [line for line in found if line["framework"] == row["framework"]
               and line["task"] == row["task"]]  # fmt: skip
        assert [line["fold"] for line in own] == [str(fold) for fold in range(10)]
        for fold, line in enumerate(own):
            stated = row[f"fold_{fold}"]
            assert (line["result"] == "") == (stated == "")
            assert (line["info"] != "") == (stated == "")
            if stated:
                assert abs(float(line["result"])) == pytest.approx(float(stated), rel=1e-5)


def test_the_analysis_imputes_under_a_named_rule_and_marks_each_cell(built: Path) -> None:
    folder = built / "benchmarks/amlb/analysis"
    data = json.loads((folder / "analysis.json").read_text())
    assert data["imputation"]["rule"] == "amlb"
    assert data["imputation"]["stand_in"] == "amlb/randomforest"
    partly = {
        (task, f"amlb/{framework}"): folds
        for (task, framework), folds in failed_folds().items()
        if len(folds) < 10
    }
    cells = {(cell["task"], cell["method"]): cell["folds"] for cell in data["imputation"]["cells"]}
    assert {key: cells[key] for key in partly} == partly
    assert cells.keys() == partly.keys()
    scores = list(csv.DictReader((folder / "scores.csv").read_text().splitlines()))
    marked = {(line["on"], line["method"]): int(line["imputed"]) for line in scores}
    assert {key: n for key, n in marked.items() if n} == {k: len(v) for k, v in partly.items()}
    # AMLB's rule: where all folds are missing, there is no value.
    for name in ("h2oautoml", "tpot"):
        (line,) = (line for line in scores
                   if (line["on"], line["method"]) == ("dionis", f"amlb/{name}"))  # fmt: skip
        assert line["result"] == line["scaled"] == ""
    page = (folder / "index.html").read_text()
    assert "No result failed" not in page
    assert f"Results that failed or are missing: {sum(map(len, failed_folds().values()))}." in page
    assert "By the rule &#39;amlb&#39;" in page or "By the rule 'amlb'" in page
    assert "Results that are filled in" in page
