"""Who holds the record: by arrival, margin and certainty."""

import datetime as dt

import pytest

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.races.contender import Contender, _shown
from evaluator.plugins.races.contenders import compare
from evaluator.plugins.races.plugin import PLUGIN
from tests.plugging import leave_out
from tests.plugins.races.conftest import BUNDLE, Race

DAY = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


def day(number: int) -> str:
    return (DAY + dt.timedelta(days=number)).isoformat()


def by_name(board: PublicBoard) -> dict[str, Contender]:
    return {one.row.submission.participant: one for one in compare(board)}


def said(one: Contender) -> str:
    return one.sentence(lambda row: row.submission.participant, lambda v, d: f"{v:.{d}f}")


def test_records_and_attempts_in_order_of_arrival(race: Race) -> None:
    race.rule("{beats: record, by: 0.005}")
    race.enter("dave/one", day(4), 0.92, 0.92)
    race.enter("alice/one", day(1), 0.90, 0.90)
    race.enter("bob/one", day(2), 0.904, 0.904)
    race.enter("carol/one", day(3), 0.908, 0.908)
    found = by_name(race.board)
    assert list(found) == ["alice", "bob", "carol", "dave"]
    assert [name for name, one in found.items() if not one.fault] == ["alice", "dave"]
    # Not of the record before it, which carol exceeds by 0.008, but of all that arrived before.
    assert found["carol"].margin == pytest.approx(0.004)
    assert said(found["alice"]) == "alice is the first entry with a value, so it holds the record."
    assert said(found["bob"]) == (
        "bob is an attempt, not a record: the margin must exceed 0.005. The best that arrived "
        "before it is alice with Right 0.900; it has 0.904, margin 0.004."
    )
    assert "dave is a new record." in said(found["dave"])


def test_a_margin_that_is_exactly_what_is_asked_for_is_too_small(race: Race) -> None:
    """As people write numbers: 0.905 - 0.9 is more than 0.005 in floats."""
    race.rule("{beats: record, by: 0.005}")
    race.enter("alice/one", day(1), 0.9, 0.9)
    race.enter("bob/one", day(2), 0.905, 0.905)
    assert 0.905 - 0.9 > 0.005
    assert by_name(race.board)["bob"].fault == "the margin must exceed 0.005"


def test_less_is_better_where_the_column_says_so(race: Race) -> None:
    race.rule("{beats: record, by: 1}")
    race.replace(BUNDLE, "index: 0}\n", "index: 0, sorting: asc}\n")
    race.enter("alice/one", day(1), 10, 10)
    race.enter("bob/one", day(2), 12, 12)
    race.enter("carol/one", day(3), 8.5, 8.5)
    found = by_name(race.board)
    assert [one.margin for one in found.values()] == [None, -2, 1.5]
    assert not found["carol"].fault


def test_certainty_over_runs_of_tasks(race: Race) -> None:
    race.rule("{beats: record, by: 0.005, p: 0.01}", "  repeats: 4\n")
    race.enter("alice/one", day(1), *[0.90, 0.91, 0.92, 0.93] * 2)
    race.enter("bob/one", day(2), *[0.90, 0.93, 0.96, 0.99] * 2)
    race.enter("carol/one", day(3), *[0.96, 0.93, 0.99, 1.0] * 2)
    race.enter("dave/one", day(4), *[1.0, 1.01, 1.02, 1.03] * 2)
    found = by_name(race.board)
    bob, carol, dave = found["bob"], found["carol"], found["dave"]
    assert bob.margin == pytest.approx(0.03)
    assert bob.certainty and bob.certainty.units == 8
    # Of 256 ways to turn eight signs, four leave the two runs that are behind by 0.005 alone.
    assert bob.certainty.p_more == 4 / 256
    assert "an attempt, not a record: p must be at most 0.004, 0.4 of 0.01" in said(bob)
    assert said(bob).endswith("margin 0.03, p 0.016 over 8 runs of tasks.")
    # It has to beat the lucky attempt that came before it, not the record.
    assert carol.best is bob and carol.fault
    assert dave.certainty and dave.certainty.p_more == 1 / 256 and not dave.fault


def test_p_has_the_digits_that_tell_it_from_the_limit() -> None:
    assert _shown(0.00403, 0.004) == "0.00403"
    assert _shown(0.00399, 0.004) == "0.004"
    assert _shown(1 / 64, 0.004) == "0.016"


def test_equal_values_are_the_earlier_entrys(race: Race) -> None:
    """They differ by less than any value does."""
    race.rule("{beats: record}")
    race.enter("alice/one", day(1), 0.3, 0.3)
    race.enter("bob/one", day(2), 0.1 + 0.2, 0.1 + 0.2)
    race.enter("carol/one", day(3), 0.4, 0.4)
    found = by_name(race.board)
    assert found["bob"].fault
    assert found["carol"].best is found["alice"]


def test_too_few_runs_never_tell(race: Race) -> None:
    race.rule("{beats: record, p: 0.05}")
    race.enter("alice/one", day(1), 0.1, 0.1)
    race.enter("bob/one", day(2), 0.9, 0.9)
    bob = by_name(race.board)["bob"]
    assert bob.fault == "2 runs of tasks are too few to show p 0.05: it takes 6"


def test_runs_that_never_differ_are_no_proof(race: Race) -> None:
    """Without spread, two repeats of a task showed a lead of any size for certain."""
    race.rule("{beats: record, p: 0.01}", "  repeats: 3\n")
    race.enter("alice/one", day(1), *[0.0] * 6)
    race.enter("bob/one", day(2), *[1.0] * 6)
    bob = by_name(race.board)["bob"]
    assert bob.certainty and bob.certainty.p_more == 1 / 64
    assert bob.fault == "6 runs of tasks are too few to show p 0.01: it takes 8"


def test_what_has_no_value_is_no_entry(race: Race) -> None:
    race.rule("{beats: record}")
    race.enter("alice/one", day(1), 0.1, 0.1)
    race.write("submissions/adding/bob/one/submission.yaml", "kind: code\n")
    race.write("submissions/adding/bob/one/main.py", "")
    race.commit("Not evaluated")
    assert list(by_name(race.board)) == ["alice"]


def test_who_is_disqualified_holds_no_record(race: Race) -> None:
    race.rule("{beats: record, by: 0.1}")
    race.enter("alice/one", day(1), 0.9, 0.9)
    race.enter("bob/one", day(2), 0.5, 0.5)
    assert by_name(race.board)["bob"].fault
    race.pullbench("disqualify", "adding/alice/one", "--reason", "It read the answers.")
    race.commit("Disqualified")
    assert not by_name(race.board)["bob"].fault


def test_equal_times_go_by_the_ledger_and_then_by_name(race: Race) -> None:
    race.rule("{beats: record}")
    race.enter("bob/one", day(1), 0.9, 0.9)
    race.enter("alice/one", day(1), 0.8, 0.8)
    assert [one.row.submission.participant for one in compare(race.board)] == ["alice", "bob"]
    order = {"adding/bob/one/": 0, "adding/alice/one": 1, "adding/bob/one": 0}
    arrivals = {name: (DAY + dt.timedelta(days=1), place) for name, place in order.items()}
    found = compare(race.board, arrivals)
    assert [one.row.submission.participant for one in found] == ["bob", "alice"]


def test_without_the_rule_nothing_is_compared(race: Race) -> None:
    race.enter("alice/one", day(1), 0.9, 0.9)
    assert compare(race.board) == ()


@pytest.mark.parametrize(
    ("accept", "old", "new", "said"),
    [
        (
            "{beats: record, p: 0.01}",
            "",
            "",
            "p 0.01 takes 8 runs of tasks, and in phase 'Main' there are 2",
        ),
        ("{beats: record}", "key: results\n", "key: results\n    hidden: true\n", "are hidden"),
        ("{beats: record}", "  extra:", "  phases: {0: {shows: status}}\n  extra:", "are hidden"),
        ("{beats: record}", "  extra:", "  aggregate: mean_rank\n  extra:", "has no records"),
        ("{by: 0.1}", "", "", "is missing"),
        ("{beats: record, p: 0.9}", "", "", "less than 0.5"),
    ],
)
def test_mistakes_in_a_bundle(race: Race, accept: str, old: str, new: str, said: str) -> None:
    race.rule(accept)
    race.replace(BUNDLE, old, new) if old else None
    (problem,) = [one for one in race.problems() if "accept" in (one.key or "")]
    assert said in problem.message
    assert problem.file == BUNDLE


def test_without_the_plugin_its_key_is_ignored(race: Race, monkeypatch: pytest.MonkeyPatch) -> None:
    race.rule("{beats: record}")
    assert "pullbench.accept" not in {one.key for one in race.problems()}
    leave_out(monkeypatch, PLUGIN)
    assert "pullbench.accept" in {one.key for one in race.problems()}
    race.enter("alice/one", day(1), 0.9, 0.9)
    assert compare(race.board) == ()


@pytest.mark.parametrize(("repeats", "p", "is_possible"), [
    (4, 0.01, True), (3, 0.01, False), (3, 0.05, True), (2, 0.05, False), (1000, 0.0001, False),
])  # fmt: skip
def test_validate_says_if_no_record_is_possible(
    race: Race, repeats: int, p: float, is_possible: bool
) -> None:
    race.rule(f"{{beats: record, by: 0.005, p: {p}}}", f"  repeats: {repeats}\n")
    assert is_possible != bool([one for one in race.problems() if "accept" in (one.key or "")])


RATIO = "  exclusive: true\n  columns: {right: {ratio: true}}\n"


@pytest.mark.parametrize(
    ("accept", "more", "key", "said"),
    [
        ("p: 0.01", RATIO, ".p", "knows nothing of machines, and 'Right' depends on them"),
        ("p: 0.01, rerun: alternate", RATIO, None, ""),
        ("rerun: alternate", RATIO, ".rerun", "needs 'p'"),
        ("p: 0.01, by: 0.5, rerun: alternate", RATIO, ".by", "must be below 0.5"),
        ("p: 0.01, rerun: alternate", "", ".rerun", "on which nothing else runs"),
    ],
)
def test_values_that_machines_change_take_a_race_in_turn(
    race: Race, accept: str, more: str, key: str | None, said: str
) -> None:
    race.rule(f"{{beats: record, {accept}}}", f"  repeats: 4\n{more}")
    found = [one for one in race.problems() if "accept" in (one.key or "")]
    assert [one.key for one in found] == ([f"pullbench.accept{key}"] if key else [])
    assert all(said in one.message and one.severity == "error" for one in found)
