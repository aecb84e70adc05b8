"""What of a record may be said, by the switches of its leaderboard and its phase."""

from dataclasses import replace
from typing import Any, Literal

import pytest
from msgspec import structs

from evaluator.ci.steps.comment import cell_line
from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Attachment, CellError, Reason, Record, Step
from evaluator.core.scores.redaction import Disclosure, coarse, disclose, redact
from evaluator.core.scores.sealing import encrypt_hidden
from evaluator.importing.private_parts import make_keys
from tests.core.leaderboard.boards import ONE_COLUMN, make_benchmark
from tests.records import make_record

SEALED = ONE_COLUMN + "      - {title: Sealed, key: sealed, index: 1, hidden: true}\n"
NAME = CellId(benchmark="bench", participant="ada", submission="x", phase="main", task="one")
StepName = Literal["ingestion", "scoring"]


def benchmark(columns: str = ONE_COLUMN, *, board_hidden: bool = False, **switches: Any) -> Any:
    made = make_benchmark(columns)
    phases = tuple(replace(phase, **switches) for phase in made.phases)
    return replace(made, phases=phases, leaderboard=replace(made.leaderboard, hidden=board_hidden))


def record(reason: Reason | None = None, step: StepName | None = None) -> Record:
    """Return a record of two steps, each with a log, as a machine that forgets to hide makes it."""
    changes: dict[str, Any] = {
        "steps": [
            Step(step="ingestion", wall_seconds=1.0, log="predicting"),
            Step(step="scoring", wall_seconds=0.5, log="a is 0.5"),
        ],
        "attachments": {"html": Attachment(sha256="0" * 64, bytes=1)},
    }
    if reason:
        error = CellError(
            actor=Actor.PARTICIPANT, reason=reason, message="told", hint="do", step=step
        )  # fmt: skip
        changes |= {"status": "failed", "scores": {}, "error": error}
    scores = {"a": 0.5, "sealed": 0.7}
    return make_record(NAME, scores=scores).replace(**changes)


def told(said: Disclosure) -> bool:
    """Whether the message is told; where it is not, its hint is not either."""
    assert (said.message == "told") == (said.hint == "do")
    return said.message == "told"


def test_all_that_nothing_hides() -> None:
    said = disclose(record(), benchmark())
    assert said.scores == {"a": 0.5}
    assert said.wall_seconds == 1.5
    assert said.attachments
    assert said.logs == {"ingestion": "predicting", "scoring": "a is 0.5"}
    assert (said.reason, said.actor) == ("", None)


def test_hidden_columns() -> None:
    said = disclose(record(), benchmark(SEALED))
    assert said.scores == {"a": 0.5}
    assert set(said.logs) == {"ingestion"}
    assert not said.attachments
    assert not told(disclose(record(Reason.WRONG_COLUMNS, "scoring"), benchmark(SEALED)))


def test_a_hidden_leaderboard() -> None:
    sealed = benchmark(board_hidden=True)
    said = disclose(record(), sealed)
    assert (said.status, said.scores, said.wall_seconds) == ("finished", None, None)
    assert set(said.logs) == {"ingestion"}
    refused = disclose(record(Reason.REJECTED, "scoring"), sealed)
    assert not told(refused)
    assert (refused.reason, refused.actor) == ("predictions refused", Actor.PARTICIPANT)
    assert told(disclose(record(Reason.TIMED_OUT, "ingestion"), sealed))
    assert cell_line(record(), sealed).scores is None


@pytest.mark.parametrize(
    ("switches", "ingestion", "scoring"),
    [
        ({}, True, True),
        ({"hide_output": True}, False, False),
        ({"hide_prediction_output": True}, False, True),
        ({"hide_score_output": True}, True, False),
    ],
)
def test_the_switches_of_a_phase(switches: dict[str, Any], ingestion: bool, scoring: bool) -> None:
    made: Benchmark = benchmark(**switches)
    logs = disclose(record(), made).logs
    assert ("ingestion" in logs, "scoring" in logs) == (ingestion, scoring)
    assert told(disclose(record(Reason.EXITED, "ingestion"), made)) == ingestion
    assert told(disclose(record(Reason.REJECTED, "scoring"), made)) == scoring
    # Whichever step it names, such a reason repeats the scoring program's words.
    assert told(disclose(record(Reason.BAD_SCORES), made)) == scoring
    assert told(disclose(record(Reason.PLATFORM_FAULT), made))
    # Scores are the board's: no switch of a phase hides them.
    assert disclose(record(), made).scores == {"a": 0.5}


def test_a_phase_that_is_not_there() -> None:
    lost = record(Reason.EXITED, "ingestion").replace(cell=structs.replace(NAME, phase="gone"))
    said = disclose(lost, benchmark())
    assert (said.scores, said.wall_seconds, said.logs) == (None, None, {})
    assert not told(said)


def test_a_line_of_a_failure_has_the_log_of_its_step() -> None:
    line = cell_line(record(Reason.EXITED, "ingestion"), benchmark())
    assert (line.log, line.queue, line.status) == ("predicting", "default", "failed")
    assert cell_line(record(), benchmark()).log == ""
    assert cell_line(record(), benchmark()).scores == {"A": "0.500"}


@pytest.mark.parametrize(
    "reason", [Reason.NO_SCORES, Reason.BAD_SCORES, Reason.TIMED_OUT, Reason.OUT_OF_MEMORY]
)
def test_an_entry_cannot_choose_how_it_fails(reason: Reason) -> None:
    """If a label decides how the scoring program breaks, that tells as much as a score."""
    few = benchmark(feedback_digits=2)
    made = record(reason, "scoring")
    assert made.error is not None
    error = made.error.replace(actor=Actor.ORGANISER)
    made = made.replace(error=error)
    assert disclose(made, benchmark()).reason == reason
    assert disclose(made, few).reason == Reason.SCORER_FAILED
    for kept in (redact(made, few), encrypt_hidden(made, few, "")):
        assert kept.error is not None
        assert kept.error.reason == Reason.SCORER_FAILED
        assert not kept.error.message


def test_a_phase_that_shows_few_digits() -> None:
    """Nothing else that the labels make may be told: no time, no log, no reason of a crash."""
    few = benchmark(feedback_digits=2)
    made = record().replace(scores={"a": 0.51749}, extra={"loss": 0.123456})
    said = disclose(made, few)
    assert said.scores == {"a": 0.52}
    assert (said.wall_seconds, said.logs, said.extra, said.attachments) == (None, {}, {}, ())
    assert not told(disclose(record(Reason.SCORER_FAILED, "scoring"), few))
    shown = redact(made, few)
    assert shown.scores == {"a": 0.52}
    assert (shown.steps, shown.extra, shown.attachments) == ([], {}, {})
    assert "T00:00:00" in shown.provenance.finished
    assert redact(shown, few) == shown == coarse(shown, few.phases[0])


@pytest.mark.parametrize("has_key", [False, True])
def test_a_record_holds_the_digits_that_its_phase_shows(*, has_key: bool) -> None:
    """Without a key for organisers the others are gone for good."""
    recipient = make_keys()[0] if has_key else ""
    few = benchmark(feedback_digits=2)
    made = record().replace(scores={"a": 0.51749})
    kept = encrypt_hidden(made, few, recipient)
    assert kept.scores == {"a": 0.52}
    assert (kept.steps, kept.attachments) == ([], {})
    assert (kept.sealed is not None) == has_key
    crashed = encrypt_hidden(record(Reason.SCORER_FAILED, "scoring"), few, recipient)
    assert crashed.error is not None and crashed.error.message == ""
