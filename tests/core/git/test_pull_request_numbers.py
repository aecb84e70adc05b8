"""Numbers of pull requests in messages that participants may write a part of."""

import pytest

from evaluator.ci.ledger.unreviewed import number_of


@pytest.mark.parametrize(
    ("subject", "number"),
    [
        ("Merge pull request #12 from alice/my-entry", 12),
        ("Merge pull request 'Add an entry' (#12) from alice/entry into main", 12),
        ("Merge pull request 'Mine (#7) from a/b into c' (#12) from alice/e into main", 12),
        ("Add an entry (#12)", 12),
        ("Add an entry (#7) (#12)", 12),  # the forge's number stands last
        ("Merge pull request #12 from alice/e (#7)", 7),  # the title of a squashed one
    ],
)
def test_what_forges_write_is_a_number(subject: str, number: int) -> None:
    assert number_of(subject) == number


@pytest.mark.parametrize(
    "subject",
    [
        "Add an entry",
        "Fix #12",
        "(#12) is mine",
        "Add an entry (#012)",
        "Add an entry (#0)",
        "Add an entry (#12a)",
        "Add an entry (#\u0661\u0662)",
        "Add an entry (#12) ",
        "Add an entry(#12)",
        f"Add an entry (#{'9' * 400})",
        "Merge pull request #12 from ",
        "Merge pull request #12/../../evil from alice/e",
    ],
)
def test_anything_else_is_none(subject: str) -> None:
    assert number_of(subject) is None
