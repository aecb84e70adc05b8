"""`pullbench suite`: list, show, check, create, attach, detach and publish, as a person types."""

import json
from pathlib import Path

import pytest

from tests.core.importers.calling import pullbench
from tests.openml_server import KEY
from tests.plugins.openml.openml_kept import Fetched
from tests.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.write("README.md", "Benchmarks.\n")
    for name, rows in (("good", 600), ("also-good", 700), ("tiny", 30)):
        lines = [f"{row // 6 % 5},{'xyz'[row // 6 % 3]},c{row % 3}" for row in range(rows)]
        made.write(f"data/{name}.csv", "\n".join(["a,b,class", *lines]) + "\n")
    made.commit()
    return made


def said(repository: Repository, *arguments: str, code: int = 0, key: str = "") -> str:
    found, text = pullbench(repository.path, "suite", *arguments, key=key)
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
    assert "mine" in said(repository, "list", "--local")
    said(repository, "create", "mine", data, code=2)
    said(repository, "detach", "mine", "nobody", code=2)


def test_a_suite_is_published_and_brought_up_to_date(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    former = set(server.suites)
    api = ("--server", server.api)
    text = said(repository, "create", "mine", "t/80", *api)
    assert "version 1, 1 data set" in text
    assert "API key" in said(repository, "publish", "mine", *api, code=2)
    assert "does not take the key" in said(
        repository, "publish", "mine", *api, code=1, key="0" * 32
    )
    assert set(server.suites) == former
    assert "is there" in said(repository, "publish", "mine", *api, "--alias", "mine", key=KEY)
    (number,) = set(server.suites) - former
    assert (server.suites[number].tasks, server.suites[number].alias) == ([80], "mine")
    said(repository, "attach", "mine", "t/81", *api)
    said(repository, "detach", "mine", "set80x")
    changed = said(repository, "publish", "mine", *api, key=KEY)
    assert "1 attached, 1 detached" in changed
    assert server.suites[number].tasks == [81]
    assert KEY not in (repository.path / "suites/mine.yaml").read_text()
