"""What is hidden of a record is encrypted, and opened when the organisers show it."""

import base64
import re
from pathlib import Path

import pyrage
import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.commit import commit
from evaluator.ci.scores.encryption import close, recipient_of
from evaluator.ci.scores.unsealing import republish, unseal_all
from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, PlatformError, UsageError
from evaluator.core.formats.record import Attachment, CellError, Reason, Record, Step
from evaluator.core.formats.record_lines import from_json, to_json
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.sealing import encrypt_hidden, opened
from evaluator.importing.private_parts import make_keys
from tests.core.leaderboard import test_status_phase as status_phase
from tests.records import cells_of, record_of
from tests.repository import BRANCH, Repository, put_record

COMPETITION = "benchmarks/adding/competition.yaml"
HIDDEN = "key: results\n    hidden: true\n"
CELL = "adding/alice/right/main/one"
RECIPIENT, IDENTITY = make_keys()


@pytest.fixture
def hidden(small: Repository) -> Repository:
    small.replace(COMPETITION, "key: results\n", HIDDEN)
    small.write("pyproject.toml", f'[tool.pullbench]\nseal = "{RECIPIENT}"\n')
    small.commit("Hide the board")
    return small


def opened_with(key: str, record: Record) -> Record:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(SEAL_IDENTITY, key)
        return opened(record)


def whole(repo: Repository) -> Record:
    cell = cells_of(repo)[CELL]
    scores = {"right": 0.8125, "distance": 0.4375}
    return record_of(cell, scores=scores, extra={"token": 0.3125})


def benchmark(repo: Repository):  # type: ignore[no-untyped-def]
    return repo.snapshot().benchmarks["adding"]


def test_a_hidden_board_says_nothing_in_the_clear(hidden: Repository) -> None:
    made = encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT)
    text = to_json(made).decode()
    for number in ("0.8125", "0.4375", "0.3125"):
        assert number not in text
    assert (made.scores, made.extra, made.steps) == ({}, {}, [])
    assert from_json(to_json(made)) == made
    assert opened_with(IDENTITY, made) == whole(hidden)


def test_a_hidden_column_alone(small: Repository) -> None:
    small.replace(COMPETITION, "key: distance,", "key: distance, hidden: true,")
    made = encrypt_hidden(whole(small), benchmark(small), RECIPIENT)
    assert made.scores == {"right": 0.8125}
    assert "0.4375" not in to_json(made).decode()


def test_a_failure_keeps_its_reason(hidden: Repository) -> None:
    error = CellError(
        actor=Actor.ORGANISER, reason=Reason.BAD_SCORES, message="score is 0.8125", step="scoring"
    )
    failed = whole(hidden).replace(status="failed", scores={}, error=error)
    made = encrypt_hidden(failed, benchmark(hidden), RECIPIENT)
    assert made.error is not None
    assert (made.error.reason, made.error.actor) == (error.reason, error.actor)
    assert "0.8125" not in to_json(made).decode()


def test_nothing_is_sealed_where_nothing_is_hidden(small: Repository) -> None:
    assert encrypt_hidden(whole(small), benchmark(small), RECIPIENT) == whole(small)


def test_without_a_key_nothing_lies_in_git_but_what_ranks_need(hidden: Repository) -> None:
    record = telling(whole(hidden))
    made = encrypt_hidden(record, benchmark(hidden), "")
    assert made.scores == record.scores
    assert (made.extra, made.attachments) == ({}, {})
    assert [(step.step, step.log) for step in made.steps] == [
        ("ingestion", "predicting"), ("scoring", ""),
    ]  # fmt: skip
    assert [step.wall_seconds for step in made.steps] == [1.0, 0.5]
    # Where nothing is hidden, nothing is left out.
    hidden.replace(COMPETITION, HIDDEN, "key: results\n")
    assert encrypt_hidden(record, benchmark(hidden), "") == record


@pytest.mark.parametrize(
    "recipient", [pytest.param(RECIPIENT, id="key"), pytest.param("", id="no-key")]
)
def test_a_hidden_column_hides_pages_numbers_and_logs_in_git(
    small: Repository, recipient: str
) -> None:
    small.replace(COMPETITION, "key: distance,", "key: distance, hidden: true,")
    made = encrypt_hidden(telling(whole(small)), benchmark(small), recipient)
    assert made.attachments == {}
    assert "0.3125" not in to_json(made).decode()
    assert ("0.4375" in to_json(made).decode()) == (not recipient)


def telling(record: Record) -> Record:
    """Return a record that says its hidden number in every way it can."""
    steps = [
        Step(step="ingestion", wall_seconds=1.0, log="predicting"),
        Step(step="scoring", wall_seconds=0.5, log="distance is 0.3125"),
    ]
    page = Attachment(sha256="0" * 64, bytes=1)
    return record.replace(steps=steps, attachments={"html": page})


def test_sealing_twice_changes_nothing(hidden: Repository) -> None:
    made = encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT)
    assert encrypt_hidden(made, benchmark(hidden), RECIPIENT) == made


def test_what_is_still_hidden_stays_sealed(hidden: Repository) -> None:
    made = encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT)
    assert republish(opened_with(IDENTITY, made), made, benchmark(hidden)) == made


def test_the_wrong_keys(hidden: Repository) -> None:
    made = encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT)
    with pytest.raises(PlatformError, match="cannot be opened"):
        opened_with(make_keys()[1], made)
    with pytest.raises(PlatformError, match="is no age identity"):
        opened_with("AGE-SECRET-KEY-nonsense", made)
    assert opened_with("", made) == made
    with pytest.raises(UsageError, match="not an age recipient"):
        encrypt_hidden(whole(hidden), benchmark(hidden), "age1nonsense")


def test_anothers_sealed_record(hidden: Repository) -> None:
    """Copied from one file to another, it is found out."""
    cells = cells_of(hidden)
    other = record_of(cells["adding/bob/wrong/main/one"], scores={"right": 1.0, "distance": 0.0})
    stolen = encrypt_hidden(other, benchmark(hidden), RECIPIENT).sealed
    made = encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT)
    with pytest.raises(PlatformError, match="of another evaluation"):
        opened_with(IDENTITY, made.replace(sealed=stolen))


@pytest.mark.docker
def test_from_a_run_to_the_reveal(hidden: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sealed as it is written; opened by CI once the board is shown, by whoever has the key."""
    hidden.run(CELL)
    sealed = hidden.records()[CELL]
    assert sealed.sealed is not None
    assert (sealed.scores, sealed.status) == ({}, "finished")
    commit(hidden.path, utc_now())
    assert CELL not in hidden.reasons(), "a sealed record is valid"

    collect(hidden.path, utc_now(), branch=BRANCH)
    assert hidden.record(cells_of(hidden)[CELL].id).sealed is not None
    hidden.git("checkout", "--quiet", "--force", BRANCH)
    hidden.replace(COMPETITION, HIDDEN, "key: results\n")
    hidden.commit("Show the board")
    collect(hidden.path, utc_now(), branch=BRANCH)
    hidden.git("reset", "--quiet", "--hard")
    assert hidden.record(cells_of(hidden)[CELL].id).sealed is not None, "nobody had the key"

    monkeypatch.setenv(SEAL_IDENTITY, IDENTITY)
    done = collect(hidden.path, utc_now(), branch=BRANCH)
    assert len(done.committed.paths) == 1
    hidden.git("reset", "--quiet", "--hard")
    record = hidden.record(cells_of(hidden)[CELL].id)
    assert record.sealed is None
    assert set(record.scores) == {"right", "distance"}
    assert CELL not in hidden.reasons()


def test_a_board_that_is_hidden_in_name_alone(hidden: Repository) -> None:
    assert [p for p in hidden.problems() if "in the clear" in p.message] == []
    hidden.write("pyproject.toml", "[tool.pullbench]\n")
    (problem,) = [p for p in hidden.problems() if "in the clear" in p.message]
    assert (problem.severity, problem.actor) == ("warning", Actor.ORGANISER)


def test_keygen(small: Repository) -> None:
    lines = small.pullbench("keygen").stdout.splitlines()
    public, secret = (line.partition(" = ")[2] for line in lines)
    made = encrypt_hidden(whole(small), benchmark(small), public)
    assert made == whole(small), "nothing is hidden here"
    small.replace(COMPETITION, "key: results\n", HIDDEN)
    assert opened_with(secret, encrypt_hidden(whole(small), benchmark(small), public)) == whole(
        small
    )


def test_what_comes_unsealed_is_sealed_before_it_is_kept(hidden: Repository) -> None:
    record = whole(hidden)
    hidden.put(record)
    done = commit(hidden.path, utc_now())
    assert done.commit is not None
    text = hidden.git("show", f"{done.commit}:{record.cell.scores_path}")
    assert "0.8125" not in text
    assert "sealed" in text


def test_a_phase_that_shows_only_whether_it_ran() -> None:
    made_for = status_phase.benchmark()
    error = status_phase.error(Actor.PARTICIPANT, Reason.TIMED_OUT)
    record = status_phase.record(error)
    made = encrypt_hidden(record, made_for, RECIPIENT)
    assert made == withheld(made)
    assert republish(opened_with(IDENTITY, made), made, made_for) == made
    inside = opened_with(IDENTITY, made)
    assert republish(inside, made, made_for) == made
    assert (inside.error, inside.steps) == (error, record.steps)


def forged(repo: Repository, inside: dict[str, object]) -> None:
    """Let the branch have a sealed record whose outside is as it should be."""
    honest = encrypt_hidden(whole(repo), benchmark(repo), RECIPIENT)
    lie = encrypt_hidden(whole(repo).replace(**inside), benchmark(repo), RECIPIENT)
    made = honest.replace(sealed=lie.sealed)
    repo.put(made)
    commit(repo.path, utc_now())
    repo.replace(COMPETITION, HIDDEN, "key: results\n")
    repo.commit("Show the board")


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ("isolation", "names another machine or isolation"),
        ("columns", "has the columns ['other']"),
        ("log", "has a log that is too long"),
    ],
)
def test_the_sealed_part_is_checked_when_it_is_opened(
    hidden: Repository, monkeypatch: pytest.MonkeyPatch, inside: str, reason: str
) -> None:
    honest = whole(hidden)
    lies: dict[str, dict[str, object]] = {
        "isolation": {
            "provenance": honest.provenance.replace(isolation="none"),
        },
        "columns": {"scores": {"other": 1.0}},
        "log": {"steps": [honest.steps[0].replace(log="x" * 5000)]},
    }
    forged(hidden, lies[inside])
    monkeypatch.setenv(SEAL_IDENTITY, IDENTITY)
    taken = hidden.snapshot()
    expected = {cell.id: cell for cell in cells_of(hidden).values()}
    done = unseal_all(taken, expected, utc_now())
    assert (done.records, done.attachments) == ({}, {})
    (refused,) = done.refused.values()
    assert reason in refused
    # Collecting takes it off, plans its cell again and says so.
    collected = collect(hidden.path, utc_now(), branch=BRANCH)
    assert CELL in {str(item.cell.id) for item in collected.missing}
    assert any(reason in line for line in collected.left_out)
    again = load_snapshot(hidden.path, collected.tip)
    assert [str(cell) for cell in again.record_files if str(cell) == CELL] == []


def test_a_sealed_part_that_nobody_can_open_holds_up_no_other(
    hidden: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT)
    garbage = record.replace(sealed="Z2FyYmFnZQ==")
    hidden.put(garbage)
    hidden.commit("Garbage")
    monkeypatch.setenv(SEAL_IDENTITY, IDENTITY)
    done = unseal_all(hidden.snapshot(), {}, utc_now())
    assert "cannot be opened" in done.refused[record.cell]
    # With another key than the deployment's, nobody's record is at fault.
    monkeypatch.setenv(SEAL_IDENTITY, make_keys()[1])
    done = unseal_all(hidden.snapshot(), {}, utc_now())
    assert not done.refused
    assert "cannot be opened" in done.closed[0]


def test_the_duration_of_sealed_cells_cannot_be_read(hidden: Repository) -> None:
    """Neither of one cell, nor between the ends of two that ran one after the other."""
    record = whole(hidden)
    times = {
        "started": "2026-01-02T10:00:00.500000+00:00",
        "finished": "2026-01-02T10:00:07.250000+00:00",
    }
    record = record.replace(provenance=record.provenance.replace(**times))
    made = encrypt_hidden(record, benchmark(hidden), RECIPIENT)
    assert "10:00" not in to_json(made).decode()
    assert made.provenance.started == made.provenance.finished == "2026-01-02T00:00:00+00:00"
    assert opened_with(IDENTITY, made) == record
    status = withheld(record).provenance
    assert (status.started, status.finished) == (made.provenance.started, made.provenance.finished)


def text_length(encrypted: bytes) -> int:
    """Bytes that were encrypted, as anybody can tell: a header in the clear, and chunks."""
    header = re.search(rb"\n--- [^\n]+\n", encrypted)
    assert header is not None
    payload = len(encrypted) - header.end() - 16
    return payload - 16 * -(-payload // (2**16 + 16))


def test_the_length_of_what_is_sealed_tells_no_score(hidden: Repository) -> None:
    """age encrypts a text, and not how long it is."""
    sealed = []
    for scores, log in (({"right": 1.0, "distance": 0.0}, ""), ({"right": 0.8125}, "x" * 500)):
        steps = [Step(step="scoring", wall_seconds=0.5, log=log)]
        record = whole(hidden).replace(scores=scores, steps=steps)
        sealed.append(
            base64.b64decode(encrypt_hidden(record, benchmark(hidden), RECIPIENT).sealed or "")
        )
        assert opened_with(IDENTITY, encrypt_hidden(record, benchmark(hidden), RECIPIENT)) == record
        sealed.append(close(to_json(record), RECIPIENT))
    assert {text_length(content) for content in sealed} == {4096}


def test_what_was_sealed_before_it_was_filled_up_is_still_opened(hidden: Repository) -> None:
    made = encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT)
    old = pyrage.encrypt(to_json(whole(hidden)), [recipient_of(RECIPIENT)])
    made = made.replace(sealed=base64.b64encode(old).decode())
    assert opened_with(IDENTITY, made) == whole(hidden)


def test_what_is_sealed_tells_nothing_more_in_the_clear(hidden: Repository) -> None:
    made = encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT)
    leak = made.replace(scores={"right": 0.8125})
    hidden.put(leak)
    with pytest.raises(UsageError, match="tells more than its board shows"):
        commit(hidden.path, utc_now())


@pytest.mark.parametrize(
    "rule", ["shows: status", "shows: status, feedback: private", "feedback_digits: 1"]
)
def test_who_has_the_key_sees_the_scores_of_a_phase_that_hides_them(
    small: Repository, rule: str
) -> None:
    small.replace(COMPETITION, "pullbench:\n", f"pullbench:\n  phases: {{0: {{{rule}}}}}\n")
    small.write("pyproject.toml", f'[tool.pullbench]\nseal = "{RECIPIENT}"\n')
    small.commit("A course")
    for name, cell in cells_of(small).items():
        scores = {"right": 0.8125 if "alice" in name else 0.4375, "distance": 0.25}
        if cell.id.benchmark == "adding":
            small.put(encrypt_hidden(record_of(cell, scores=scores), cell.benchmark, RECIPIENT))
    key = {SEAL_IDENTITY: IDENTITY}
    for verb in (
        ("leaderboard", "adding", "--format", "json", "--hidden"),
        ("leaderboard", "adding", "--format", "csv", "--hidden"),
        ("results", "adding", "--json", "--hidden"),
        ("log", "adding"), ("log", "adding", "--json"),
    ):  # fmt: skip
        done = small.pullbench(*verb, environment=key)
        assert done.returncode == 0, done.stderr
        assert "0.8125" in done.stdout, verb
        for environment in ({}, {SEAL_IDENTITY: make_keys()[1]}):
            without = small.pullbench(*verb, environment=environment)
            assert "0.8125" not in without.stdout + without.stderr, verb
        if "--hidden" in verb:
            public = small.pullbench(*verb[:-1], environment=key)
            assert "0.8125" not in public.stdout
    table = small.pullbench("results", "adding", "--hidden", environment=key).stdout
    first, second = (line.split()[:5] for line in table.splitlines()[2:4])
    assert first == ["1", "alice", "right", "0.81", "0.25"]
    assert second == ["2", "bob", "wrong", "0.44", "0.25"]


def test_a_run_that_sealed_its_records_is_shown_to_who_has_the_key(
    hidden: Repository, tmp_path: Path
) -> None:
    put_record(tmp_path, encrypt_hidden(whole(hidden), benchmark(hidden), RECIPIENT))
    shown = ("log", CELL, "--from", str(tmp_path))
    assert "0.8125" not in hidden.pullbench(*shown).stdout
    said = hidden.pullbench(*shown, environment={SEAL_IDENTITY: IDENTITY}).stdout
    assert f"{CELL}: finished, right 0.8125, distance 0.4375" in said
    board = ("leaderboard", "adding", "--task", "one", "--hidden", "--format", "csv", "--from")
    assert "0.8125" not in hidden.pullbench(*board, str(tmp_path)).stdout
    said = hidden.pullbench(*board, str(tmp_path), environment={SEAL_IDENTITY: IDENTITY}).stdout
    assert "1,alice,right," in said
    assert "0.8125,0.4375" in said
