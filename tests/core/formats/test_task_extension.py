"""``pullbench.tasks``: where one task differs from the others."""

from pathlib import Path

from tests.repository import Repository


def test_a_task_of_its_own_repeats_memory_cores_and_time(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repo").with_bundle("repeats")
    (path,) = (repo.path / "benchmarks").glob("*/competition.yaml")
    name = path.parent.name
    before = {str(item.cell.id): item.cell.keys for item in repo.plan().missing}
    assert len(before) > 2
    text = path.read_text()
    own = "  tasks:\n    0: {repeats: 2, memory: 96 MiB, cpus: 0.5, seconds: 7}\n"
    path.write_text(text.replace("pullbench:\n", f"pullbench:\n{own}", 1))
    repo.commit()
    benchmark = repo.snapshot().benchmarks[name]
    task = benchmark.tasks[0]
    assert benchmark.repeats_of(task) == 2
    assert benchmark.limits_of(task).memory == 96 * 2**20
    assert benchmark.limits_of(task).cpus == 0.5
    assert benchmark.phases[0].seconds_of(task) == 7
    after = {str(item.cell.id): item.cell.keys for item in repo.plan().missing}
    assert len(after) < len(before)
    changed = {cell for cell in after if after[cell] != before[cell]}
    assert {cell.rpartition("/")[2].partition(".")[0] for cell in changed} == {task.slug}


def test_a_task_that_is_not_there(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repo").with_bundle("repeats")
    (path,) = (repo.path / "benchmarks").glob("*/competition.yaml")
    path.write_text(path.read_text().replace("pullbench:\n", "pullbench:\n  tasks: {9: {}}\n", 1))
    repo.commit()
    assert "pullbench.tasks[9]" in {problem.key for problem in repo.problems()}


def test_a_weight_changes_no_key_and_needs_several_tasks_that_rank(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repo").with_bundle("repeats")
    (path,) = (repo.path / "benchmarks").glob("*/competition.yaml")
    before = {str(item.cell.id): item.cell.keys for item in repo.plan().missing}
    text = path.read_text()
    own = "  tasks: {0: {weight: 3}}\n"
    path.write_text(text.replace("pullbench:\n", f"pullbench:\n{own}", 1))
    repo.commit()
    assert {str(item.cell.id): item.cell.keys for item in repo.plan().missing} == before
    for wrong in (own.replace("3", "0.5"), f"  aggregate: none\n{own}"):
        path.write_text(text.replace("pullbench:\n", f"pullbench:\n{wrong}", 1))
        assert "pullbench.tasks[0].weight" in {problem.key for problem in repo.problems()}
