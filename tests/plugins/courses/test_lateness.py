"""Late days and one person's deadline: who may enter, what it costs, and what readers see."""

import datetime as dt
import re
from hashlib import sha256
from pathlib import Path

import pytest

from evaluator.core.formats.columns import Column
from evaluator.plugins.courses.lateness import with_late_policy
from tests.ci.test_quotas import plan
from tests.plugins.courses.test_grades import BUNDLE, END, HOUR, SALT, Course, table

DAY = 24 * HOUR
LATE = ", late: {days: 2, minus: 0.1}"


def salted(name: str) -> str:
    return sha256(f"{SALT}{name}".encode()).hexdigest()


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path / "course")


def with_more_time_for_ada(course: Course, keys: str = LATE) -> Course:
    more = (
        f"  participants: {{salt: {SALT}, digests: [{salted('ada')}, {salted('bob')}, "
        f"{salted('eve')}]}}\n"
    )
    return course.begin(
        more=more, keys=f"{keys}, until: {{{salted('ada')}: {(END + 3 * DAY).isoformat()}}}"
    )


def entry(course: Course, who: str, at: dt.datetime) -> None:
    """Enter something that has no record, as a plan finds it."""
    course.write(f"submissions/adding/{who}/one/submission.yaml", "kind: code\n")
    course.write(f"submissions/adding/{who}/one/main.py", f"print({who!r})\n")
    from tests.ci.test_quotas import commit_at

    commit_at(course, at)


def test_a_phase_takes_entries_until_the_late_days_are_over(course: Course) -> None:
    with_more_time_for_ada(course)
    for who, hours in (("bob", 47), ("eve", 49), ("ada", 119), ("ADA", 121)):
        entry(course, who, END + hours * HOUR)
    made = plan(course, END + 30 * DAY)
    assert {one.cell.submission.participant for one in made.missing} == {"bob", "ada"}
    refused = {one.submission.participant: one.reason for one in made.refused}
    assert refused.keys() == {"eve", "ADA"}
    # Each refusal has the time at which the phase closed for this participant.
    assert "had ended on 2026-03-22 18:00 UTC" in refused["eve"]
    assert "had ended on 2026-03-25 18:00 UTC" in refused["ADA"]


def test_without_a_late_policy_nothing_late_is_taken(course: Course) -> None:
    course.begin()
    entry(course, "bob", END + HOUR)
    made = plan(course, END + 30 * DAY)
    assert not made.missing
    assert [one.submission.participant for one in made.refused] == ["bob"]


def test_enter_and_validate_know_who_still_may(course: Course) -> None:
    soon = dt.datetime.now(dt.UTC).replace(microsecond=0) - DAY
    with_more_time_for_ada(course, ", late: {days: 1, minus: 0.1}")
    course.replace(BUNDLE, END.isoformat(), (soon - HOUR).isoformat())
    course.replace(BUNDLE, (END + 3 * DAY).isoformat(), (soon + DAY / 2).isoformat())
    course.commit("The end was a day ago")
    closed = "no phase of adding is open"
    assert closed in course.pullbench("enter", "adding", "--as", "bob/one").stdout
    assert closed not in course.pullbench("enter", "adding", "--as", "ada/one").stdout
    for who in ("ada", "bob"):
        course.write(f"submissions/adding/{who}/one/main.py", "print(1)\n")
        said = course.pullbench("validate", f"adding/{who}").stdout
        assert ("which ended on" in said) == (who == "bob"), said


def test_the_board_shows_the_whole_score_and_the_gradebook_what_is_left(course: Course) -> None:
    with_more_time_for_ada(course)
    course.enter("bob", "one", END + 25 * HOUR, 0.75)
    course.enter("ada", "one", END + 25 * HOUR, 0.75)
    rows = table(course.grades("number,login,why\n1,bob,\n2,ada,she was ill\n"))
    assert [(row["score"], row["grade"], row["late_hours"]) for row in rows] == [
        ("0.75", "0.55", "25.0"),
        ("0.75", "0.75", "0.0"),
    ]
    assert [row["rank"] for row in rows] == ["1", "1"]
    assert rows[1]["why"] == "she was ill"
    board = course.pullbench("leaderboard", "adding", "--hidden")
    assert "0.55" not in board.stdout
    canvas = course.grades("number,login\n1,bob\n", "--format", "canvas").stdout
    assert canvas.endswith(",0.55\n")
    bundle = (course.path / BUNDLE).read_text()
    assert "ada" not in bundle and "ill" not in bundle


def test_the_best_grade_counts_and_not_the_best_score(course: Course) -> None:
    with_more_time_for_ada(course)
    course.enter("bob", "early", END - HOUR, 0.625)
    course.enter("bob", "late", END + 25 * HOUR, 0.75)
    course.enter("eve", "late", END + 49 * HOUR, 0.75)
    bob, eve = table(course.grades("number,login\n1,bob\n2,eve\n"))
    assert (bob["submission"], bob["grade"]) == ("bob/early", "0.625")
    assert (eve["grade"], eve["reason"]) == ("", "came 49.0 hours late")


@pytest.mark.parametrize(
    ("score", "hours", "sorting", "grade"),
    [
        (0.5, 0, "desc", 0.5), (0.5, 1, "desc", 0.4), (0.5, 24, "desc", 0.4),
        (0.5, 25, "desc", 0.3), (0.05, 48, "desc", 0.0), (-0.5, 48, "desc", -0.5),
        (0.5, 49, "desc", None), (0.5, 25, "asc", 0.7), (0.0, 1, "asc", 0.1),
    ],
)  # fmt: skip
def test_what_a_day_costs(
    course: Course, score: float, hours: int, sorting: str, grade: float | None
) -> None:
    with_more_time_for_ada(course)
    course.replace(BUNDLE, "{title: Right, key: right, index: 0}",
                   f"{{title: Right, key: right, index: 0, sorting: {sorting}}}")  # fmt: skip
    benchmark = course.snapshot().benchmarks["adding"]
    column: Column = benchmark.leaderboard.primary
    found = with_late_policy(score, hours * HOUR, benchmark.phases[0], column)
    assert found == (None if grade is None else pytest.approx(grade))


def test_a_class_list_has_the_deadlines(course: Course) -> None:
    course.begin(keys=LATE)
    course.roster.write_text(
        "number,login,until main,why\n1,Ada,2026-03-23 18:00,ill\n2,bob,,\n3,,2026-03-23,\n"
    )
    done = course.pullbench("participants", "adding", "--roster", str(course.roster))
    assert done.returncode == 0, done.stderr
    assert not [one for one in course.problems() if one.severity == "error"]
    phase = course.snapshot().benchmarks["adding"].phases[0]
    (digest,) = phase.of_plugins["until"]
    assert phase.of_plugins["until"][digest] == END + 3 * DAY
    course.roster.write_text("number,login,until main\n1,ada,\n2,bob,\n")
    course.pullbench("participants", "adding", "--roster", str(course.roster))
    assert not course.snapshot().benchmarks["adding"].phases[0].of_plugins["until"]
    course.roster.write_text("number,login,until main\n1,ada,next week\n")
    done = course.pullbench("participants", "adding", "--roster", str(course.roster))
    assert done.returncode == 2
    assert re.search(r"roster.csv: 'until main' of 1: must be a date", done.stderr)


@pytest.mark.parametrize(
    ("keys", "end", "said"),
    [
        (LATE, False, "has no end"),
        (f", until: {{{'a' * 64}: 2026-04-01}}", True, "names digests that are not in"),
        (", late: {days: 0, minus: 0.1}", True, "greater than or equal to 1"),
        (", late: {days: 1, minus: 0}", True, "greater than 0"),
        (", until: {ada: 2026-04-01}", True, "should match pattern"),
        (LATE, True, ""),
    ],
)
def test_a_deadline_that_says_nothing_is_a_mistake(
    course: Course, keys: str, end: bool, said: str
) -> None:
    course.begin(keys=keys)
    if not end:
        course.replace(BUNDLE, f" end: {END.isoformat()},", "")
    errors = [one.message for one in course.problems() if one.severity == "error"]
    assert any(said in one for one in errors) if said else not errors, errors
