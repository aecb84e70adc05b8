"""The benchmark deconbench: its data, its records, and its variants."""

import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Record
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from tests.benchmarks.deconbench import (
    BUNDLE,
    ENTRIES,
    ROOT,
    TASKS,
    add_bundle,
    read_table,
    short,
    truth,
)
from tests.records import committed
from tests.repository import Repository, command

METHODS = {
    "alice/equal-proportions", "bob/nnls", "carol/constrained-regression", "dave/nmf",
    "erin/nnls-python", "frank/weighted-nnls",
}  # fmt: skip
VARIANTS = ("transcriptome", "methylome", "multimodal")


def record(entry: str, task: str) -> Record:
    return committed("deconbench")[f"{entry}/final/{task}"]


def mean_error(entry: str) -> float:
    return float(np.mean([record(entry, task).scores["mae"] for task in TASKS]))


# ---------------------------------------------------------------- records


def test_every_record_is_there_finished_and_of_this_content() -> None:
    plan = make_local_plan(load_snapshot(ROOT), utc_now())
    assert not [item for item in plan.missing if item.cell.id.benchmark == "deconbench"]
    records = committed("deconbench")
    assert len(records) == len(METHODS) * len(TASKS)
    assert {found.status for found in records.values()} == {"finished"}


@pytest.mark.parametrize("task", TASKS)
def test_equal_proportions_score_what_the_definitions_say(task: str) -> None:
    types, _, true = truth(TASKS[task])
    error = 1 / len(types) - true
    assert record("alice/equal-proportions", task).scores == pytest.approx(
        {
            "mae": np.abs(error).mean(),
            "rmse": np.sqrt((error**2).mean()),
            "worst_type_mae": np.abs(error).mean(axis=1).max(),
        },
        abs=1e-14,
    )


@pytest.mark.parametrize("task", TASKS)
def test_each_method_finds_something_on_each_dataset(task: str) -> None:
    baseline = record("alice/equal-proportions", task).scores["mae"]
    for entry in METHODS - {"alice/equal-proportions"}:
        assert record(entry, task).scores["mae"] < 0.9 * baseline, entry


def test_the_order_of_the_methods() -> None:
    order = sorted(METHODS, key=mean_error)
    assert order[0] == "frank/weighted-nnls"
    assert order[-1] == "alice/equal-proportions"
    # Where types are alike and where they are rare, profiles help.
    for task in ("related-types", "rare-types"):
        assert record("bob/nnls", task).scores["mae"] < record("dave/nmf", task).scores["mae"]


@pytest.mark.parametrize("task", TASKS)
def test_one_method_scores_the_same_in_r_and_in_python(task: str) -> None:
    in_r, in_python = record("bob/nnls", task), record("erin/nnls-python", task)
    assert in_r.scores == pytest.approx(in_python.scores, abs=1e-12)


def test_the_two_share_a_rank() -> None:
    done = subprocess.run(
        command(ROOT, "leaderboard", "deconbench", "--format", "csv"),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    ranks = {row["submission"]: row["rank"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert len(ranks) == len(METHODS)
    assert ranks["nnls"] == ranks["nnls-python"] == "3"
    assert ranks["equal-proportions"] == "6"


def test_only_components_are_matched() -> None:
    matched = {entry: record(entry, "noisy").extra["matched"] for entry in METHODS}
    assert {entry for entry, value in matched.items() if value} == {"dave/nmf"}


# ---------------------------------------------------------------- data


def make(variant: str, output: Path) -> Path:
    subprocess.run(
        [sys.executable, "-B", BUNDLE / "tools/make_data.py", "--variant", variant, output],
        check=True,
    )
    return output


def test_the_data_are_what_the_seeded_script_makes(tmp_path: Path) -> None:
    made = make("transcriptome", tmp_path / "made")
    paths = [path.relative_to(made) for path in made.rglob("*") if path.is_file()]
    assert len(paths) == 3 * 5 + 1
    for path in paths:
        assert (made / path).read_bytes() == (BUNDLE / path).read_bytes(), path


@pytest.mark.parametrize("folder", TASKS.values())
def test_a_dataset_is_of_one_piece(folder: str) -> None:
    types, samples, true = truth(folder)
    features, columns, bulk = read_table(BUNDLE / "input_data" / folder / "bulk.tsv")
    known, profiles, reference = read_table(BUNDLE / "input_data" / folder / "reference.tsv")
    assert (features, columns, profiles) == (known, samples, types)
    assert len(set(features)) == len(features) == 400
    assert (bulk >= 0).all()
    assert (reference >= 0).all()
    assert true.sum(axis=0) == pytest.approx(1, abs=1e-9)
    # The mixtures are of other cells than the reference, and still of these types.
    fitted = reference @ true
    assert 0.5 < np.corrcoef(fitted.ravel(), bulk.ravel())[0, 1] < 0.999


def test_profiles_are_of_other_cells_than_the_mixtures() -> None:
    _, _, reference = read_table(BUNDLE / "input_data/related/reference.tsv")
    genes, pools, values = read_table(BUNDLE / "tools/profiles.tsv")
    first = [pools.index(f"Regulatory T/{pool}") for pool in (1, 2)]
    assert reference[:, -1] == pytest.approx(values[:, first].mean(axis=1), rel=1e-3)
    other = [pools.index(f"Regulatory T/{pool}") for pool in (3, 4)]
    assert np.abs(values[:, first].mean(axis=1) - values[:, other].mean(axis=1)).max() > 1
    assert len(genes) == 400


# ---------------------------------------------------------------- the bundle


def test_the_kit_is_what_was_entered() -> None:
    kit = BUNDLE / "starting_kit"
    assert (kit / "sample_submission/program.R").read_bytes() == (
        ENTRIES / "bob/nnls/program.R"
    ).read_bytes()
    bodies = [
        path.read_text().partition("\n")[2]
        for path in (
            kit / "sample_submission_python/program.py",
            ENTRIES / "erin/nnls-python/program.py",
        )
    ]
    assert bodies[0] == bodies[1]
    solution = (BUNDLE / "solution/program.R").read_bytes()
    assert solution == (ENTRIES / "alice/equal-proportions/program.R").read_bytes()


def test_codabench_takes_the_export(repo: Repository, tmp_path: Path) -> None:
    add_bundle(repo)
    for name in ("sample_submission", "sample_submission_python"):
        shutil.copytree(
            BUNDLE / "starting_kit" / name, repo.path / "submissions/deconbench/me" / name
        )
    repo.commit()
    assert not [problem for problem in repo.problems() if problem.severity == "error"]
    image = ("--image", "registry.example.org/deconbench:1")
    done = repo.pullbench("export", "deconbench", *image, "--output", str(tmp_path / "bundle.zip"))
    assert done.returncode == 0, done.stderr
    assert re.search(r"bundle\.zip: [\d,]+ bytes\n$", done.stdout), done.stdout
    other = Repository(tmp_path / "other")
    assert other.pullbench("import", str(tmp_path / "bundle.zip")).returncode == 0
    found = sorted((other.path / "benchmarks").iterdir())
    (imported,) = found
    for path in BUNDLE.rglob("*"):
        if path.is_file() and path.name != "competition.yaml" and "__pycache__" not in path.parts:
            assert (imported / path.relative_to(BUNDLE)).read_bytes() == path.read_bytes()


# ---------------------------------------------------------------- variants


@pytest.mark.slow
@pytest.mark.docker
def test_variants_are_made_by_replacing_data_only(repo: Repository, tmp_path: Path) -> None:
    add_bundle(repo)
    repo.commit()
    for variant in VARIANTS:
        name = f"decon-{variant}"
        data = make(variant, tmp_path / variant)
        done = repo.pullbench("init", name, "--from", "deconbench", "--data", str(data))
        assert done.returncode == 0, done.stderr
        for program in ("ingestion_program", "scoring_program"):
            for path in (BUNDLE / program).iterdir():
                own = repo.path / "benchmarks" / name / program / path.name
                assert own.read_bytes() == path.read_bytes()
        for entry in ("bob/nnls", "erin/nnls-python"):
            shutil.copytree(
                ENTRIES / entry,
                repo.path / "submissions" / name / entry,
                ignore=shutil.ignore_patterns("scores"),
            )
        short(repo, name)
    shutil.rmtree(repo.path / "benchmarks/deconbench")
    repo.commit()
    assert not [problem for problem in repo.problems() if problem.severity == "error"]
    records = repo.run()
    assert [str(found.error) for found in records.values() if found.error] == []
    assert len(records) == 2 * len(VARIANTS)
    errors = {
        variant: [
            records[f"decon-{variant}/{entry}/final/distinct-types"].scores["mae"]
            for entry in ("bob/nnls", "erin/nnls-python")
        ]
        for variant in VARIANTS
    }
    for in_r, in_python in errors.values():
        assert in_r == pytest.approx(in_python, abs=1e-12)
    committed = record("bob/nnls", "distinct-types").scores["mae"]
    assert errors["transcriptome"][0] == pytest.approx(committed, abs=1e-12)
    # These data are easier; both omics together lie between.
    assert errors["methylome"][0] < errors["multimodal"][0] < errors["transcriptome"][0]
