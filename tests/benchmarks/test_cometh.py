"""The benchmark cometh: its parts, its records, and what its check refuses."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Reason, Record
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from tests.benchmarks.deconbench import Matrix, read_table, table
from tests.records import committed
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "benchmarks/cometh"
TWIN = ROOT / "benchmarks/deconbench"
ENTRIES = ROOT / "submissions/cometh"
KIT = BUNDLE / "starting_kit/sample_dataset"
ACCEPTED = ("judy/blood", "judy/t-cells", "karl/methylome", "laura/rare-types")
REFUSED = "laura/percentages"
METHODS = {
    "equal-proportions": ("equal-proportions", "alice/equal-proportions"),
    "non-negative-least-squares": ("nnls", "bob/nnls"),
    "constrained-regression": ("constrained-regression", "carol/constrained-regression"),
    "matrix-factorisation": ("nmf", "dave/nmf"),
}
"""Slug of a task -> its folder, and the same method in deconbench."""
Tables = dict[str, str]


def record(entry: str, task: str) -> Record:
    return committed("cometh")[f"{entry}/open/{task}"]


def shape(entry: str) -> dict[str, float]:
    return record(entry, "dataset-check").extra


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize(
    "part",
    [
        "Dockerfile", "requirements.txt", "ingestion_program/ingestion.R",
        "ingestion_program/run.R", "ingestion_program/run.py", "scoring_program/scoring.R",
        "scoring_program/proportions.R",
    ],
)  # fmt: skip
def test_programs_are_those_of_deconbench(part: str) -> None:
    assert (BUNDLE / part).read_bytes() == (TWIN / part).read_bytes()


@pytest.mark.parametrize(("folder", "entry"), METHODS.values())
def test_methods_are_those_of_deconbench(folder: str, entry: str) -> None:
    files = sorted(path.name for path in (BUNDLE / "methods" / folder).iterdir())
    assert files == ["program.R"]
    there = ROOT / "submissions/deconbench" / entry / "program.R"
    assert (BUNDLE / "methods" / folder / "program.R").read_bytes() == there.read_bytes()


def test_the_data_are_what_the_seeded_script_makes(tmp_path: Path) -> None:
    script = BUNDLE / "tools/make_datasets.py"
    subprocess.run([sys.executable, "-B", script, tmp_path / "made"], check=True)
    made = sorted(path for path in (tmp_path / "made").rglob("*") if path.is_file())
    assert len(made) == 3 * (len(ACCEPTED) + 2)
    for path in made:
        part, *rest = path.relative_to(tmp_path / "made").parts
        committed = (ENTRIES if part == "submissions" else KIT).joinpath(*rest)
        assert path.read_bytes() == committed.read_bytes(), path


# ---------------------------------------------------------------- records


def test_every_record_is_there_and_of_this_content() -> None:
    taken = load_snapshot(ROOT)
    plan = make_local_plan(taken, utc_now())
    assert not [item for item in plan.missing if item.cell.id.benchmark == "cometh"]
    assert len(committed("cometh")) == len(ACCEPTED) * (1 + len(METHODS)) + 1
    states = {name: item.state for name, item in taken.datasets.items() if "cometh/" in name}
    assert states == {
        **{f"cometh/{name}": "accepted" for name in ACCEPTED}, f"cometh/{REFUSED}": "refused",
    }  # fmt: skip


@pytest.mark.parametrize("entry", ACCEPTED)
def test_equal_proportions_are_the_measure(entry: str) -> None:
    types, _, true = read_table(ENTRIES / entry / "proportions.tsv")
    equal = record(entry, "equal-proportions").scores
    assert equal == pytest.approx(
        {"mae": np.abs(1 / len(types) - true).mean(), "relative_error": 1}, abs=1e-12
    )
    for method in METHODS:
        found = record(entry, method).scores
        assert found["relative_error"] == pytest.approx(found["mae"] / equal["mae"], abs=1e-12)


def test_the_order_says_how_hard_data_are() -> None:
    board = leaderboard(
        load_snapshot(ROOT, only="cometh"), "cometh", phase=None, task=None, now=utc_now()
    )
    rows = [f"{row.submission.participant}/{row.submission.name}" for row in board.rows]
    assert rows[0] == "judy/blood"
    assert rows[-1] == "judy/t-cells"  # types that are much alike
    assert REFUSED not in rows
    means = [row.overall["relative_error"] for row in board.rows]
    assert means == sorted(means)
    # Profiles help where types differ; where they are alike nothing beats not looking.
    for entry in ("karl/methylome", "laura/rare-types"):
        with_profiles = record(entry, "non-negative-least-squares").scores["mae"]
        assert with_profiles < 0.5 * record(entry, "matrix-factorisation").scores["mae"]
    assert all(record("judy/t-cells", method).scores["relative_error"] >= 1 for method in METHODS)


def test_what_the_check_found() -> None:
    assert shape("karl/methylome") == pytest.approx(
        {
            "features": 120, "samples": 20, "cell_types": 5, "zeros_in_bulk": 0,
            "rarest_type": 0.168917, "condition_of_profiles": 15.3351,
            "fit_of_the_mixture": 0.993356,
        },
        abs=1e-4,
    )  # fmt: skip
    assert shape("laura/rare-types")["rarest_type"] < 0.01
    error = record(REFUSED, "dataset-check").error
    assert error is not None
    assert (error.reason, error.actor) == (Reason.REJECTED, "participant")
    assert error.message.startswith("proportions.tsv: those of sample sample_01 sum to 100, not")


# ---------------------------------------------------------------- the check, in containers

BULK, REFERENCE, TRUTH = "bulk.tsv", "reference.tsv", "proportions.tsv"


def changed(file: str, row: int, column: int, word: str) -> Tables:
    """Return a file of the kit with another word at one place."""
    lines = [line.split("\t") for line in (KIT / file).read_text().splitlines()]
    lines[row][column] = word
    return {file: "".join("\t".join(line) + "\n" for line in lines)}


def values(file: str, change: Callable[[Matrix], Matrix]) -> Tables:
    """Return a file of the kit with other values."""
    rows, columns, found = read_table(KIT / file)
    corner = (KIT / file).read_text().partition("\t")[0]
    return {file: table(corner, rows, columns, change(found))}


def without_line(file: str, row: int) -> Tables:
    lines = (KIT / file).read_text().splitlines(keepends=True)
    return {file: "".join(lines[:row] + lines[row + 1 :])}


def copied_column(found: Matrix) -> Matrix:
    found[:, 1] = found[:, 0]
    return found


def mixed_column(found: Matrix) -> Matrix:
    found[:, 2] = (found[:, 0] + found[:, 1]) / 2
    return found


def zero_column(found: Matrix) -> Matrix:
    found[:, 0] = 0
    return found


MALFORMED: dict[str, tuple[Tables, str]] = {
    "missing": ({TRUTH: ""}, "proportions.tsv is missing"),
    "more": ({"notes.txt": "x"}, "'notes.txt' belongs to no data set"),
    "deeper": ({"more/bulk.tsv": "x"}, "'more/bulk.tsv' belongs to no data set"),
    "empty": ({BULK: "\n"}, "bulk.tsv, line 1 begins with ''; expected is feature"),
    "binary": ({BULK: "feature\ta\0\n"}, "bulk.tsv holds a zero byte: it is not text"),
    "encoding": ({BULK: "feature\ts\né\t1\n"}, "bulk.tsv, line 2: it is not UTF-8"),
    "big": ({BULK: "feature\ts\n" + "x" * 2**22}, "bulk.tsv has more than 4 MiB"),
    "corner": (changed(TRUTH, 0, 0, "type"), "line 1 begins with 'type'; expected is cell_type"),
    "hostile": (
        changed(TRUTH, 1, 0, "<img src=x onerror=evil()>"),
        "proportions.tsv, line 2: the name '<img src=x onerror=evil()>' is not taken",
    ),
    "formula": (changed(BULK, 0, 1, "=1+1"), "bulk.tsv, line 1, column 2: the name '=1+1'"),
    "twice": (changed(BULK, 0, 2, "sample_01"), "line 1, column 3: 'sample_01' stands there twice"),
    "feature-twice": (changed(BULK, 2, 0, "site_001"), "bulk.tsv, line 3: 'site_001' stands there"),
    "absent": (changed(TRUTH, 2, 0, "NA"), "proportions.tsv: names of rows must not be NA"),
    "logical": (
        {TRUTH: "cell_type\ta\nT\t0.5\nF\t0.5\n"},
        "proportions.tsv: names of rows must not be NA, and not all numbers or truth values",
    ),
    "short": (changed(BULK, 3, 5, "1\t2"), "bulk.tsv, line 4: 6 values under 5 names"),
    "nan": (changed(BULK, 4, 2, "NaN"), "bulk.tsv, line 5, sample_02: 'NaN' is not a finite"),
    "huge": (changed(BULK, 4, 2, "1e999"), "bulk.tsv, line 5, sample_02: '1e999' is not a finite"),
    "word": (changed(REFERENCE, 1, 1, "1_0"), "line 2, B cell: '1_0' is not a finite number"),
    "negative": (changed(TRUTH, 2, 1, "-0.1"), "line 3, sample_01: '-0.1' is negative"),
    "few-features": (without_line(BULK, 7), "features: 49; this benchmark takes 50 to 5,000"),
    "features": (
        changed(REFERENCE, 5, 0, "site_x"),
        "reference.tsv, line 6: 'site_x' where bulk.tsv has 'site_005'",
    ),
    "types": (
        changed(TRUTH, 1, 0, "Neutrophil"),
        "proportions.tsv, line 2: 'Neutrophil' where reference.tsv has 'B cell'",
    ),
    "samples": (
        changed(TRUTH, 0, 3, "sample_9"),
        "proportions.tsv, line 1, column 4: 'sample_9' where bulk.tsv has 'sample_03'",
    ),
    "type-count": (without_line(TRUTH, 3), "proportions.tsv has 2 cell types, reference.tsv has 3"),
    "sum": (
        values(TRUTH, lambda found: found * [1, 1, 0.9, 1, 1]),
        "those of sample sample_03 sum to 0.9, not to 1 within 0.001",
    ),
    "copied": (values(BULK, copied_column), "the samples sample_01 and sample_02 have the same"),
    "one-type": (values(REFERENCE, copied_column), "the cell types B cell and NK cell have the"),
    "zero": (values(BULK, zero_column), "bulk.tsv: sample_01 is zero everywhere"),
    "mixture": (values(REFERENCE, mixed_column), "one profile is a mixture of the others"),
    "equal": (
        values(TRUTH, lambda found: np.full_like(found, 1 / 3)),
        "every share of every sample is equal, so there is nothing to find",
    ),
}  # fmt: skip


@pytest.fixture
def bench(repo: Repository) -> Repository:
    shutil.copytree(BUNDLE, repo.path / "benchmarks/cometh")
    return repo


def enter(repo: Repository, participant: str, files: Tables) -> str:
    """Write the kit's data set with other files; an empty one is left out. Returns its id."""
    folder = repo.path / "submissions/cometh" / participant / "data"
    shutil.copytree(KIT, folder)
    for name, text in files.items():
        if not text:
            (folder / name).unlink()
            continue
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text.encode("latin-1"))
    return f"cometh/{participant}/data"


@pytest.mark.docker
@pytest.mark.slow
def test_each_malformed_data_set_is_refused_with_its_own_reason(bench: Repository) -> None:
    names = {name: enter(bench, name, files) for name, (files, _) in MALFORMED.items()}
    bench.commit()
    assert not bench.problems()
    records = bench.run(lanes=os.cpu_count() or 2)
    assert set(records) == {f"{name}/open/dataset-check" for name in names.values()}
    for name, entry in names.items():
        error = records[f"{entry}/open/dataset-check"].error
        assert error is not None, name
        assert (error.reason, error.actor) == (Reason.REJECTED, "participant"), (name, error)
        assert MALFORMED[name][1] in error.message, name
        assert error.hint == "Correct the data set and submit it again."
    # Nothing of theirs is tried.
    assert not bench.plan().missing


def test_the_check_says_everything_that_it_finds(tmp_path: Path) -> None:
    """In one file several things are wrong, in each of the others one, and a fourth is none."""
    folder = tmp_path / "res"
    shutil.copytree(KIT, folder)
    bulk = [line.split("\t") for line in (KIT / BULK).read_text().splitlines()]
    bulk[0][2] = "sample_01"
    for row, word in ((1, "x"), (2, "-3"), (3, "1e13")):
        bulk[row][1] = word
    bulk[5].append("7")
    (folder / BULK).write_text("".join("\t".join(line) + "\n" for line in bulk))
    (folder / "notes.txt").write_text("x")
    for file, text in (changed(TRUTH, 0, 0, "type") | changed(REFERENCE, 5, 0, "site_x")).items():
        (folder / file).write_text(text)
    done = subprocess.run(
        [sys.executable, "-B", BUNDLE / "check_program/check.py", tmp_path, tmp_path],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    expected = [
        "'notes.txt' belongs to no data set",
        "bulk.tsv, line 1, column 3: 'sample_01' stands there twice",
        "bulk.tsv, line 2, sample_01: 'x' is not a finite number",
        "bulk.tsv, line 3, sample_01: '-3' is negative",
        "bulk.tsv, line 4, sample_01: '1e13' is larger than 1e+12",
        "bulk.tsv, line 6: 6 values under 5 names",
        "proportions.tsv, line 1 begins with 'type'; expected is cell_type",
        "reference.tsv, line 6: 'site_x' where bulk.tsv has 'site_005'",
    ]
    assert set(expected) <= set(done.stdout.splitlines())
    assert (tmp_path / "rejected.txt").read_text().splitlines() == done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.docker
def test_all_that_is_wrong_is_said_at_once_and_the_kit_is_tried(bench: Repository) -> None:
    enter(bench, "wrong", {**changed(BULK, 1, 1, "x"), **changed(TRUTH, 1, 1, "y")})
    enter(bench, "mine", {})
    bench.commit()
    done = bench.pullbench("run", "--engine", "docker")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 cells more, since data sets were accepted" in done.stdout + done.stderr
    bench.commit()
    assert not bench.reasons()
    taken = bench.snapshot()
    assert taken.datasets["cometh/wrong/data"].reason == (
        "bulk.tsv, line 2, sample_01: 'x' is not a finite number / "
        "proportions.tsv, line 2, sample_01: 'y' is not a finite number"
    )
    found = {cell.task: item for cell, item in taken.record_files.records("cometh").items()
             if cell.participant == "mine"}  # fmt: skip
    assert set(found) == {"dataset-check", *METHODS}
    assert {item.status for item in found.values()} == {"finished"}
    assert found["dataset-check"].extra["cell_types"] == 3
    assert found["equal-proportions"].scores["relative_error"] == pytest.approx(1, abs=1e-12)
    assert found["matrix-factorisation"].extra["matched"] == 1
    # The page by cell type has the participant's names.
    page = bench.path / "submissions/cometh/mine/data/scores/open/matrix-factorisation.html"
    assert "<td>NK cell</td>" in page.read_text()
