"""Folds are rows of one table, and become the files that each fold used to have."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import JobContents
from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.core.formats.table_folds import FoldError, lay_out
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.scores.jobs import make_jobs
from evaluator.importing.files import zip_bytes
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import LocalPrivateParts, encrypt, make_keys
from evaluator.plugins.openml.suites.importing import deal
from evaluator.plugins.openml.tabular.writing import (
    Fold,
    describe_table,
    fold_tables,
    whole_table,
    write_fold,
    write_shared,
)
from tests.plugins.openml.openml_sources import chess
from tests.records import cells_of, write_records
from tests.repository import Repository


def chess_frame() -> pd.DataFrame:
    """kr-vs-kp, 3196 x 37, all nominal."""
    return pd.DataFrame(
        {column.name: pd.Categorical(list(column.values), categories=list(column.levels or []))
         for column in chess().columns}
    )  # fmt: skip


def mixed_frame() -> pd.DataFrame:
    """Gaps, levels without rows, more of them than fit a page, text, a whole-number target."""
    draw = np.random.default_rng(0)
    many = [f"{row:0600}" for row in range(3000)]
    return pd.DataFrame(
        {
            "level": pd.Categorical(
                draw.choice(np.array(["b", "a", None]), 600), categories=["z", "b", "a"]
            ),
            "many": pd.Categorical(draw.choice(many, 600), categories=many[::-1]),
            "text": draw.choice(["p", "q"], 600),
            "size": np.where(draw.random(600) < 0.1, np.nan, draw.random(600)),
            "y": draw.integers(0, 9, 600),
        }
    )


def both_forms(frame: pd.DataFrame, target: str, folder: Path, *, classes: bool) -> list[Path]:
    """Write five folds in each form; return the folder of the folds and that of the table."""
    folds = deal("name", frame[target], 5, classes=classes)
    # One in the order of the splits, one in one of its own, all others in that of the table.
    in_order = np.concatenate([fold.test for fold in folds if fold.number != 1])
    folds[1] = replace(folds[1], train=in_order)
    folds[2] = replace(folds[2], train=folds[2].train[::-1])
    meta = describe_table("name", *whole_table(frame, target, classes=classes)[:1], target)
    separate, shared = folder / "separate", folder / "shared"
    for fold in folds:
        train, test, _ = fold_tables(
            frame.iloc[fold.train], frame.iloc[fold.test], target, classes=classes,
            labels=list(frame[target].unique()) if classes else (),
        )  # fmt: skip
        inputs, reference = (separate / str(fold.number) / part
                             for part in ("input_data", "reference_data"))  # fmt: skip
        write_fold(inputs, reference, train, test, {**meta, "fold": fold.number})
    write_shared(
        shared, whole_table(frame, target, classes=classes)[0], meta,
        [replace(fold, repeat=fold.fold) for fold in folds], lambda fold: {"fold": fold.number},
        orders={1: np.concatenate([fold.test for fold in folds]).tolist()},
    )  # fmt: skip
    return [separate, shared]


@pytest.mark.slow
@pytest.mark.parametrize("data", ["chess", "mixed"])
def test_each_fold_has_the_files_that_it_would_have_by_itself(tmp_path: Path, data: str) -> None:
    frame, target = (chess_frame(), "class") if data == "chess" else (mixed_frame(), "y")
    separate, shared = both_forms(frame, target, tmp_path, classes=data == "chess")
    for fold in range(5):
        laid_out = tmp_path / "laid-out" / str(fold)
        lay_out(shared, fold, laid_out)
        files = sorted(path.relative_to(laid_out) for path in laid_out.rglob("*.*"))
        assert [str(path) for path in files] == [
            "input_data/dataset.json", "input_data/test.parquet", "input_data/train.parquet",
            "reference_data/dataset.json", "reference_data/rows.json",
            "reference_data/truth.parquet",
        ]  # fmt: skip
        for path in files:
            before, now = separate / str(fold) / path, laid_out / path
            if path.suffix == ".parquet":
                assert pq.read_table(now).equals(pq.read_table(before), check_metadata=True), path
                pd.testing.assert_frame_equal(pd.read_parquet(now), pd.read_parquet(before))
            elif path.name == "dataset.json":
                assert now.read_bytes() == before.read_bytes()
    assert size_of(shared) * 2 < size_of(separate)


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_the_other_rows_are_trained_on_where_none_are_named(tmp_path: Path) -> None:
    write_six(tmp_path / "all", [0, 2, 3, 5], [4, 1])
    assert "train" not in json.loads((tmp_path / "all/0/rows.json").read_text())
    lay_out(tmp_path / "all", 0, tmp_path / "fold")
    train = pd.read_parquet(tmp_path / "fold/input_data/train.parquet")
    truth = pd.read_parquet(tmp_path / "fold/reference_data/truth.parquet")
    assert (train["a"].tolist(), truth["truth"].tolist()) == ([0, 2, 3, 5], [4.0, 1.0])
    write_six(tmp_path / "some", [0, 2], [1])
    assert json.loads((tmp_path / "some/0/rows.json").read_text())["train"] == [0, 2]


def write_six(folder: Path, *folds: Sequence[int]) -> None:
    """Write a table of six rows; ``folds`` are training and test rows in turn."""
    rows = [
        Fold(number=number, repeat=0, fold=number, train=np.array(train), test=np.array(test))
        for number, (train, test) in enumerate(zip(folds[::2], folds[1::2], strict=True))
    ]
    frame = pd.DataFrame({"a": range(6), "y": range(6)})
    write_shared(folder, frame, {"target": "y"}, rows, lambda fold: {"fold": fold.number})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"rows": [1], "train": [0, 1]}, "trains on 1 of the rows that it tests"),
        ({"rows": [6]}, "'rows' in 0/rows.json names row 6 of a table with 6 rows"),
        ({"rows": [-1]}, "names row"),
        ({"rows": [True]}, "must be a list of row numbers"),
        ({"train": [1]}, "'rows' in 0/rows.json must be a list"),
        ({"rows": []}, "leaves no rows to test"),
        ({"rows": [0, 1, 2, 3, 4, 5]}, "leaves no rows to train on"),
        ({"rows": [0], "order": "../x.json"}, "must be the name of a file beside table.parquet"),
        ({"rows": [0], "order": "x.json"}, "there is no .*/x.json"),
        ({"rows": [0], "about": {"target": "z"}}, "has no column 'z'"),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_are_refused(
    tmp_path: Path, rows: dict[str, object], message: str
) -> None:
    write_six(tmp_path, [1, 2], [0])
    (tmp_path / "0/rows.json").write_text(json.dumps(rows))
    with pytest.raises(FoldError, match=message):
        lay_out(tmp_path, 0, tmp_path / "fold")
    assert not (tmp_path / "fold").exists()


CELLS = ["folds/alice/sum/main/one.0", "folds/alice/sum/main/one.1"]


def with_rows(repository: Repository) -> Path:
    """Give the bundle `folds` one table in place of its folders."""
    repository.with_bundle("folds")
    folder = repository.path / "benchmarks/folds"
    text = (folder / "competition.yaml").read_text()
    text = text.replace("repeat_data: true", "repeat_data: rows")
    lines = [line for line in text.splitlines() if "input_data" not in line]
    (folder / "competition.yaml").write_text("\n".join(lines) + "\n")
    write_six(folder / "reference_data", [2, 3], [0, 1], [0, 1], [2, 3])
    return folder


def test_a_changed_fold_is_evaluated_again_and_a_changed_table_all(repo: Repository) -> None:
    folder = with_rows(repo)
    assert repo.problems() == []
    write_records(repo)
    commit = repo.commit("Records")
    assert not repo.reasons()
    (folder / "reference_data/1/rows.json").write_text('{"rows": [2]}')
    changed = repo.commit("Another fold")[:7]
    why = f"input data changed in {changed}; reference data changed in {changed}"
    assert repo.reasons() == {CELLS[1]: why}
    repo.git("reset", "--quiet", "--hard", commit)
    (folder / "reference_data/dataset.json").write_text('{"target": "a"}')
    repo.commit("Another target")
    assert set(repo.reasons()) == set(CELLS)


def test_private_tables_have_a_key_for_each_fold(repo: Repository) -> None:
    with_rows(repo)
    repo.replace(
        "benchmarks/folds/competition.yaml", "pullbench:\n",
        "pullbench:\n  private: [{task: 0, file: reference_data, path: kept, "
        f"sha256: {'a' * 64}}}]\n",
    )  # fmt: skip
    parts = [cells_of(repo)[name].keys.parts for name in CELLS]
    for part in ("input_data", "reference_data"):
        assert len({each[part] for each in parts}) == 2


def test_what_does_not_go_with_one_table_is_said(repo: Repository) -> None:
    folder = with_rows(repo)
    (folder / "reference_data/1/rows.json").unlink()
    repo.replace(
        "benchmarks/folds/competition.yaml", "reference_data: reference_data",
        "reference_data: reference_data\n    input_data: input_data",
    )  # fmt: skip
    assert [(p.key, p.message) for p in repo.problems() if p.key] == [
        ("tasks[0].reference_data", "'reference_data' has no file '1/rows.json'."),
        ("tasks[0].input_data",
         "is there beside a table of which it is made (repeat_data: rows)."),
    ]  # fmt: skip


@pytest.mark.parametrize("place", ["path", "encrypted"])
def test_private_tables_become_folds_and_encrypted_ones_in_memory_alone(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    folder = with_rows(repo)
    data = tmp_path / "data"
    (folder / "reference_data").rename(data)
    files = {path.relative_to(data).as_posix(): (path.read_bytes(), False)
             for path in data.rglob("*.*")}  # fmt: skip
    public, secret = make_keys()
    monkeypatch.setenv(DATA_IDENTITY, secret)
    (folder / "table.age").write_bytes(encrypt(zip_bytes(files), [public]))
    where = "path: data" if place == "path" else "encrypted: table.age"
    repo.replace(
        "benchmarks/folds/competition.yaml", "pullbench:\n",
        f"pullbench:\n  private: [{{task: 0, file: reference_data, {where}, "
        f"sha256: {content_digest(data)}}}]\n",
    )  # fmt: skip
    taken = repo.snapshot()
    cells = [item.cell for item in make_local_plan(taken, utc_now()).missing]
    exporter = Exporter(taken.tree, tmp_path / "trees")
    private = LocalPrivateParts(
        data=tmp_path if place == "path" else None, cache=tmp_path / "fetched",
        memory=lambda: tmp_path / "memory", limit=2**20, isolated=True,
    )  # fmt: skip
    source = JobContents(exporter, private)
    own = [job for job in make_jobs(taken, cells, exporter) if str(job.cell) in CELLS]
    assert len(own) == 2
    for job in own:
        inputs = source.inputs(job)
        assert inputs.input_data is not None
        assert sorted(path.name for path in inputs.input_data.iterdir()) == [
            "dataset.json", "test.parquet", "train.parquet",
        ]  # fmt: skip
        train = pd.read_parquet(inputs.input_data / "train.parquet")
        assert train["a"].tolist() == ([2, 3] if job.fold == 0 else [0, 1])
        memory = tmp_path / "memory"
        assert inputs.input_data.is_relative_to(
            memory if place == "encrypted" else tmp_path / "trees"
        )
    if place == "encrypted":
        assert not list((tmp_path / "trees").rglob("*.parquet"))
