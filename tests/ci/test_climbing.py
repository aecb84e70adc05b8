"""A phase with a ladder, from pull requests to what is shown of them."""

from collections.abc import Mapping

import pytest

from evaluator.core.planning.rules import entry_rules
from tests.challenge import BUNDLE, NAME, Challenge, begin
from tests.ci.steps.conftest import LEDGER
from tests.repository import Repository

ROWS = [{"id": f"row-{n}", "label": "ab"[n % 2]} for n in range(60)]


@pytest.fixture
def challenge(repo: Repository) -> Challenge:
    return begin(repo, ROWS, "--metric", "accuracy")


def guess(challenge: Challenge, right: int) -> Mapping[str, str]:
    """Predictions with so many right of the 30 labels of the first half."""
    known = {row["id"] for row in [*challenge.half()][:right]}
    other = {"a": "b", "b": "a"}
    lines = [
        f"{row['id']},{row['label'] if row['id'] in known else other[row['label']]}\n"
        for row in ROWS
    ]
    return {"predictions.csv": "id,label\n" + "".join(lines)}


@pytest.mark.docker
def test_a_score_that_does_not_beat_the_best_is_nowhere(challenge: Challenge) -> None:
    """Nor if the best is in a pull request that was closed, or in one that came later."""
    assert "ladder: {labels: 30}" in (challenge.forge.ours.path / BUNDLE).read_text()
    shown = []
    for number, right in enumerate((20, 22, 28, 10), start=1):
        step, record = challenge.score(number, "mallory", guess(challenge, right))
        assert step.ok, step.report
        assert record is not None
        shown.append(record.scores["accuracy"])
    assert shown == [0.667, 0.667, 0.933, 0.933]
    said = "".join(challenge.said)
    assert "0.933" in said
    assert not [one for one in ("0.733", "0.333", "22/30") if one in said]
    # The content of the last one is known, with a score that is mallory's best.
    step, record = challenge.score(5, "bob", guess(challenge, 10))
    assert step.ok
    assert record is not None
    assert record.scores["accuracy"] == 0.333
    # A crash is no score, and the next one is beside what came before.
    missing = challenge.half()[0]["id"]
    lines = guess(challenge, 30)["predictions.csv"].replace(f"\n{missing},", "\nrow-60,")
    _, record = challenge.score(6, "mallory", {"predictions.csv": lines})
    assert record is not None
    assert record.error is not None
    assert record.scores == {}
    ours = challenge.forge.ours
    ours.git("fetch", "-q", "origin")
    kept = ours.git("grep", "-h", "accuracy", f"origin/{LEDGER}", "--", "evaluated")
    assert [word in kept for word in ("0.667", "0.933", "0.733")] == [True, True, False]


def test_a_ladder_needs_digits_and_results(challenge: Challenge) -> None:
    ours = challenge.forge.ours
    benchmark = ours.snapshot().benchmarks[NAME]
    assert (
        "You see a new score if it beats your best by more than 0.183. Otherwise you see your best "
        "again."
    ) in entry_rules(benchmark, benchmark.phases[:1])
    ours.replace(BUNDLE, "      feedback_digits: 3", "      # feedback_digits: 3")
    ours.replace(BUNDLE, "    accepts_only_result_submissions: true\n", "")
    said = {one.message for one in ours.problems() if "ladder" in one.key}
    assert len(said) == 2, said
