"""Definitions and constraints: keys, precedence, subsets, limits."""

import json
from pathlib import Path

import pytest

from evaluator.core.errors import UsageError
from evaluator.core.formats.schema import read_yaml
from evaluator.plugins.openml.amlb.constraints import SHIPPED, find_constraint, job_timeout
from evaluator.plugins.openml.amlb.definition import enabled_tasks, read_definition
from tests.plugins.openml.amlb.files import Definitions

TASK = "- {name: s, dataset: '{user}/data/multi', folds: 3}\n"


@pytest.fixture
def repo(tmp_path: Path) -> Definitions:
    return Definitions(tmp_path)


def extension(repo: Definitions) -> dict[str, object]:
    content = (repo.path / "benchmarks/mine/competition.yaml").read_bytes()
    found: dict[str, object] = json.loads(json.dumps(_yaml(content)["pullbench"]))
    return found


def _yaml(content: bytes) -> dict[str, object]:
    from evaluator.core.errors import Actor

    data: dict[str, object] = read_yaml(content, "competition.yaml", Actor.ORGANISER).data
    return data


def test_task_over_defaults_of_the_file_over_constraint_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "b.yaml"
    file.write_text(
        "- {name: __defaults__, cores: 2, folds: 4, metric: acc}\n"
        "- {name: plain, dataset: x}\n"
        "- {name: own, dataset: x, cores: 3, metric: [logloss, auc]}\n"
    )
    tasks, _ = read_definition(file, find_constraint("1h8c", []))
    plain, own = tasks
    assert (plain.limits.cores, own.limits.cores) == (2, 3)
    assert (plain.limits.folds, plain.limits.max_runtime_seconds) == (4, 3600)
    assert plain.limits.min_vol_size_mb == 16384
    assert plain.limits.max_mem_size_mb == -1
    assert plain.metrics == ("acc",)
    assert own.metrics == ("logloss", "auc")


MIXED = (
    "- {name: a, dataset: '{user}/data/multi', folds: 3, metric: acc}\n"
    "- {name: b, dataset: '{user}/data/multi', folds: 3, metric: logloss}\n"
)


def test_different_metrics_have_no_mean(repo: Definitions) -> None:
    """2.3: no mean over an accuracy and a negated loss; places are by four decimals."""
    repo.define(MIXED)
    assert extension(repo)["columns"]["result"] == {"mean": False}  # type: ignore[index]
    assert extension(repo)["ranking"] == {"decimals": 4}
    repo.commit()
    assert [p for p in repo.problems() if p.severity == "error"] == []
    repo.replace("benchmarks/mine/competition.yaml", "aggregate: mean_rank", "aggregate: mean")
    assert "rows are ranked by the mean of it" in str(repo.problems())


def test_one_metric_has_a_mean(repo: Definitions) -> None:
    repo.define(MIXED.replace("logloss", "acc"))
    assert "result" not in extension(repo)["columns"]  # type: ignore[operator]


def test_memory_is_given_at_import(repo: Definitions) -> None:
    """2.3: of tasks that set none; what a definition says stands."""
    own = TASK.replace("folds", "max_mem_size_mb: 300, folds").replace("name: s", "name: t")
    said = repo.define(TASK + own, "--memory", "1.5 GiB")
    limits = extension(repo)["limits"]
    assert limits["memory"] == "1536 MiB"  # type: ignore[index]
    loss = {"metrics": ["neg_logloss", "acc", "balacc"], "perfect": {"result": 0}}
    assert extension(repo)["tasks"] == {"0": loss, "1": {"memory": "300 MiB", **loss}}
    assert "max_mem_size_mb is not set" not in said
    meta = repo.path / "benchmarks/mine/input_data/s/0/dataset.json"
    described = json.loads(meta.read_text())
    assert described["budget"]["max_mem_size_mb"] == 1536
    assert described["constraint"] == "test"
    assert "must be a size" in repo.define(TASK, "--memory", "much", code=2)


def test_names_ids_and_flags(tmp_path: Path) -> None:
    file = tmp_path / "b.yaml"
    file.write_text(
        "- {name: iris.tgz, dataset: there}\n"
        "- {name: two, openml_task_id: 59, enabled: 'no', openml_data_id: 4}\n"
        "- {name: three, dataset: {path: x, id: mine}, id: theirs}\n"
    )
    tasks, problems = read_definition(file, find_constraint("test", []))
    assert [task.name for task in tasks] == ["iris_tgz", "two", "three"]
    assert [task.id for task in tasks] == ["there", "openml.org/t/59", "theirs"]
    assert [problem.key for problem in problems] == ["[1].openml_data_id"]
    assert [problem.severity for problem in problems] == ["note"]
    found, left_out = enabled_tasks(tasks, [])
    assert ([task.name for task in found], left_out) == (["iris_tgz", "three"], ["two"])
    assert [task.name for task in enabled_tasks(tasks, ["IRIS.TGZ"])[0]] == ["iris_tgz"]
    with pytest.raises(UsageError, match="'two' is not enabled"):
        enabled_tasks(tasks, ["Two"])
    with pytest.raises(UsageError, match="no task 'four'"):
        enabled_tasks(tasks, ["four"])


def test_all_faults_of_a_definition_are_told_together(repo: Definitions) -> None:
    said = repo.define(
        "- {name: a, openml_task_id: '59'}\n"
        "- {name: A, dataset: x, cores: many}\n"
        "- {dataset: x}\n"
        "- {name: d, openml_dataset_id: 3}\n"
        "- {name: e}\n"
        "- {name: f, dataset: x, enabled: perhaps}\n",
        code=1,
    )
    for text in (
        "[0].openml_task_id: must be a whole number", "[1].cores: ", "the name of another task",
        "[2]: has no name", "is not run by the AutoML Benchmark either", "needs one of",
        "[5].enabled: must be true or false",
    ):  # fmt: skip
        assert text in said


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_constraints_that_are_shipped(name: str) -> None:
    found = find_constraint(name.upper(), [])
    assert found.folds == (2 if name == "test" else 10)
    assert found.cores == (8 if "8c" in name else 4)


def test_custom_constraints_with_memory_and_instance_are_enforced(repo: Definitions) -> None:
    """AMLB ends with a TypeError for either key, and enforces neither cores nor memory."""
    file = repo.user / "constraints.yaml"
    file.write_text(
        "Small:\n  folds: 2\n  max_runtime_seconds: 1800\n  cores: 3\n  max_mem_size_mb: 700\n"
        "  ec2_instance_type: c5.xlarge\n"
    )
    repo.define("- {name: s, dataset: '{user}/data/multi'}\n", "small", "--constraints", str(file))
    found = extension(repo)
    assert found["repeats"] == 2
    assert found["limits"] == {
        "memory": "700 MiB", "cpus": 3.0, "pids": 448, "output_size": "256 MiB",
        "log_size": "256 KiB",
    }  # fmt: skip
    repo.git("add", ".")
    benchmark = repo.snapshot().benchmarks["mine"]
    assert benchmark.limits_of(benchmark.tasks[0]).memory == 700 * 2**20
    assert benchmark.phases[0].seconds_of(benchmark.tasks[0]) == 3600
    assert "there is no constraint 'large'" in repo.define(TASK, "large", "--force", code=2)


def test_tasks_differ_in_folds_and_limits(repo: Definitions) -> None:
    repo.define(
        TASK + "- {name: t, dataset: '{user}/data/single', folds: 1, cores: 1, "
        "max_mem_size_mb: 512, max_runtime_seconds: 60}\n"
    )
    loss = {"metrics": ["neg_logloss", "acc", "balacc"], "perfect": {"result": 0}}
    assert extension(repo)["tasks"] == {
        "0": loss,
        "1": {"repeats": 1, "memory": "512 MiB", "cpus": 1.0, "seconds": 120, **loss},
    }
    repo.write("submissions/mine/alice/one/submission.yaml", "kind: code\n")
    repo.write("submissions/mine/alice/one/model.py", "class Model: ...\n")
    repo.commit()
    assert sorted(repo.reasons()) == [
        "mine/alice/one/final/s.0", "mine/alice/one/final/s.1", "mine/alice/one/final/s.2",
        "mine/alice/one/final/t",
    ]  # fmt: skip


def test_subsets_of_tasks_and_folds(repo: Definitions) -> None:
    text = TASK + "- {name: t, dataset: '{user}/data/single', folds: 1}\n"
    said = repo.define(text, "-t", "S", "-f", "2", "-f", "0", "-f", "7")
    assert "s has no fold 7; it is left out" in said
    folds = sorted((repo.path / "benchmarks/mine/input_data").glob("*/*/dataset.json"))
    numbers = [json.loads(file.read_text())["fold"] for file in folds]
    assert numbers == [0, 2]
    seeds = [json.loads(file.read_text())["seed"] for file in folds]
    assert seeds == [0, 2], "each fold has a seed of its own"


def test_the_timeout_of_a_job() -> None:
    assert [job_timeout(seconds) for seconds in (5, 3600, 14400)] == [10, 7200, 18000]


def test_a_metric_that_is_unknown(repo: Definitions) -> None:
    said = repo.define(TASK.replace("folds: 3", "folds: 1, metric: [acc, magic]"))
    assert "'magic' is no metric of multiclass tasks" in said
    said = repo.define(TASK.replace("folds: 3", "metric: auc"), "--force", code=1)
    assert "'auc' is no metric of multiclass tasks" in said
