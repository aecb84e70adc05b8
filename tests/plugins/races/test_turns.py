"""Races in turn: what is run, what is written of it, and who holds the record by it."""

import datetime as dt
import itertools
import json
import math
from collections.abc import Sequence

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.attachments import RACE_SUFFIX
from evaluator.core.formats.record import Record
from evaluator.plugins.races import turns as turns_module
from evaluator.plugins.races.page import _since, claim_marks, records_page
from evaluator.plugins.races.race_file import (
    Pair,
    RaceHead,
    Turns,
    lead_of,
    read_races,
)
from evaluator.plugins.races.turns import ALTERNATE_RACE
from tests.plugins.races.conftest import BUNDLE
from tests.plugins.races.conftest import Race as RaceRepository
from tests.plugins.races.race_files import STARTED, put_race, race_against
from tests.plugins.races.test_records import by_name, day, said
from tests.records import cells_of

ALTERNATE = "{beats: record, by: 0.01, p: 0.01, rerun: alternate}"
SCORER = """
import json, math, random, sys
from pathlib import Path
source, output = map(Path, sys.argv[1:])
found = int((source / "res" / "sum.txt").read_text())
wanted = int((source / "ref" / "sum.txt").read_text())
right = found / wanted * math.exp(random.SystemRandom().gauss(0, 0.001))
scores = {"right": right, "distance": abs(found - wanted), "token": 1}
(output / "scores.json").write_text(json.dumps(scores))
"""


def records_of(race: RaceRepository, name: str) -> list[Record]:
    found = sorted(race.records().items())
    return [one for key, one in found if key.startswith(f"adding/{name}/")]


def content_of(race: RaceRepository, name: str) -> str:
    return records_of(race, name)[0].keys.parts["submission"]


def run_against(
    race: RaceRepository, name: str, best: str, *races: Sequence[float | None], at: float = 0
) -> None:
    """Commit how races of ``participant/name`` went, from a day on, each a day after the other."""
    record = records_of(race, name)[0]
    content = b"".join(
        race_against(best, content_of(race, best), leads, STARTED + dt.timedelta(days=at + number))
        for number, leads in enumerate(races)
    )
    path = race.path / record.cell.attachment_path(RACE_SUFFIX)
    put_race(race.path, record, (path.read_bytes() if path.exists() else b"") + content)
    race.commit(f"{name} ran in turn")


@pytest.fixture
def turns(race: RaceRepository) -> RaceRepository:
    """Three entries with values that say the opposite of what their races will."""
    race.rule(ALTERNATE, "  exclusive: true\n")
    race.enter("alice/one", day(1), 0.9, 0.9)
    race.enter("bob/one", day(2), 0.1, 0.1)
    race.enter("carol/one", day(3), 0.99, 0.99)
    return race


AHEAD, LEVEL, BEHIND = [0.05] * 8, [0.0, 0.001, -0.001, 0.0, 0.001, 0.002, 0.001, 0.0], [-0.05] * 8


def test_pairs_decide_and_values_do_not(turns: RaceRepository) -> None:
    run_against(turns, "bob/one", "alice/one", [0.07] * 8, AHEAD)
    run_against(turns, "carol/one", "bob/one", LEVEL, at=2)
    found = by_name(turns.board)
    assert [name for name, one in found.items() if not one.fault] == ["alice", "bob"]
    assert found["bob"].margin == pytest.approx(1 - math.exp(-0.05))  # of the race that confirms
    assert found["bob"].since == STARTED + dt.timedelta(days=1)
    assert found["bob"].p is not None and found["bob"].p <= 0.01
    assert said(found["bob"]) == (
        "bob is a new record. alice held the record. Its lead in Right is 4.9% (4.9% to 4.9%), "
        "after 8 pairs in turn on one machine, p 0.0088."
    )
    assert "an attempt, not a record: it is not shown to be 1% better" in said(found["carol"])


def test_one_race_makes_a_claim_and_the_record_stays_where_it_was(turns: RaceRepository) -> None:
    run_against(turns, "bob/one", "alice/one", AHEAD)
    found = by_name(turns.board)
    assert [name for name, one in found.items() if not one.fault] == ["alice"]
    assert said(found["bob"]).startswith(
        "bob is to be confirmed as a record by a second race, from 2026-03-10 00:00 UTC on. alice "
        "held the record. Its lead in Right is 4.9%"
    )
    assert [*claim_marks(turns.board)] == ["adding/bob/one"]
    shown = records_page([turns.board])
    assert shown is not None
    assert [line[-1] for line in shown.tables[1].lines] == [
        found["carol"].fault, found["bob"].fault,
    ]  # fmt: skip
    entries = json.loads(shown.files["records.json"])["phases"][0]["entries"]
    assert [(one["record"], one["claim"]) for one in entries] == [
        (True, False), (False, True), (False, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("second", "fault"),
    [
        (LEVEL, "a second race did not confirm it: it is not shown to be 1% better"),
        ([0.05, None, None], "a second race did not confirm it: 2 of its runs failed"),
        ([], "to be confirmed as a record by a second race, from 2026-03-11 00:00 UTC on"),
    ],
)
def test_nobody_gets_a_third_race(
    turns: RaceRepository, second: list[float | None], fault: str
) -> None:
    """Nor one on the same day. What did not end, as the machine failed, is no race."""
    run_against(turns, "bob/one", "alice/one", AHEAD)
    run_against(turns, "bob/one", "alice/one", AHEAD, at=0.9)
    run_against(turns, "bob/one", "alice/one", second, at=1)
    bob = by_name(turns.board)["bob"]
    assert bob.fault == fault
    assert bool(claim_marks(turns.board)) == (second == [])
    run_against(turns, "bob/one", "alice/one", AHEAD, AHEAD, at=2)
    assert by_name(turns.board)["bob"].fault == (fault if second else "")


def test_the_same_files_under_another_name_get_no_further_race(turns: RaceRepository) -> None:
    run_against(turns, "bob/one", "alice/one", AHEAD, LEVEL)
    turns.enter("dave/one", day(4), 0.5, 0.5, program="bob/one")
    assert content_of(turns, "dave/one") == content_of(turns, "bob/one")
    run_against(turns, "dave/one", "alice/one", AHEAD, AHEAD, at=2)
    found = by_name(turns.board)
    assert "did not confirm" in found["bob"].fault
    assert found["dave"].fault == "another entry came first with the same files"
    assert not claim_marks(turns.board)


def test_who_gets_no_race_is_told_why(
    turns: RaceRepository, capsys: pytest.CaptureFixture[str]
) -> None:
    turns.enter("dave/one", day(4), 0.5, 0.5, program="bob/one")
    turns.enter("erin/one", day(5), 0.5, 0.5, program="alice/one")
    run_against(turns, "bob/one", "alice/one", AHEAD, AHEAD)
    run_against(turns, "carol/one", "bob/one", LEVEL, at=2)

    def told(name: str) -> str:
        cell = next(one for key, one in cells_of(turns).items() if f"/{name}/" in key)
        records = records_of(turns, f"{name}/one")
        ALTERNATE_RACE.run(turns.snapshot(), cell, records, lambda _: pytest.fail("it ran"))
        return capsys.readouterr().out

    bob, alice = "adding/bob/one", "adding/alice/one"
    assert told("bob") == f"{bob} holds the record: there is nobody else to race against\n"
    assert told("dave").startswith(f"adding/dave/one has the same files as {bob}, which holds ")
    assert told("alice") == f"{alice} held the record before: it gets no further race\n"
    assert told("erin").startswith(f"adding/erin/one has the same files as {alice}, which held ")
    assert "has raced, and no further race counts against the present record" in told("carol")


def test_whom_a_second_race_confirms_first_holds_the_record(turns: RaceRepository) -> None:
    """Two claims wait; carol's, which came later, is confirmed: bob has to beat carol now."""
    run_against(turns, "bob/one", "alice/one", AHEAD)
    run_against(turns, "carol/one", "alice/one", AHEAD, AHEAD, at=0.5)
    run_against(turns, "bob/one", "alice/one", AHEAD, at=1.6)  # began against who held it before
    found = by_name(turns.board)
    assert [name for name, one in found.items() if not one.fault] == ["alice", "carol"]
    assert found["bob"].fault == (
        "to be confirmed by races with who took the record meanwhile, from 2026-03-10 00:00 UTC on"
    )
    run_against(turns, "bob/one", "carol/one", [], at=2)  # the machine failed
    assert "from 2026-03-12 00:00 UTC on" in by_name(turns.board)["bob"].fault
    run_against(turns, "bob/one", "carol/one", AHEAD, [0.03] * 8, at=3)
    found = by_name(turns.board)
    records = sorted((one for one in found.values() if not one.fault), key=_since)
    assert [one.row.submission.participant for one in records] == ["alice", "carol", "bob"]
    assert found["bob"].margin == pytest.approx(1 - math.exp(-0.03))


def test_what_was_won_against_a_withdrawn_entry_is_to_be_won_again(turns: RaceRepository) -> None:
    run_against(turns, "bob/one", "alice/one", AHEAD, AHEAD)
    run_against(turns, "carol/one", "bob/one", AHEAD, AHEAD, at=2)
    assert not by_name(turns.board)["carol"].fault
    turns.git("rm", "-rq", "submissions/adding/bob")
    turns.commit("bob is withdrawn")
    found = by_name(turns.board)
    assert [name for name, one in found.items() if not one.fault] == ["alice"]
    assert found["carol"].fault == "it has not run in turn with the entry that held the record"
    run_against(turns, "carol/one", "alice/one", AHEAD, AHEAD, at=4)
    assert not by_name(turns.board)["carol"].fault


@pytest.mark.parametrize("leads", [[], [0.05] * 7, [0.05, None] * 2, [-0.05] * 8])
def test_a_race_that_shows_nothing_makes_no_record(
    turns: RaceRepository, leads: list[float | None]
) -> None:
    run_against(turns, "bob/one", "alice/one", leads)
    assert by_name(turns.board)["bob"].fault


def test_a_noisy_machine_is_named_and_not_the_entry(turns: RaceRepository) -> None:
    run_against(turns, "bob/one", "alice/one", [0.25, -0.15, 0.2, -0.1] * 7 + [0.2, -0.1])
    fault = by_name(turns.board)["bob"].fault
    assert "too noisy to decide: pairs differ by 17" in fault and "of 30 at most" in fault


def test_who_has_run_with_somebody_else_holds_no_record(turns: RaceRepository) -> None:
    run_against(turns, "bob/one", "alice/one", AHEAD, AHEAD)
    run_against(turns, "carol/one", "alice/one", AHEAD, AHEAD, at=2)  # bob holds it by then
    found = by_name(turns.board)
    assert not found["bob"].fault
    assert found["carol"].fault == "it has not run in turn with the entry that held the record"
    other = [race_against("bob/one", "0" * 64, AHEAD, STARTED + dt.timedelta(n)) for n in (2, 3)]
    put_race(turns.path, records_of(turns, "carol/one")[0], b"".join(other))
    assert by_name(turns.board)["carol"].fault
    run_against(turns, "carol/one", "bob/one", AHEAD, AHEAD, at=4)
    assert not by_name(turns.board)["carol"].fault


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}\n",
        race_against("a/b", "", [0.1]).replace(b'"best":1', b'"best":0'),
        race_against("a/b", "", [0.1]).replace(b'"best":1', b'"best":1e999'),
        race_against("a/b", "", [0.1]) + b"[]\n",
        race_against("a/b", "", [0.1]).partition(b"\n")[2],
        race_against("a/b", "", [0.1], dt.datetime.max.replace(tzinfo=dt.UTC)),
        race_against("a/b", "", [0.1]).replace(b"00:00:00Z", b"00:00:00"),
    ],
)
def test_a_damaged_file_is_no_race(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_races(content)


def test_a_task_that_was_withdrawn_since_counts_for_nothing() -> None:
    pair = [
        Turns(task="one", first="best", challenger=1, best=2),
        Turns(task="two", first="challenger", challenger=4, best=1),
    ]
    assert lead_of(pair, {"one": 1, "two": 3}, "asc") == pytest.approx(-1.25 * math.log(2))
    assert lead_of(pair, {"one": 1}, "asc") == pytest.approx(math.log(2))


def test_an_entry_of_a_pull_request_runs_in_turn_with_the_best_of_all(
    race: RaceRepository,
) -> None:
    """A pull request is read without the entries of others; a race needs them."""
    race.rule(ALTERNATE, "  exclusive: true\n")
    race.replace(BUNDLE, "tasks: [0, 1], execution", "tasks: [0], execution")
    race.write("benchmarks/adding/scoring_program/scoring.py", SCORER)

    def enter(name: str, factor: int) -> None:
        program = f"def add(numbers):\n    return sum(numbers) * {factor}\n"
        race.write(f"submissions/adding/{name}/one/main.py", program)
        race.write(f"submissions/adding/{name}/one/submission.yaml", "kind: code\n")
        race.commit(name)

    enter("alice", 100)
    race.run(engine="subprocess", lanes=1)
    race.commit("Scores")
    main = race.git("branch", "--show-current")
    race.git("checkout", "-q", "-b", "entry")
    enter("bob", 105)
    race.git("checkout", "-q", main)
    done = race.pullbench(
        "run", "--base", main, "--head", "entry", "--remote", "", "--engine", "subprocess",
        "--output", str(race.path / "build/records"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (file,) = race.path.glob(f"build/records/**/bob/one/scores/**/*{RACE_SUFFIX}")
    ((head, pairs),) = read_races(file.read_bytes())
    assert head.best == "alice/one" and len(pairs) >= 8


@pytest.mark.docker
def test_entries_run_in_turn_and_the_faster_one_holds_the_record(
    race: RaceRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real containers: a first entry, one that is 5 % better, and a copy of that."""
    race.rule(ALTERNATE, "  exclusive: true\n")
    race.replace(BUNDLE, "tasks: [0, 1], execution", "tasks: [0], execution")
    race.write("benchmarks/adding/scoring_program/scoring.py", SCORER)
    for name, factor in (("alice", 100), ("bob", 105), ("carol", 105)):
        folder = f"submissions/adding/{name}/one"
        program = f"def add(numbers):\n    return sum(numbers) * {factor}  # {name}\n"
        race.write(f"{folder}/main.py", program)
        race.write(f"{folder}/submission.yaml", "kind: code\n")
        race.commit(name)
    race.run(lanes=1)
    race.commit("Scores")
    found = by_name(race.board)
    assert [name for name, one in found.items() if not one.fault] == ["alice"]
    assert [name for name, one in found.items() if one.is_claim] == ["bob", "carol"]
    assert found["bob"].margin == pytest.approx(1 - 100 / 105, abs=0.01)

    def races_of(name: str) -> list[tuple[RaceHead, list[Pair]]]:
        (file,) = race.path.glob(f"submissions/adding/{name}/one/scores/**/*{RACE_SUFFIX}")
        return read_races(file.read_bytes())

    ((_, pairs),) = races_of("bob")
    assert len(pairs) >= 8
    assert {turns.first for pair in pairs for turns in pair} == {"challenger", "best"}
    assert race.plan().missing == ()
    assert race.problems() == []
    again = race.pullbench("reproduce", "adding/bob")  # a check of scores is no race
    assert "run in turn" not in again.stdout + again.stderr
    assert "adding/bob/one" in again.stdout

    def confirm(days: int, *names: str) -> None:
        later, calls = utc_now() + dt.timedelta(days=days), itertools.count()
        # No two races start at once, as on a machine that runs them one after the other.
        monkeypatch.setattr(
            turns_module, "utc_now", lambda: later + dt.timedelta(seconds=next(calls))
        )
        race.run(*(f"adding/{name}" for name in names), lanes=1, fresh=True)
        race.commit("Scores")

    confirm(0, "bob")
    assert len(races_of("bob")) == 1  # too early, and the first race stays
    assert ALTERNATE_RACE.due(race.snapshot(), utc_now()) == []
    later = utc_now() + dt.timedelta(days=1, minutes=1)
    assert ALTERNATE_RACE.due(race.snapshot(), later) == ["adding/bob/one", "adding/carol/one"]
    confirm(2, "bob", "carol")
    found = by_name(race.board)
    assert [name for name, one in found.items() if not one.fault] == ["alice", "bob"]
    assert [[head.best for head, _ in races_of(name)] for name in ("bob", "carol")] == [
        ["alice/one"] * 2, ["alice/one", "bob/one"],
    ]  # fmt: skip
    assert found["carol"].fault == "it is not shown to be 1% better"
    assert ALTERNATE_RACE.due(race.snapshot(), later + dt.timedelta(days=9)) == []
    confirm(9, "bob", "carol")
    assert [len(races_of(name)) for name in ("bob", "carol")] == [2, 2]
