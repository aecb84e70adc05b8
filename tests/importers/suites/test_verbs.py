"""`pullbench suite`: list, show, check, create, attach, detach and publish, as a person types."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.importers.openml.sources import fill, small, small_task
from tests.openml_server import KEY, OpenMLServer, ServedSuite, openml_server
from tests.repository import Repository


@pytest.fixture
def server() -> Iterator[OpenMLServer]:
    with openml_server() as state:
        fill(state)
        yield state


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
    done = repository.pullbench("suite", *arguments, environment={"OPENML_API_KEY": key})
    text = done.stdout + done.stderr
    assert done.returncode == code, text
    return text


def test_what_a_server_offers(server: OpenMLServer, repository: Repository) -> None:
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
    assert "suites/mine.yaml: version 1, 1 data sets" in text
    assert "rows 30 (500 to 100000)" in text
    first = repository.commit()
    assert "version 2, 2 data sets" in said(repository, "attach", "mine", f"{data}/also-good.csv")
    again = said(repository, "attach", "mine", f"{data}/also-good.csv")
    assert "version 2, 2 data sets" in again
    assert "version 3, 1 data sets" in said(repository, "detach", "mine", "good")
    repository.commit()
    assert "version 3" in said(repository, "show", "mine")
    former = said(repository, "show", "mine", "--at", first)
    assert "version 1" in former
    assert "also-good" not in former
    assert "mine" in said(repository, "list", "--local")
    said(repository, "create", "mine", data, code=2)
    said(repository, "detach", "mine", "nobody", code=2)


def test_a_suite_is_published_and_brought_up_to_date(
    server: OpenMLServer, repository: Repository
) -> None:
    numbers = list(range(80, 82))
    for number in numbers:
        server.add(small(600, number=number, name=f"set{number}x"),
                   small_task(number=number, dataset=number, rows=600))  # fmt: skip
    server.add(ServedSuite(id=7, alias="big", name="Big", tasks=numbers))
    api = ("--server", server.api)
    text = said(repository, "create", "mine", "t/80", *api)
    assert "version 1, 1 data sets" in text
    assert "API key" in said(repository, "publish", "mine", *api, code=2)
    assert "does not take the key" in said(
        repository, "publish", "mine", *api, code=1, key="0" * 32
    )
    assert len(server.suites) == 2
    assert "is there" in said(repository, "publish", "mine", *api, "--alias", "mine", key=KEY)
    (number,) = set(server.suites) - {99, 7}
    assert (server.suites[number].tasks, server.suites[number].alias) == ([80], "mine")
    said(repository, "attach", "mine", "t/81", *api)
    said(repository, "detach", "mine", "set80x")
    changed = said(repository, "publish", "mine", *api, key=KEY)
    assert "1 attached, 1 detached" in changed
    assert server.suites[number].tasks == [81]
    assert KEY not in (repository.path / "suites/mine.yaml").read_text()
