"""Issue 20, 3.3: data sets and tasks are created at a server, and come back from there."""

import hashlib
import json
import shutil
from pathlib import Path

import arff
import pandas as pd
import pytest
import yaml

from tests.core.importers.calling import pullbench
from tests.core.importers.laid_out import fold_folders
from tests.openml_server import KEY, Fault, OpenMLServer
from tests.plugins.openml.openml_kept import Fetched
from tests.repository import Repository

ROOT = Path(__file__).parents[4]
ROWS = 600
FRAME = pd.DataFrame(
    {
        "a": [row // 6 % 5 for row in range(ROWS)],
        "size": [None if row == 4 else row / 8 for row in range(ROWS)],
        "b": ["x y,z"[row // 6 % 3 :] if row else None for row in range(ROWS)],
        "whole": [float(row % 7) for row in range(ROWS)],
        "class": [f"c{row % 3}" for row in range(ROWS)],
    }
)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.write("README.md", "Benchmarks.\n")
    (made.path / "data").mkdir()
    FRAME.to_csv(made.path / "data/good.csv", index=False)
    FRAME.to_csv(made.path / "data/odd name.csv", index=False)
    made.commit()
    return made


def said(repository: Repository, *arguments: str, code: int = 0, key: str = "") -> str:
    found, text = pullbench(repository.path, *arguments, key=key)
    assert found == code, text
    return text


def publish(
    repository: Repository, server: OpenMLServer, *words: str, code: int = 0, key: str = KEY
) -> str:
    return said(
        repository, "suite", "publish-data", "mine", "--licence", "CC0", "--server", server.api,
        *words, code=code, key=key,
    )  # fmt: skip


def sent(server: OpenMLServer) -> list[str]:
    """Return what was posted since the last question, without the address."""
    calls = [line.split("/api/v1/xml/")[-1].strip("/") for line in server.asked
             if line.startswith("POST")]  # fmt: skip
    server.asked.clear()
    return calls


def test_data_and_tasks_are_created_once_and_come_back(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    api = ("--server", server.api)
    said(repository, "suite", "create", "mine", "data/good.csv")
    file = repository.path / "suites/mine.yaml"
    before = file.read_bytes()

    text = publish(repository, server, "--dry-run", "--json", key="")
    (row,) = json.loads(text)
    assert (row["data"], row["task"], row["rows"]) == ("to be created", "to be created", ROWS)
    assert "nothing was sent" in publish(repository, server, "--dry-run", key="")
    assert (sent(server), file.read_bytes()) == ([], before)
    assert "needs an API key in OPENML_API_KEY" in publish(repository, server, code=2, key="")
    assert "does not take the key" in publish(repository, server, code=1, key="0" * 32)
    text = publish(repository, server, "--procedure", "7", code=1)
    assert "has no estimation procedure 7 of classification" in text
    assert "1 (10-fold Crossvalidation), 5 (33% Holdout set)" in text
    sent(server)

    text = publish(repository, server)
    assert sent(server) == ["data", "task"]
    assert "1 data sets and tasks at the server" in text
    stored = server.datasets[1001]
    assert (stored.name, stored.target, stored.licence) == ("good", "class", "CC0")
    assert hashlib.md5(stored.uploaded.encode()).hexdigest() == row["md5"]  # noqa: S324
    read = arff.loads(stored.uploaded)
    assert dict(read["attributes"])["class"] == ["c0", "c1", "c2"]
    frame = pd.DataFrame(read["data"], columns=[name for name, _ in read["attributes"]])
    pd.testing.assert_frame_equal(
        frame, FRAME.where(FRAME.notna(), None), check_dtype=False, check_column_type=False
    )
    assert yaml.safe_load(file.read_bytes())["members"][0]["openml_task"] == 1001
    assert KEY not in file.read_text()

    assert "0 data sets" in publish(repository, server)
    file.write_bytes(before)  # as in a clone that has not got the numbers
    publish(repository, server)
    assert sent(server) == []
    assert yaml.safe_load(file.read_bytes())["members"][0]["openml_task"] == 1001

    # Issue 29, 1.8: the digest of the values is the same again, real numbers that are whole among
    # them.
    said(repository, "suite", "create", "back", "t/1001", "--criteria", "none", *api)
    (sent_member,), (back,) = (
        yaml.safe_load((repository.path / f"suites/{name}.yaml").read_bytes())["members"]
        for name in ("mine", "back")
    )
    assert back["sha256"] == sent_member["sha256"]

    said(repository, "suite", "publish", "mine", *api, key=KEY)
    assert next(reversed(server.suites.values())).tasks == [1001]
    said(repository, "import", "openml", "t/1001", "--name", "back", *api)
    tested = [
        pd.read_parquet(fold_folders(repository.path / "benchmarks/back", "good", fold)[1]
                        / "truth.parquet")["truth"].astype(str).tolist()
        for fold in range(10)
    ]  # fmt: skip
    assert tested == [FRAME["class"].iloc[fold::10].tolist() for fold in range(10)]


def test_a_refused_task_does_not_send_its_data_twice(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    said(repository, "suite", "create", "mine", "data/good.csv")
    error = ('<oml:error xmlns:oml="http://openml.org/openml"><oml:code>622</oml:code>'
             "<oml:message>no features yet</oml:message></oml:error>")  # fmt: skip
    server.hurt(r"/task/?$", Fault(status=412, body=error))
    try:
        text = publish(repository, server, code=1)
    finally:
        server.mend()
    assert "the data set good is there as d/1001; its task is refused: " in text
    assert "no features yet" in text
    assert "run the command again in some minutes" in text
    sent(server)
    publish(repository, server)
    assert sent(server) == ["task"]


def test_names_that_no_server_takes_are_said_before_anything_is_sent(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    said(repository, "suite", "create", "mine", "data/odd name.csv")
    text = publish(repository, server, code=1)
    assert "OpenML takes no data set of the name 'odd name'" in text
    assert server.asked == []


def test_tables_of_benchmarks_are_members(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    shutil.copytree(ROOT / "benchmarks/amlb-validation", repository.path / "benchmarks/validation")
    said(repository, "import", "openml", "t/70", "--name", "rows", "--server", server.api)
    repository.commit("Benchmarks")
    text = said(repository, "suite", "create", "strict", "benchmark:rows")
    assert "version 1, 0 data sets" in text
    said(repository, "suite", "create", "mine", "benchmark:rows", "benchmark:validation/wine",
         "--criteria", "none")  # fmt: skip
    members = yaml.safe_load((repository.path / "suites/mine.yaml").read_bytes())["members"]
    assert [(one["name"], one["rows"], one["source"]) for one in members] == [
        ("small", 30, "benchmark:rows/small"), ("wine", 178, "benchmark:validation/wine"),
    ]  # fmt: skip
    repository.commit("Suite")
    assert [problem for problem in repository.problems() if "suites" in problem.file] == []
    publish(repository, server)
    assert sent(server) == ["data", "task"] * 2
    text = said(repository, "suite", "check", "benchmark:validation/none", code=2)
    assert "validation has no task 'none'" in text
