"""Quotas, windows and migration, from what git records."""

import datetime as dt
import os

import pytest

from evaluator.core.errors import Actor
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.plan import Plan, make_local_plan
from tests.core.planning.test_stages import ALL_OF_CAROL
from tests.records import cells_of, failed, record_of, write_records
from tests.repository import Repository

COMPETITION = "benchmarks/adding/competition.yaml"
NOON = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


@pytest.fixture
def board(small: Repository) -> Repository:
    """Two submissions a day and three in all; only alice's first is there."""
    small.replace(
        COMPETITION, "execution_time_limit: 3}",
        "execution_time_limit: 3, max_submissions_per_day: 2, max_submissions: 3}",
    )  # fmt: skip
    small.git("rm", "-rq", "submissions/adding/bob", "submissions/echo", "submissions/adding/alice")
    commit_at(small, NOON - dt.timedelta(days=10))
    return small


def commit_at(repo: Repository, moment: dt.datetime) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", moment.isoformat())
        # Whatever a participant writes here counts for nothing.
        patch.setenv("GIT_AUTHOR_DATE", "2001-01-01T00:00:00+00:00")
        assert os.environ["GIT_COMMITTER_DATE"]
        repo.git("add", "--all")
        repo.git("commit", "--quiet", "--allow-empty", "--message", "A change")


def enter(
    repo: Repository,
    name: str,
    moment: dt.datetime,
    content: str = "",
    who: str = "alice",
    mail: str = "",
) -> None:
    sheet = f"fact_sheet: {{email: {mail}}}\n" if mail else ""
    repo.write(f"submissions/adding/{who}/{name}/submission.yaml", f"kind: code\n{sheet}")
    repo.write(f"submissions/adding/{who}/{name}/main.py", f"# {name} {content}\n")
    commit_at(repo, moment)


def plan(repo: Repository, now: dt.datetime = NOON + dt.timedelta(days=30)) -> Plan:
    return make_local_plan(repo.snapshot(), now)


def refused(repo: Repository) -> dict[str, str]:
    return {item.submission.name: item.reason for item in plan(repo).refused}


def record(repo: Repository, name: str, actor: Actor | None = None) -> None:
    for cell in cells_of(repo).values():
        if cell.id.submission == name:
            made = record_of(cell)
            repo.put(failed(made, actor) if actor else made)


def test_the_third_of_a_day_is_refused_and_says_so(board: Repository) -> None:
    for hour, name in enumerate(("one", "two", "three")):
        enter(board, name, NOON + dt.timedelta(hours=hour))
    assert list(refused(board)) == ["three"]
    assert (
        "number 3 of alice within 24 hours; the limit is 2 in any 24 hours"
        in refused(board)["three"]
    )
    assert {item.cell.id.submission for item in plan(board).missing} == {"one", "two"}


def test_a_day_is_any_24_hours_wherever_midnight_lies(board: Repository) -> None:
    evening = dt.datetime(2026, 3, 1, 23, 50, tzinfo=dt.UTC)
    for minute, name in ((0, "one"), (5, "two"), (20, "after-midnight")):
        enter(board, name, evening + dt.timedelta(minutes=minute))
    assert list(refused(board)) == ["after-midnight"]
    assert plan(board).refused[0].hint.endswith("submit it on 2026-03-02 23:50 UTC or later.")


def test_the_fourth_in_all_is_refused(board: Repository) -> None:
    for day, name in enumerate(("one", "two", "three", "four")):
        enter(board, name, NOON + dt.timedelta(days=day))
    assert list(refused(board)) == ["four"]
    assert "the limit is 3" in refused(board)["four"]


def test_what_has_a_record_was_accepted_and_stays(board: Repository) -> None:
    for hour, name in enumerate(("one", "two", "three")):
        enter(board, name, NOON + dt.timedelta(hours=hour))
    record(board, "three")
    commit_at(board, NOON + dt.timedelta(hours=9))
    assert refused(board) == {}


@pytest.mark.parametrize("actor", Actor)
def test_a_failure_is_the_same_attempt_whoever_must_act(board: Repository, actor: Actor) -> None:
    """What is nobody's own fault is evaluated again, as often as it takes, and is no other."""
    enter(board, "one", NOON)
    record(board, "one", actor)
    commit_at(board, NOON + dt.timedelta(minutes=5))
    enter(board, "two", NOON + dt.timedelta(hours=1))
    enter(board, "three", NOON + dt.timedelta(hours=2))
    assert list(refused(board)) == ["three"]
    again = {item.cell.id.submission for item in plan(board).missing}
    assert again == ({"one", "two"} if actor == Actor.PLATFORM else {"two"})


def test_new_content_in_an_old_place_is_a_new_attempt(board: Repository) -> None:
    for hour in range(3):
        enter(board, "one", NOON + dt.timedelta(hours=hour), content=str(hour))
    assert list(refused(board)) == ["one"]


def test_records_and_descriptions_are_no_attempts(board: Repository) -> None:
    enter(board, "one", NOON)
    record(board, "one")
    commit_at(board, NOON + dt.timedelta(minutes=1))
    for minute in range(2, 6):
        text = f"kind: code\ndescription: Number {minute}\n"
        board.write("submissions/adding/alice/one/submission.yaml", text)
        commit_at(board, NOON + dt.timedelta(minutes=minute))
    enter(board, "two", NOON + dt.timedelta(hours=1))
    assert refused(board) == {}


def test_cancelling_frees_nothing(board: Repository) -> None:
    for hour, name in enumerate(("one", "two", "three")):
        enter(board, name, NOON + dt.timedelta(hours=hour))
    board.write("submissions/adding/alice/one/submission.yaml", "kind: code\ncancelled: true\n")
    commit_at(board, NOON + dt.timedelta(hours=4))
    assert list(refused(board)) == ["three"]
    assert {item.cell.id.submission for item in plan(board).missing} == {"two"}


def test_what_was_cancelled_from_the_first_is_no_attempt(board: Repository) -> None:
    board.write("submissions/adding/alice/one/submission.yaml", "kind: code\ncancelled: true\n")
    board.write("submissions/adding/alice/one/main.py", "# one\n")
    commit_at(board, NOON)
    for hour, name in enumerate(("two", "three")):
        enter(board, name, NOON + dt.timedelta(hours=hour))
    assert refused(board) == {}


def test_a_merge_counts_once_and_on_its_own_day(board: Repository) -> None:
    enter(board, "one", NOON)
    enter(board, "two", NOON + dt.timedelta(hours=1))
    board.git("switch", "--quiet", "--create", "entry")
    for minute in range(3):  # several commits with forged dates, one merge
        enter(board, "three", NOON - dt.timedelta(days=2 + minute), content=str(minute))
    board.git("switch", "--quiet", "main")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", (NOON + dt.timedelta(hours=2)).isoformat())
        board.git("merge", "--quiet", "--no-ff", "--message", "Merge", "entry")
    assert list(refused(board)) == ["three"]
    assert "number 3" in refused(board)["three"]


def test_after_the_end_of_a_phase_nothing_enters(board: Repository) -> None:
    board.replace(COMPETITION, "start: 2020-01-01,", "start: 2020-01-01, end: 2026-03-01,")
    commit_at(board, NOON - dt.timedelta(days=9))
    enter(board, "early", NOON - dt.timedelta(days=1))
    enter(board, "late", NOON)
    assert list(refused(board)) == ["late"]
    assert "after phase 'Main' had ended on 2026-03-01 00:00 UTC" in refused(board)["late"]


SHEET = """
fact_sheet:
  email: {key: email, type: text, title: E-mail, selection: "", is_required: "true"}
"""
MONDAY = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


@pytest.fixture
def weekly(board: Repository) -> Repository:
    """One submission a week; whoever gives the same address counts together."""
    board.replace(COMPETITION, ", max_submissions_per_day: 2, max_submissions: 3}", "}")
    board.replace(
        COMPETITION, "\npullbench:\n",
        "\npullbench:\n  phases: {0: {max_submissions_per_week: 1}}\n  quota_by: email\n",
    )  # fmt: skip
    board.write(COMPETITION, (board.path / COMPETITION).read_text() + SHEET)
    commit_at(board, MONDAY - 30 * DAY)
    return board


def test_a_week_is_any_seven_days(weekly: Repository) -> None:
    """Sunday 23:50 and Monday 00:10 are twenty minutes apart, not a week."""
    minutes = dt.timedelta(minutes=10)
    enter(weekly, "sunday", MONDAY - minutes, mail="a@lab.edu")
    enter(weekly, "monday", MONDAY + minutes, mail="a@lab.edu")
    enter(weekly, "next-sunday", MONDAY + 7 * DAY - minutes, mail="a@lab.edu")
    assert refused(weekly) == {
        "monday": "is number 2 of alice within seven days; the limit is 1 in any seven days",
        # What is refused counts until it is withdrawn, as everything does that came.
        "next-sunday": "is number 2 of alice within seven days; the limit is 1 in any seven days",
    }
    assert plan(weekly).refused[0].hint.endswith("submit it on 2026-03-08 23:50 UTC or later.")


def test_after_seven_days_the_next_one_counts(weekly: Repository) -> None:
    enter(weekly, "one", MONDAY - 7 * DAY, mail="a@lab.edu")
    enter(weekly, "two", MONDAY, mail="a@lab.edu")
    assert refused(weekly) == {}


def test_two_participants_with_one_address_count_together(weekly: Repository) -> None:
    enter(weekly, "one", MONDAY, who="alice", mail="Lab@Uni.edu")
    enter(weekly, "two", MONDAY + DAY, who="bob", mail="lab@uni.EDU ")
    enter(weekly, "three", MONDAY + DAY, who="carol", mail="carol@uni.edu")
    assert refused(weekly) == {
        "two": "is number 2 of bob and who gives the same 'email' within seven days; "
        "the limit is 1 in any seven days"
    }
    # and without the rule each counts alone
    weekly.replace(COMPETITION, "  quota_by: email\n", "")
    commit_at(weekly, MONDAY + 2 * DAY)
    assert refused(weekly) == {}


def test_another_address_is_no_second_participant(weekly: Repository) -> None:
    enter(weekly, "one", MONDAY, mail="a@uni.edu")
    enter(weekly, "two", MONDAY + DAY, mail="b@uni.edu")
    assert list(refused(weekly)) == ["two"]


def test_a_corrected_address_frees_nobody(weekly: Repository) -> None:
    enter(weekly, "one", MONDAY, who="alice", mail="lab@uni.edu")
    record(weekly, "one")
    commit_at(weekly, MONDAY + DAY)
    text = "kind: code\nfact_sheet: {email: other@uni.edu}\n"
    weekly.write("submissions/adding/alice/one/submission.yaml", text)
    commit_at(weekly, MONDAY + 2 * DAY)
    enter(weekly, "two", MONDAY + 3 * DAY, who="bob", mail="lab@uni.edu")
    enter(weekly, "three", MONDAY + 4 * DAY, who="carol", mail="other@uni.edu")
    assert set(refused(weekly)) == {"two", "three"}


def test_an_address_must_be_there_to_be_counted(weekly: Repository) -> None:
    enter(weekly, "one", MONDAY, mail='"  "')
    (problem,) = weekly.problems()
    assert (problem.key, problem.actor) == ("fact_sheet.email", Actor.PARTICIPANT)


PHASES = """\
phases:
  - {index: 0, name: First, start: 2020-01-01, end: 2026-04-01, tasks: [0], execution_time_limit: 3}
  - {index: 1, name: Second, start: 2026-04-01, tasks: [1], auto_migrate_to_this_phase: true,
     max_submissions: 1}
"""


@pytest.fixture
def phases(board: Repository) -> Repository:
    text = (board.path / COMPETITION).read_text()
    head, _, rest = text.partition("phases:\n")
    board.write(COMPETITION, head + PHASES + "\nleaderboards:" + rest.partition("leaderboards:")[2])
    commit_at(board, NOON - dt.timedelta(days=8))
    for day, name in enumerate(("one", "two")):
        board.write(
            f"submissions/adding/alice/{name}/submission.yaml", "kind: code\nphase: first\n"
        )
        board.write(f"submissions/adding/alice/{name}/main.py", f"# {name}\n")
        commit_at(board, NOON + dt.timedelta(days=day))
    return board


def cells(repo: Repository, now: dt.datetime) -> set[str]:
    return {str(item.cell.id).removeprefix("adding/alice/") for item in plan(repo, now).missing}


def test_the_last_submission_is_carried_into_the_next_phase(phases: Repository) -> None:
    before, after = NOON, NOON + dt.timedelta(days=60)
    assert cells(phases, before) == {"one/first/one", "two/first/one"}
    assert cells(phases, after) == {"one/first/one", "two/first/one", "two/second/two"}


def test_the_chosen_submission_is_carried(phases: Repository) -> None:
    phases.write(
        "submissions/adding/alice/two/submission.yaml",
        "kind: code\nphase: first\nleaderboard: false\n",
    )
    commit_at(phases, NOON + dt.timedelta(days=3))
    assert "one/second/two" in cells(phases, NOON + dt.timedelta(days=60))


def test_the_board_of_the_next_phase_has_who_was_carried(phases: Repository) -> None:
    now = NOON + dt.timedelta(days=60)
    board = leaderboard(phases.snapshot(), "adding", phase="second", task=None, now=now)
    assert [row.submission.name for row in board.rows] == ["two"]


def test_another_environment_is_another_attempt(small: Repository) -> None:
    """The same files in each of many environments would be many tries for one."""
    small.git("rm", "-rq", "submissions/adding/bob", "submissions/echo", "submissions/adding/alice")
    small.replace(
        "benchmarks/adding/competition.yaml", "execution_time_limit: 3",
        "execution_time_limit: 3, max_submissions: 2",
    )  # fmt: skip
    for name in ("a", "b"):
        small.write(f"benchmarks/adding/environments/{name}/Dockerfile", "FROM python:3.11-slim\n")
    commit_at(small, NOON - dt.timedelta(days=10))
    enter(small, "one", NOON)
    for hours, name in ((1, "a"), (2, "b")):
        small.write(
            "submissions/adding/alice/one/submission.yaml", f"kind: code\nenvironment: {name}\n"
        )
        commit_at(small, NOON + dt.timedelta(hours=hours))
    assert "the limit is 2" in refused(small)["one"]


def test_parts_are_nobodys_attempts(repo: Repository) -> None:
    repo.with_bundle("staged")
    write_records(repo)
    repo.commit("Records")
    repo.replace(
        "benchmarks/staged/competition.yaml",
        "execution_time_limit: 5",
        "execution_time_limit: 5, max_submissions: 1",
    )
    for name, cell in cells_of(repo).items():
        if "/carol/" in name and cell.id.task in ALL_OF_CAROL - {"twenty"}:
            repo.take_off(cell.id)
    repo.commit("One each")
    made = repo.plan()
    assert not made.refused
    assert len(made.missing) == len(ALL_OF_CAROL) - 1
    repo.write("submissions/staged/carol/undo/submission.yaml", "")
    repo.write("submissions/staged/carol/undo/cut/number.txt", "9\n")
    repo.commit("A second")
    assert [one.submission.name for one in repo.plan().refused] == ["undo"]
