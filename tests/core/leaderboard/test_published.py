"""Boards as the public may see them."""

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import (
    Attachment,
    CellError,
    Earlier,
    Reason,
    Record,
    Step,
)
from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.published import publish
from evaluator.core.scores.redaction import redact
from evaluator.site.boards.exports.board_json import to_data, to_json
from tests.core.leaderboard.boards import ONE_COLUMN, Entries, make_benchmark
from tests.records import make_record

SEALED = ONE_COLUMN + "      - {title: Sealed, key: sealed, index: 1, hidden: true}\n"
SECRET = "0.123456789"
NAME = CellId(benchmark="bench", participant="ada", submission="x", phase="main", task="one")


def board_of(entries: Entries, *, hidden: bool) -> Board:
    board = entries.private_board()
    leaderboard = replace(board.benchmark.leaderboard, hidden=hidden)
    return replace(board, benchmark=replace(board.benchmark, leaderboard=leaderboard))


def record() -> Record:
    """Return a record that holds a secret wherever a record can."""
    number = float(SECRET)
    return make_record(NAME, scores={"a": number, "sealed": number}).replace(
        extra={"other": number},
        earlier=[
            Earlier(score_key="1" * 64, scores={"a": number, "sealed": number}, finished="t")
        ],
        steps=[Step(step="scoring", wall_seconds=number, log=f"a is {SECRET}")],
        error=CellError(
            actor=Actor.ORGANISER, reason=Reason.BAD_SCORES, message=f"{SECRET} is bad",
            hint=f"not {SECRET}", step="scoring",
        ),
        attachments={"html": Attachment(sha256="1" * 64, bytes=1)},
    )  # fmt: skip


def test_a_hidden_leaderboard_keeps_no_number_of_a_record() -> None:
    board = board_of(Entries(make_benchmark(SEALED)), hidden=True)
    shown = redact(record(), board.benchmark)
    assert SECRET not in msgspec.json.encode(shown).decode()
    assert shown.attachments == {}
    assert shown.error is not None
    assert shown.error.actor == Actor.ORGANISER


def test_a_hidden_column_is_in_no_earlier_score_and_no_text_of_the_scorer() -> None:
    shown = redact(record(), make_benchmark(SEALED))
    assert shown.scores == {"a": 0.123456789}
    assert shown.earlier[0].scores == {"a": 0.123456789}
    assert shown.extra == {}
    assert shown.steps[0].log == ""
    assert shown.error is not None
    assert SECRET not in shown.error.message + shown.error.hint


@pytest.mark.parametrize(
    ("switches", "shown"),
    [({}, True), ({"hide_output": True}, False), ({"hide_score_output": True}, False),
     ({"hide_prediction_output": True}, True)],
)  # fmt: skip
def test_a_phase_that_hides_what_the_scorer_puts_out(switches: dict[str, Any], shown: bool) -> None:
    made = make_benchmark()
    phases = tuple(replace(phase, **switches) for phase in made.phases)
    public = redact(record(), replace(made, phases=phases, extra=("other",)))
    assert bool(public.extra) == bool(public.steps[0].log) == shown
    assert bool(public.attachments) == shown


def test_a_hidden_leaderboard_has_neither_ranks_nor_their_order() -> None:
    entries = Entries(make_benchmark(rule="Force_Best"))
    entries.enter("bob", "worse", {"a": 0.5}).enter("bob", "best", {"a": 3})
    entries.enter("ada", "least", {"a": 0.1})
    public = publish(board_of(entries, hidden=True))
    assert [row.submission.name for row in public.rows] == ["least", "best", "worse"]
    assert [(row.rank, dict(row.overall)) for row in public.rows] == [(None, {})] * 3
    assert public.unlisted == ()
    assert {row.state for row in public.rows} == {"finished"}


def test_the_data_of_a_board_are_what_may_be_published() -> None:
    entries = Entries(make_benchmark(SEALED)).enter("ada", "x", {"a": 1, "sealed": 2})
    entries.records = {record().cell: record()}
    text = to_json(publish(board_of(entries, hidden=True)))
    assert SECRET not in text
    error = json.loads(text)["rows"][0]["tasks"]["one"]["error"]
    assert error == {"actor": "organiser", "reason": "malformed scores", "message": ""}


def test_earlier_scores_are_in_the_data() -> None:
    entries = Entries(make_benchmark(SEALED)).enter("ada", "x", {"a": 1, "sealed": 2})
    entries.records = {record().cell: record()}
    assert to_data(entries.board())["rows"][0]["tasks"]["one"]["earlier"] == [
        {"repeat": None, "score_key": "1" * 64, "finished": "t", "scores": {"a": 0.123456789}}
    ]


def test_where_nothing_is_hidden_everything_stays_the_same() -> None:
    entries = Entries(make_benchmark(ONE_COLUMN))
    for name in ("x", "y"):
        entries.enter("ada", name, {"a": 0.5}, {"a": 0.25})
    board = entries.private_board()
    shown = publish(board)
    assert [dict(row.overall) for row in shown.rows] == [dict(row.overall) for row in board.rows]
    for row in board.rows:
        for result in row.tasks.values():
            for found in result.records:
                assert redact(found, board.benchmark) == found


def test_a_score_in_no_column_is_left_out_where_nothing_is_hidden() -> None:
    entries = Entries(make_benchmark(ONE_COLUMN))
    entries.enter("ada", "x", {"a": 0.5}, {"a": 0.25})
    cell = next(iter(entries.records))
    entries.records[cell] = entries.records[cell].replace(scores={"a": 0.5, "gone": float(SECRET)})
    shown = publish(entries.private_board())
    records = [r for row in shown.rows for one in row.tasks.values() for r in one.records]
    assert records
    assert not any(SECRET in msgspec.json.encode(one).decode() for one in records)
