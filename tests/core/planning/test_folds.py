"""Repeats with data of their own."""

from tests.records import cells_of, write_records
from tests.repository import Repository

CELLS = ["folds/alice/sum/main/one.0", "folds/alice/sum/main/one.1"]


def test_a_changed_fold_is_evaluated_again_and_no_other(repo: Repository) -> None:
    repo.with_bundle("folds")
    write_records(repo)
    commit = repo.commit("Records")
    assert not repo.reasons()
    repo.write("benchmarks/folds/input_data/1/numbers.txt", "4 5 6\n")
    changed = repo.commit("Another fold")
    assert repo.reasons() == {CELLS[1]: f"input data changed in {changed[:7]}"}
    repo.git("reset", "--quiet", "--hard", commit)
    repo.write("benchmarks/folds/reference_data/0/sum.txt", "4\n")
    changed = repo.commit("Another answer")
    assert repo.reasons() == {CELLS[0]: f"reference data changed in {changed[:7]}"}


def test_private_folds_have_keys_of_their_own(repo: Repository) -> None:
    repo.with_bundle("folds")
    sha = "a" * 64
    repo.replace(
        "benchmarks/folds/competition.yaml", "pullbench:\n",
        "pullbench:\n  private: [{task: 0, file: reference_data, path: kept, "
        f"sha256: {sha}}}]\n",
    )  # fmt: skip
    parts = [cells_of(repo)[name].keys.parts["reference_data"] for name in CELLS]
    assert len({*parts, sha}) == 3


def test_a_fold_that_is_not_there_is_named(repo: Repository) -> None:
    repo.with_bundle("folds")
    repo.replace("benchmarks/folds/competition.yaml", "repeats: 2", "repeats: 3")
    assert {(p.key, p.message) for p in repo.problems() if p.severity == "error"} >= {
        ("tasks[0].input_data", "'input_data' has no folder '2'."),
        ("tasks[0].reference_data", "'reference_data' has no folder '2'."),
    }
