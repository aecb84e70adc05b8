"""`pullbench suite`: list, show, check, create, attach and detach, as a person types."""

import json
import shutil
from pathlib import Path

import arff
import pandas as pd
import pytest
import yaml

from tests.importing.calling import pullbench
from tests.openml_server import Column, ServedDataset, ServedTask
from tests.plugins.openml.openml_kept import Fetched
from tests.repository import Repository

ROOT = Path(__file__).parents[4]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.write("README.md", "Benchmarks.\n")
    for name, rows in (("good", 600), ("also-good", 700), ("tiny", 30)):
        lines = [f"{row // 6 % 5},{'xyz'[row // 6 % 3]},c{row % 3}" for row in range(rows)]
        made.write(f"data/{name}.csv", "\n".join(["a,b,class", *lines]) + "\n")
    made.commit()
    return made


def said(repository: Repository, *arguments: str, code: int = 0) -> str:
    found, text = pullbench(repository.path, "suite", *arguments)
    assert found == code, text
    return text


def test_what_a_server_offers(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    offered = said(repository, "list", "--server", server.api)
    assert "two-tasks" in offered
    assert "s/99" in offered
    shown = said(repository, "show", "two-tasks", "--server", server.api)
    assert "t/3" in shown
    assert "t/70" in shown
    said(repository, "show", "nothing", "--server", server.api, code=1)


def test_check_says_each_figure_and_fails(repository: Repository) -> None:
    text = said(repository, "check", str(repository.path / "data"), "--json", code=1)
    rows = json.loads(text[text.index("[\n") : text.rindex("]") + 1])
    by_name = {row["name"]: row for row in rows}
    assert by_name["tiny"]["rows"] == "FAIL 30"
    assert by_name["good"]["passed"] is True
    assert "2 of 3 data sets pass" in text


def test_a_suite_grows_in_versions_that_git_keeps(repository: Repository) -> None:
    data = str(repository.path / "data")
    text = said(repository, "create", "mine", f"{data}/good.csv", f"{data}/tiny.csv")
    assert "suites/mine.yaml: version 1, 1 data set" in text
    assert "rows 30 (500 to 100000)" in text
    first = repository.commit()
    assert "version 2, 2 data sets" in said(repository, "attach", "mine", f"{data}/also-good.csv")
    again = said(repository, "attach", "mine", f"{data}/also-good.csv")
    assert "version 2, 2 data sets" in again
    assert "version 3, 1 data set" in said(repository, "detach", "mine", "good")
    repository.commit()
    assert "version 3" in said(repository, "show", "mine")
    former = said(repository, "show", "mine", "--at", first)
    assert "version 1" in former
    assert "also-good" not in former
    said(repository, "create", "mine", data, code=2)
    said(repository, "detach", "mine", "nobody", code=2)


def test_values_from_a_server_have_the_digest_of_the_file(
    fetched: Fetched, repository: Repository
) -> None:
    """Real numbers that are whole stay real."""
    rows = 600
    frame = pd.DataFrame(
        {
            "a": [row // 6 % 5 for row in range(rows)],
            "size": [None if row == 4 else row / 8 for row in range(rows)],
            "b": ["x y,z"[row // 6 % 3 :] if row else None for row in range(rows)],
            "whole": [float(row % 7) for row in range(rows)],
            "class": [f"c{row % 3}" for row in range(rows)],
        }
    )
    frame.to_csv(repository.path / "data/mixed.csv", index=False)
    kinds = {"a": "INTEGER", "size": "REAL", "whole": "REAL"}
    text = arff.dumps(
        {
            "relation": "mixed",
            "attributes": [
                (name, kinds.get(name) or sorted(set(frame[name].dropna())))
                for name in map(str, frame)
            ],
            "data": frame.astype(object).where(frame.notna(), None).to_numpy().tolist(),
        }
    )
    columns = [
        Column(name=str(name), values=["?" if value is None else str(value) for value in values],
               levels=None if name in kinds else tuple(sorted({v for v in values if v})))
        for name, values in frame.astype(object).where(frame.notna(), None).items()
    ]  # fmt: skip
    server = fetched.give(repository)
    folds = [[row % 10 for row in range(rows)]]
    server.add(
        ServedDataset(id=1001, name="mixed", target="class", columns=columns, text=text),
        ServedTask(id=1001, dataset=1001, folds=folds),
    )
    try:
        said(repository, "create", "mine", "data/mixed.csv")
        said(repository, "create", "back", "t/1001", "--server", server.api)
    finally:
        del server.datasets[1001], server.tasks[1001]
    mine, back = (
        yaml.safe_load((repository.path / f"suites/{name}.yaml").read_bytes())["members"][0]
        for name in ("mine", "back")
    )
    assert (back["openml_task"], back["sha256"]) == (1001, mine["sha256"])


def test_tables_of_benchmarks_are_members(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    shutil.copytree(ROOT / "benchmarks/amlb-validation", repository.path / "benchmarks/validation")
    api = ("--server", server.api)
    code, text = pullbench(repository.path, "import", "openml", "t/70", "--name", "rows", *api)
    assert code == 0, text
    repository.commit("Benchmarks")
    assert "version 1, 0 data sets" in said(repository, "create", "strict", "benchmark:rows")
    said(repository, "create", "mine", "benchmark:rows", "benchmark:validation/wine",
         "--criteria", "none")  # fmt: skip
    members = yaml.safe_load((repository.path / "suites/mine.yaml").read_bytes())["members"]
    assert [(one["name"], one["rows"], one["source"]) for one in members] == [
        ("small", 30, "benchmark:rows/small"), ("wine", 178, "benchmark:validation/wine"),
    ]  # fmt: skip
    repository.commit("Suite")
    assert [problem for problem in repository.problems() if "suites" in problem.file] == []
    text = said(repository, "check", "benchmark:validation/none", code=2)
    assert "validation has no task 'none'" in text
