"""Numbers as pages write them."""

import math

import pytest

from evaluator.site.boards.wording import percent


@pytest.mark.parametrize(
    ("share", "text"),
    [(1.0, "100%"), (0.0, "0%"), (0.004, "under 1%"), (0.999, "over 99%"), (0.71, "71%"),
     (math.nan, "")],
)  # fmt: skip
def test_shares_in_words(share: float, text: str) -> None:
    assert percent(share) == text
