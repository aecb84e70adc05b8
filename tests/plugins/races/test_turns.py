"""Races in turn: what is run, what is written of it, and who holds the record by it."""

import math
from collections.abc import Sequence

import pytest

from evaluator.core.formats.record import Record
from evaluator.plugins.races.race_file import (
    SUFFIX,
    Turns,
    lead_of,
    read_race,
)
from tests.plugins.races.conftest import BUNDLE
from tests.plugins.races.conftest import Race as RaceRepository
from tests.plugins.races.race_files import put_race, race_against
from tests.plugins.races.test_records import by_name, day, said

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


def run_against(race: RaceRepository, name: str, best: str, leads: Sequence[float | None]) -> None:
    """Commit how the race of ``participant/name`` went, beside its first record."""
    content = race_against(best, content_of(race, best), leads)
    put_race(race.path, records_of(race, name)[0], content)
    race.commit(f"{name} ran in turn")


@pytest.fixture
def turns(race: RaceRepository) -> RaceRepository:
    """Three entries with values that say the opposite of what their races will."""
    race.rule(ALTERNATE, "  exclusive: true\n")
    race.enter("alice/one", day(1), 0.9, 0.9)
    race.enter("bob/one", day(2), 0.1, 0.1)
    race.enter("carol/one", day(3), 0.99, 0.99)
    return race


def test_pairs_decide_and_values_do_not(turns: RaceRepository) -> None:
    run_against(turns, "bob/one", "alice/one", [0.05] * 8)
    run_against(turns, "carol/one", "bob/one", [0.0, 0.001, -0.001, 0.0, 0.001, 0.002, 0.001, 0.0])
    found = by_name(turns.board)
    assert [name for name, one in found.items() if not one.fault] == ["alice", "bob"]
    assert found["bob"].margin == pytest.approx(1 - math.exp(-0.05))
    assert found["bob"].p is not None and found["bob"].p <= 0.01
    assert said(found["bob"]) == (
        "bob is a new record. alice held the record. Its lead in Right is 4.9% (4.9% to 4.9%), "
        "after 8 pairs in turn on one machine, p 0.0088."
    )
    assert "an attempt, not a record: it is not shown to be 1% better" in said(found["carol"])


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
    run_against(turns, "bob/one", "alice/one", [0.05] * 8)
    run_against(turns, "carol/one", "alice/one", [0.5] * 8)  # bob holds it by then
    found = by_name(turns.board)
    assert not found["bob"].fault
    assert found["carol"].fault == "it has not run in turn with the entry that held the record"
    of_other = race_against("bob/one", "0" * 64, [0.5] * 8)  # other files of bob's
    put_race(turns.path, records_of(turns, "carol/one")[0], of_other)
    assert by_name(turns.board)["carol"].fault
    run_against(turns, "carol/one", "bob/one", [0.5] * 8)
    assert not by_name(turns.board)["carol"].fault


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}\n",
        race_against("a/b", "", [0.1]).replace(b'"best":1', b'"best":0'),
        race_against("a/b", "", [0.1]).replace(b'"best":1', b'"best":1e999'),
        race_against("a/b", "", [0.1]) + b"[]\n",
    ],
)
def test_a_damaged_file_is_no_race(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_race(content)


def test_a_task_that_was_withdrawn_since_counts_for_nothing() -> None:
    pair = [
        Turns(task="one", first="best", challenger=1, best=2),
        Turns(task="two", first="challenger", challenger=4, best=1),
    ]
    assert lead_of(pair, {"one": 1, "two": 3}, "asc") == pytest.approx(-1.25 * math.log(2))
    assert lead_of(pair, {"one": 1}, "asc") == pytest.approx(math.log(2))


@pytest.mark.docker
def test_entries_run_in_turn_and_the_faster_one_holds_the_record(race: RaceRepository) -> None:
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
    assert [name for name, one in found.items() if not one.fault] == ["alice", "bob"]
    assert found["bob"].margin == pytest.approx(1 - 100 / 105, abs=0.01)
    files = {
        name: [*race.path.glob(f"submissions/adding/{name}/one/scores/**/*{SUFFIX}")]
        for name in found
    }
    assert [len(paths) for paths in files.values()] == [0, 1, 1]
    _, pairs = read_race(files["bob"][0].read_bytes())
    assert len(pairs) >= 8
    assert {turns.first for pair in pairs for turns in pair} == {"challenger", "best"}
    assert race.plan().missing == ()
    assert race.problems() == []
    again = race.pullbench("reproduce", "adding/bob")  # a check of scores is no race
    assert "run in turn" not in again.stdout + again.stderr
    assert "adding/bob/one" in again.stdout
