"""A phase that shows only whether a submission ran: nothing anywhere says more."""

import json
from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from evaluator.ci.scores.record_changes import in_place_of
from evaluator.ci.scores.validation import check
from evaluator.ci.steps.board_changes import compare_boards
from evaluator.ci.steps.change_table import board_section
from evaluator.ci.steps.comment import cell_line
from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.record import CellError, Earlier, Reason, Record, Step
from evaluator.core.formats.record_lines import to_json
from evaluator.core.leaderboard import tables
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.scores.redaction import coarse, disclose, withheld
from evaluator.core.scores.uploads import Upload
from evaluator.site.boards.exports import board_json
from evaluator.site.content.rescoring import rescoring
from tests.core.leaderboard.boards import FAILED, FILES, HEAD, ONE_COLUMN, Entries
from tests.records import cells_of, make_record, record_of
from tests.repository import Repository

STATUS = "pullbench: {aggregate: mean_rank, phases: {0: {shows: status}}}\n"


def benchmark(extra: str = STATUS) -> Benchmark:
    text = HEAD % ("0, 1", "Add", ONE_COLUMN) + extra
    made, problems = parse_bundle("bench", text.encode(), FILES)
    assert made is not None, problems
    return made


def record(error: CellError | None = None) -> Record:
    """A record of a machine that tells everything."""
    changes = {
        "steps": [Step(step="scoring", wall_seconds=7.25, log="secret 0.123")],
        "extra": {"seconds": 7.25},
        "earlier": [Earlier(score_key="1" * 64, scores={"a": 0.123}, finished="2026")],
        "error": error,
        "status": "failed" if error else "finished",
    }
    made = make_record(scores={"a": 0.123}).replace(**changes)
    name = msgspec.structs.replace(made.cell, benchmark="bench")
    return made.replace(cell=name)


def error(actor: Actor, reason: Reason, step: str | None = "ingestion") -> CellError:
    said = {"actor": actor, "reason": reason, "message": "secret 0.123", "step": step}
    return msgspec.convert(said, CellError)


def test_a_withheld_record() -> None:
    bare = withheld(record())
    assert (bare.status, bare.scores, bare.extra, bare.steps) == ("finished", {}, {}, [])
    assert "0.123" not in msgspec.json.encode(bare).decode()
    assert withheld(bare) == bare


@pytest.mark.parametrize("reason", [Reason.TIMED_OUT, Reason.REJECTED, Reason.EXITED])
def test_all_failures_of_participants_look_the_same(reason: Reason) -> None:
    told = withheld(record(error(Actor.PARTICIPANT, reason))).error
    assert told == withheld(record(error(Actor.PARTICIPANT, Reason.OUT_OF_MEMORY))).error
    assert told is not None
    assert told.reason == Reason.WITHHELD
    assert "secret" not in msgspec.json.encode(told).decode()


def test_who_else_must_act_knows_why() -> None:
    fault = error(Actor.PLATFORM, Reason.PLATFORM_FAULT, None)
    assert withheld(record(fault)).error == fault
    scorer = withheld(record(error(Actor.ORGANISER, Reason.SCORER_FAILED, "scoring"))).error
    assert scorer is not None
    assert (scorer.reason, "secret" in scorer.message) == (Reason.SCORER_FAILED, False)


def test_what_is_said_of_a_record_that_tells_too_much() -> None:
    said = disclose(record(error(Actor.PARTICIPANT, Reason.TIMED_OUT)), benchmark())
    assert (said.scores, said.wall_seconds, said.logs, said.extra) == (None, None, {}, {})
    assert said.reason == Reason.WITHHELD
    assert said.message == "this phase shows only whether a submission ran"
    assert cell_line(record(), benchmark()).scores is None


def entries(made: Benchmark) -> Entries:
    return (
        Entries(made)
        .enter("ada", "good", {"a": 0.123}, {"a": 0.123})
        .enter("bob", "bad", {"a": 0.123}, FAILED)
    )


def everything(board: PublicBoard) -> str:
    """All that the outside sees of a board: data files, terminal, comment, records."""
    change = board_section(compare_boards(None, board), rows=60, columns=12)
    records = [r for row in publish(board).rows for t in row.tasks.values() for r in t.records]
    return "\n".join(
        [
            tables.to_csv(publish(board)), board_json.to_json(publish(board)),
            tables.to_text(board), *change, msgspec.json.encode(records).decode(),
        ]
    )  # fmt: skip


def test_the_board_says_who_ran() -> None:
    board = entries(benchmark()).board()
    assert [(row.rank, row.state) for row in board.rows] == [(None, "finished"), (None, "failed")]
    assert board.columns == ()
    assert "ada" in tables.to_text(board)
    assert "finished" in tables.to_text(board)
    data = json.loads(board_json.to_json(publish(board)))
    assert [row["tasks"]["two"]["status"] for row in data["rows"]] == ["finished", "failed"]
    said = everything(board)
    assert "0.123" not in said
    assert "timed out" not in said
    assert "`ada/good`: finished. This phase shows only whether a submission ran." in said
    assert rescoring(board) is None
    # The same, shown: the test would see it.
    assert "0.123" in everything(entries(benchmark("")).board())


def test_another_phase_keeps_its_records() -> None:
    made = benchmark()
    open_phase = replace(made.phases[0], shows="results")
    board = entries(replace(made, phases=(open_phase,))).board()
    assert [row.rank for row in board.rows] == [1, 2]


def test_a_phase_that_is_not_there() -> None:
    text = HEAD % ("0", "Add", ONE_COLUMN) + "pullbench: {phases: {3: {shows: status}}}\n"
    made, problems = parse_bundle("bench", text.encode(), FILES)
    assert made is None
    assert any("is the index of no phase. Indexes are 0." in str(item) for item in problems)


def test_a_status_is_no_earlier_score() -> None:
    after = make_record(scores={"a": 0.5})
    keys = after.keys.replace(score="9" * 64)
    before = withheld(make_record()).replace(keys=keys)
    assert in_place_of(after, before).earlier == []


@pytest.mark.parametrize(
    ("rule", "public", "fault"),
    [
        ("shows: status", lambda record, _: withheld(record), "tells more than its phase shows"),
        ("feedback_digits: 2", coarse,
         "tells more digits of its scores, or times, than its phase shows"),
    ],
)  # fmt: skip
def test_a_record_that_tells_more_is_not_taken(
    small: Repository, rule: str, public: Callable[[Record, Phase], Record], fault: str
) -> None:
    path = "benchmarks/adding/competition.yaml"
    keys_before = {name: cell.keys for name, cell in cells_of(small).items()}
    small.replace(path, "pullbench:\n", f"pullbench:\n  phases: {{0: {{{rule}}}}}\n")
    small.commit()
    (name, cell), *_ = [
        item for item in sorted(cells_of(small).items()) if item[0].startswith("adding/")
    ]
    # What showed scores before is evaluated again, and the other way round.
    assert cell.keys.score != keys_before[name].score
    assert cell.keys.prediction == keys_before[name].prediction
    full = record_of(cell)
    for made, malformed in ((full, [fault]), (public(full, cell.phase), [])):
        handed = Upload()
        handed.add({cell.id.part_path: to_json(made)})
        checked = check(handed, {cell.id: cell}, utc_now(), unisolated=True)
        assert [line.partition(": ")[2] for line in checked.malformed] == malformed
        assert (cell.id in checked.accepted) == (not malformed)
