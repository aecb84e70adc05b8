"""Tasks by their properties, as `list_tasks` of the package takes them."""

import json

import pytest

from evaluator.core.errors import UsageError
from evaluator.plugins.openml.tasks.source import parse_filter
from tests.importing.calling import pullbench
from tests.openml_server import ServedTask
from tests.plugins.openml.openml_kept import Fetched
from tests.repository import Repository


def test_keys_become_options_of_the_api() -> None:
    wanted = parse_filter("tasks:type=regression,rows=500..,features=..5000, classes=2,tag=uci")
    assert wanted.type == "regression"
    assert wanted.options == {
        "number_instances": "500..1000000000000", "number_features": "0..5000",
        "number_classes": "2", "tag": "uci",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tasks:size=3", "'size=3' selects no tasks"),
        ("tasks:rows=few", "'rows=few' selects no tasks"),
        ("tasks:rows=9..2", "'rows=9..2' selects no tasks"),
        ("tasks:rows=..", "'rows=..' selects no tasks"),
        ("tasks:status=old", "'status=old' selects no tasks"),
        ("tasks:tag=a/b", "selects no tasks"),
        ("tasks:tag=a,tag=b", "has a key twice"),
    ],
)
def test_what_is_no_filter_is_said(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("..", r"\.\.")):
        parse_filter(text)


def test_tasks_by_their_properties_become_a_benchmark(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    api = ("--server", server.api)
    code, said = pullbench(repository.path, "suite", "show", "tasks:rows=500..1000", "--json", *api)
    assert code == 0, said
    shown = json.loads(said)
    assert [row["task"] for row in shown] == ["t/80", "t/81"]
    assert (shown[0]["rows"], shown[0]["procedure"]) == (600, "10-fold Crossvalidation")

    source = "tasks:rows=..100,classes=3,name=small"
    code, said = pullbench(repository.path, "import", "openml", source, *api)
    assert (code, "Give it one with --name" in said) == (2, True), said
    words = ("import", "openml", source, "--name", "found", "--folds", "1", *api)
    code, said = pullbench(repository.path, *words)
    assert code == 0, said
    assert "2 tasks: t/70, t/72" in said
    about = json.loads((repository.path / "benchmarks/found/openml.json").read_text())
    assert (about["source"], [item["task"] for item in about["tasks"].values()]) == (
        source, [70, 72],
    )  # fmt: skip

    # A list of another day: what is pinned stays until somebody imports again, and is compared.
    gone = server.tasks.pop(72)
    server.add(ServedTask(id=73, dataset=7, folds=gone.folds))
    try:
        code, said = pullbench(repository.path, *words, "--force")
        assert code == 0, said
        assert "since benchmarks/found was made, t/73 are new" in said
        assert "since benchmarks/found was made, t/72 are no longer among them" in said
        code, said = pullbench(
            repository.path, "import", "openml", "tasks:rows=7", "--name", "none", *api
        )
        assert (code, "has no tasks that tasks:rows=7 selects" in said) == (1, True), said
        code, said = pullbench(
            repository.path, "suite", "show", "tasks:procedure=33% Holdout set", *api
        )
        assert (code, "There is 10-fold Crossvalidation." in said) == (1, True), said
    finally:
        del server.tasks[73]
        server.add(gone)
