"""A board in long form."""

import datetime as dt
import io
import subprocess
import sys
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq

from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.tables import to_csv
from evaluator.site.boards.exports.parquet import to_parquet
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark

COLUMNS = (
    "      - {title: A, key: a, index: 0, sorting: desc}\n"
    "      - {title: B, key: b, index: 1, sorting: asc}\n"
)


def make() -> PublicBoard:
    entries = Entries(make_benchmark(COLUMNS, tasks="0, 1", rule="Force_Best"))
    entries.enter("ada", "one", {"a": 1 / 3, "b": -1}, {"a": 1, "b": 2})
    entries.enter("ada", "worse", {"a": 0, "b": 0}, {"a": 0, "b": 0})
    entries.enter("bob", "two", [{"a": 1, "b": 2}, {"a": 3, "b": 2}], FAILED)
    return entries.board(commit="c" * 40)


def read(content: bytes) -> pa.Table:
    return pq.read_table(io.BytesIO(content))


def test_there_is_a_line_for_each_value() -> None:
    table = read(to_parquet(make()))
    lines = table.to_pylist()
    assert len(lines) == 3 * 3 * 2
    one = [line for line in lines if line["submission"] == "one"]
    assert [(line["task"], line["column"], line["value"]) for line in one] == [
        (None, "a", (1 / 3 + 1) / 2), (None, "b", 0.5),
        ("one", "a", 1 / 3), ("one", "b", -1.0), ("two", "a", 1.0), ("two", "b", 2.0),
    ]  # fmt: skip
    assert {line["rank"] for line in one} == {1}
    assert one[0]["submitted"] == dt.datetime(2026, 1, 1, 1, tzinfo=dt.UTC)
    assert all(line["counts"] and line["listed"] for line in one)
    assert not any(line["listed"] for line in lines if line["submission"] == "worse")


def test_what_has_no_value_says_why() -> None:
    lines = read(to_parquet(make())).to_pylist()
    failed = [line for line in lines if line["submission"] == "two" and line["task"] == "two"]
    assert {(line["status"], line["actor"], line["reason"]) for line in failed} == {
        ("failed", "participant", "timed out")
    }
    assert {line["value"] for line in failed} == {None}
    over_all = [line for line in lines if line["submission"] == "two" and line["task"] is None]
    assert {(line["rank"], line["value"], line["status"]) for line in over_all} == {
        (None, None, "failed")
    }


def test_columns_are_typed_for_every_reader() -> None:
    table = read(to_parquet(make()))
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {
        "participant": "string", "submission": "string", "title": "string", "kind": "string",
        "submitted": "timestamp[us, tz=UTC]", "rank": "int32", "listed": "bool",
        "task": "string", "status": "string", "counts": "bool", "seconds": "double",
        "peak_memory": "int64", "actor": "string", "reason": "string", "column": "string",
        "value": "double", "deviation": "double",
    }  # fmt: skip
    assert table.schema.metadata[b"commit"] == b"c" * 40


def test_the_same_board_makes_the_same_bytes() -> None:
    assert to_parquet(make()) == to_parquet(make())


def test_no_pandas_is_loaded() -> None:
    code = (
        "import sys; from tests.site.boards.exports.test_parquet import make, to_parquet; "
        "to_parquet(make()); sys.exit('pandas' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_board_without_rows_has_its_columns() -> None:
    table = read(to_parquet(Entries(make_benchmark()).board()))
    assert table.num_rows == 0
    assert "value" in table.column_names


def test_a_phase_that_shows_only_whether_a_submission_ran() -> None:
    benchmark = make_benchmark(extra="pullbench: {phases: {0: {shows: status}}}\n")
    board = Entries(benchmark).enter("ada", "one", {"a": 0.7316}).board()
    lines = read(to_parquet(board)).to_pylist()
    assert [(line["task"], line["column"], line["value"]) for line in lines] == [
        (None, None, None), ("one", None, None)
    ]  # fmt: skip
    assert {line["status"] for line in lines} == {"finished"}


def test_a_time_that_is_none_is_null() -> None:
    board = make()
    facts = tuple(replace(facts, submitted="yesterday") for facts in board.full_table.facts)
    table = replace(board.full_table, facts=facts)
    lines = read(to_parquet(publish(replace(board, full_table=table)))).to_pylist()
    assert {line["submitted"] for line in lines if line["listed"]} == {None}


def test_a_time_that_no_nanosecond_counts_is_a_time() -> None:
    board = make()
    for year in (1, 9998):
        submitted = f"{year:04}-06-01T00:00:00+00:00"
        facts = tuple(replace(facts, submitted=submitted) for facts in board.full_table.facts)
        table = replace(board.full_table, facts=facts)
        read_back = read(to_parquet(publish(replace(board, full_table=table))))
        assert {str(at)[:4] for at in read_back["submitted"].cast(pa.string()).to_pylist()} == {
            f"{year:04}"
        }


def test_a_hidden_column_is_in_no_export_whoever_asks() -> None:
    hidden = COLUMNS.replace("key: b,", "key: b, hidden: true,")
    entries = Entries(make_benchmark(hidden, tasks="0, 1"))
    entries.enter("ada", "one", {"a": 0.5, "b": 777.25}, {"a": 1, "b": 777.25})
    private = entries.private_board()
    assert "777.25" in str(private.full_table.values["b"])
    board = publish(private)
    assert "777.25" not in str(read(to_parquet(board)).to_pylist())
    assert "777.25" not in to_csv(board)
    rules = replace(private.benchmark.leaderboard, hidden=True)
    whole = publish(replace(private, benchmark=replace(private.benchmark, leaderboard=rules)))
    assert "0.5" not in to_csv(whole)
    values = [line["value"] for line in read(to_parquet(whole)).to_pylist()]
    assert set(values) == {None}
