import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import Actor
from evaluator.formats.record import ACTOR_OF, Reason
from evaluator.formats.record_json import from_json, to_json
from tests.records import make_record

finite_floats = st.floats(allow_nan=False, allow_infinity=False)


def changed(**changes: Any) -> bytes:
    return json.dumps({**json.loads(to_json(make_record())), **changes}).encode()


def test_round_trip() -> None:
    record = make_record()
    assert from_json(to_json(record)) == record


def test_canonical_form() -> None:
    text = to_json(make_record(scores={"b": 0.1, "a": 2.0})).decode()
    assert text.endswith("}\n")
    assert '"scores": {\n    "a": 2.0,\n    "b": 0.1\n  }' in text
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"


@given(st.dictionaries(st.text(max_size=5), finite_floats, min_size=1, max_size=5))
def test_every_finite_float_comes_back_bit_for_bit(scores: dict[str, float]) -> None:
    first = to_json(make_record(scores=scores))
    record = from_json(first)
    assert {key: value.hex() for key, value in record.scores.items()} == {
        key: value.hex() for key, value in scores.items()
    }
    assert to_json(record) == first


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_writing_what_is_no_number_is_refused(value: float) -> None:
    record = make_record().model_copy(update={"scores": {"score": value}})
    with pytest.raises(ValueError, match="scores"):
        to_json(record)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(version=2), "record version 2; this pullbench reads 1"),
        (changed(version=None), "record version None"),
        (changed(scores={"score": True}), "scores.score: Expected `float`, got `bool`"),
        (changed(scores={"score": math.nan}), "NaN"),
        (changed(scores={"score": math.inf}), "Infinity"),
        (changed(scores={"score": "high"}), "scores.score"),
        (changed(unheard_of=1), "unheard_of"),
        (changed(status="fine"), "status"),
        (changed(keys={"prediction": "x", "score": "y", "parts": {}}), "keys.prediction"),
        (changed(steps=[{"step": "scoring", "wall_seconds": -1}]), r"steps\[0\].wall_seconds"),
        (to_json(make_record()).replace(b'"b"', b'"b", "benchmark": "c"', 1), "twice"),
        (b"[]", "is not a record"),
        (b"", "not valid JSON"),
        (b" " * 2**20 + b"{}", "at most"),
    ],
)
def test_reading_refuses(content: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_json(content)


def test_every_reason_has_somebody_who_acts() -> None:
    assert set(ACTOR_OF) == set(Reason)
    assert [reason for reason in Reason if ACTOR_OF[reason] is Actor.PLATFORM] == [
        Reason.PLATFORM_FAULT
    ]
