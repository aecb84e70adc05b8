import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.core.errors import Actor
from evaluator.core.formats.record import ACTOR_OF, Reason
from evaluator.core.formats.record_lines import from_json, to_json
from tests.records import make_record

finite_floats = st.floats(allow_nan=False, allow_infinity=False)


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
    record = make_record().replace(scores={"score": value})
    with pytest.raises(ValueError, match="scores"):
        to_json(record)


def test_every_reason_has_somebody_who_acts() -> None:
    assert set(ACTOR_OF) == set(Reason)
    assert [reason for reason in Reason if ACTOR_OF[reason] is Actor.PLATFORM] == [
        Reason.PLATFORM_FAULT
    ]
