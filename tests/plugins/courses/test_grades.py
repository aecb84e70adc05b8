"""The gradebook of a phase that shows no scores, beside one that is computed in another way.

Students, entries, times and scores are drawn by chance. The other computation reads git's log, the
notes of the ledger as JSON, and the sealed scores with the key: it shares no code with `grades`.
"""

import base64
import csv
import datetime as dt
import io
import json
import math
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyrage
import pytest

from evaluator.ci.ledger.attempts import AttemptNote, attempt_file
from evaluator.ci.ledger.versions import work_of
from evaluator.core.errors import Actor
from evaluator.core.formats.record import CellError, Reason
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.scores.sealing import encrypt_hidden
from evaluator.importing.private_parts import make_keys
from evaluator.plugins.courses.gradebook import FORMS
from evaluator.plugins.courses.verbs import FORMATS
from tests.ci.test_quotas import commit_at
from tests.records import cells_of, record_of
from tests.repository import Repository

BUNDLE = "benchmarks/adding/competition.yaml"
RECIPIENT, IDENTITY = make_keys()
END = dt.datetime(2026, 3, 20, 18, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
LEDGER = "pullbench-ledger"
SALT = "autumn-26"
ROSTER = "number,name,login,email\n"


class Course(Repository):
    """A benchmark whose scores are sealed, and a class list outside of it."""

    def begin(self, *, rule: str = "Force_Best", keys: str = "", more: str = "") -> "Course":
        self.with_bundle("small")
        self.git("rm", "-rq", "submissions")
        self.replace(BUNDLE, "start: 2020-01-01,", f"start: 2020-01-01, end: {END.isoformat()},")
        self.replace(BUNDLE, "Force_Latest_Multiple", rule)
        self.replace(
            BUNDLE, "\npullbench:\n",
            f"\npullbench:\n{more}  phases: {{0: {{shows: status, feedback: private{keys}}}}}\n",
        )  # fmt: skip
        self.write(
            "pyproject.toml",
            f'[tool.pullbench]\nseal = "{RECIPIENT}"\norganisers = ["olga"]\n\n'
            '[tool.pullbench.teams]\ncats = ["dora", "eve"]\n',
        )
        commit_at(self, END - 900 * HOUR)
        self.roster = self.path.parent / "roster.csv"
        return self

    def enter(
        self, who: str, name: str, at: dt.datetime, score: float | None, content: str = ""
    ) -> None:
        folder = f"submissions/adding/{who}/{name}"
        self.write(f"{folder}/submission.yaml", "kind: code\n")
        self.write(f"{folder}/main.py", f"print({name!r}, {content!r})\n")
        commit_at(self, at)
        error = CellError(
            actor=Actor.PARTICIPANT, reason=Reason.NO_SCORES, message="=it\nbroke", step="scoring"
        )
        for cell in cells_of(self).values():
            if (cell.id.participant, cell.id.submission) == (who, name):
                changes: dict[str, Any] = {"status": "failed", "scores": {}, "error": error}
                if score is not None:
                    on_task = score + (0.25 if cell.id.task == "two" else -0.25)
                    changes = {"scores": {"right": on_task, "distance": 0.0}}
                made = record_of(cell, **changes)
                self.put(encrypt_hidden(made, cell.benchmark, RECIPIENT))
        commit_at(self, at + HOUR / 60)

    def note(self, who: str, name: str, at: dt.datetime) -> None:
        """Keep in the ledger that CI handed out the cells of an entry."""
        snapshot = self.snapshot()
        (entry,) = [one for one in snapshot.submissions
                    if (one.participant, one.name) == (who, name)]  # fmt: skip
        work = work_of(snapshot.tree, entry)
        path, content = attempt_file(AttemptNote(
            submission=entry.id, phase=work.phase, kind=work.kind, content=work.content,
            received=at,
        ))  # fmt: skip
        here = self.git("rev-parse", "HEAD")
        if self.git("branch", "--list", LEDGER):
            self.git("checkout", "--quiet", LEDGER)
        else:
            self.git("checkout", "--quiet", "--orphan", LEDGER)
            self.git("rm", "-rq", "--force", ".")
        self.write(path, content)
        self.commit("A note")
        self.git("checkout", "--quiet", "-B", "main", here)

    def grades(self, roster: str, *options: str, key: str = IDENTITY) -> Any:
        self.roster.write_text(roster)
        return self.pullbench("grades", "adding", "--roster", str(self.roster), *options,
                              environment={SEAL_IDENTITY: key})  # fmt: skip


def table(done: Any) -> list[dict[str, str]]:
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path / "course")


def recompute(
    repo: Repository, who: list[str], days: int, minus: float, until: dict[str, dt.datetime]
) -> dict[str, Any]:
    """What a student reached, from git's log, the ledger's files and the key alone."""
    key = pyrage.x25519.Identity.from_str(IDENTITY)
    entries: dict[str, list[tuple[float | None, int]]] = {}
    everybody: list[tuple[float, str]] = []
    noted: dict[str, int] = {}
    if repo.git("branch", "--list", LEDGER):
        for path in repo.git("ls-tree", "-r", "--name-only", LEDGER, "attempts").splitlines():
            note = json.loads(repo.git("show", f"{LEDGER}:{path}"))
            moment = dt.datetime.fromisoformat(note["received"]).timestamp()
            noted[note["submission"]] = int(moment)
    for folder in sorted(repo.path.glob("submissions/adding/*/*")):
        name = folder.relative_to(repo.path / "submissions").as_posix()
        log = repo.git("log", "--format=%ct", "--", f"{folder}/main.py").split()
        at = noted.get(name, int(log[0]))
        scores = []
        for cell in json.loads((folder / "scores/main.json").read_text())["cells"]:
            assert "scores" not in cell
            plain = pyrage.decrypt(base64.b64decode(cell["sealed"]), [key])
            (line,) = json.loads(plain[plain.index(b"{") :])["cells"]
            scores.append(line.get("scores", {}).get("right"))
        score = None if None in scores else sum(scores) / len(scores)
        entries.setdefault(folder.parent.name, []).append((score, at))
        if score is not None:
            everybody.append((score, folder.parent.name))
    best: dict[str, float] = {}
    for score, person in everybody:
        best[person] = max(score, best.get(person, -1.0))
    found: dict[str, Any] = {}
    for person in who:
        mine = entries.get(person, [])
        due = max(END, until.get(person, END)).timestamp()
        counted = []
        for score, at in mine:
            begun = math.ceil(max(0.0, at - due) / 86400)
            if score is not None and begun <= days:
                counted.append((max(0.0, score - begun * minus), -max(0.0, at - due), score))
        grade, late, score = max(counted, default=(None, 0.0, None))
        found[person] = {
            "score": score,
            "grade": grade,
            "rank": 1 + sum(other > best[person] for other in best.values()) if counted else None,
            "attempts": len(mine),
            "last": max((at for _, at in mine), default=None),
            "late": -late / 3600,
        }
    return found


@pytest.mark.parametrize(("seed", "days", "minus"), [(1, 0, 0.0), (8, 2, 0.1), (3, 4, 0.25)])
def test_every_number_is_that_of_a_computation_beside_it(
    course: Course, seed: int, days: int, minus: float
) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    people = [f"student{number}" for number in range(8)]
    until = {person: END + chance.randrange(10, 60) * HOUR for person in people[:3]}
    digests = {sha256(f"{SALT}{person}".encode()).hexdigest(): person for person in people}
    listed = ", ".join(digests)
    more = ", ".join(f"{one}: {until[who]}" for one, who in digests.items() if who in until)
    late = f", late: {{days: {days}, minus: {minus}}}, until: {{{more}}}" if days else ""
    course.begin(more=f"  participants: {{salt: {SALT}, digests: [{listed}]}}\n", keys=late)
    plan = [
        (END - chance.randrange(-150, 150) * HOUR, person, f"try{number}",
         None if chance.random() < 0.2 else chance.randrange(2, 15) / 16)
        for person in people for number in range(chance.randrange(0, 5))
    ]  # fmt: skip
    for at, person, name, score in sorted(plan, key=lambda one: one[:3]):
        course.enter(person, name, at, score)
        if chance.random() < 0.5:
            course.note(person, name, at - chance.randrange(1, 90) * HOUR / 60)
    numbers = {person: f"{1000 + place:05}" for place, person in enumerate(people)}
    lines = [f'{numbers[person]},"Doe, {person.title()}",@{person},' for person in people]
    assert not [one for one in course.problems() if one.severity == "error"]
    rows = table(course.grades(ROSTER + "\n".join(lines) + "\n"))
    wanted = recompute(course, people, days, minus, until if days else {})
    assert [row["number"] for row in rows] == [*numbers.values()]
    graded = [one for one in wanted.values() if one["grade"] is not None]
    assert len(graded) >= 3
    if days:
        assert any(one["grade"] < one["score"] for one in graded), "nobody was late"
    for row in rows:
        one = wanted[row["login"]]
        given = {
            **{name: float(row[name]) if row[name] else None for name in ("score", "grade")},
            "rank": int(row["rank"]) if row["rank"] else None,
            "attempts": int(row["attempts"]),
            "last": dt.datetime.fromisoformat(row["last"]).timestamp() if row["last"] else None,
            "late": float(row["late_hours"]),
        }
        assert given == pytest.approx(one, abs=0.006), row
        assert bool(row["reason"]) == (one["score"] is None), row
        assert bool(row["submission"]) == (one["score"] is not None), row
        assert row["name"] == f"Doe, {row['login'].title()}"


def test_a_reason_is_told_where_nothing_counts(course: Course) -> None:
    course.begin()
    course.enter("dora", "one", END - 5 * HOUR, 0.5)
    course.enter("finn", "bad", END - 4 * HOUR, None)
    course.enter("zoe", "one", END - 3 * HOUR, 0.25)
    course.enter("olga", "one", END - 3 * HOUR, 0.75)
    done = course.grades("login,number,note\nEve,1,=x\ncats,2,\nfinn,3,\nnobody,4,\n,5,is ill\n")
    rows = {row["number"]: row for row in table(done)}
    # Of a team's members and the team itself, each has what any of them entered.
    assert [rows[one]["submission"] for one in "12"] == ["dora/one", "dora/one"]
    assert [rows[one]["score"] for one in "12"] == ["0.5", "0.5"]
    assert rows["1"]["note"] == "'=x"  # a spreadsheet must not evaluate it
    assert rows["3"]["reason"] == "failed: =it broke"
    assert rows["3"]["attempts"] == "1"
    assert rows["4"]["reason"] == "no entry"
    assert rows["5"]["reason"] == "the class list has no login"
    assert rows["5"]["note"] == "is ill"
    assert "1 participant with an entry is not in" in done.stderr
    assert "zoe" in done.stderr and "olga" not in done.stderr


def test_without_the_key_nothing_is_graded(course: Course) -> None:
    course.begin()
    course.enter("finn", "one", END - HOUR, 0.5)
    done = course.grades("number,login\n1,finn\n", key="")
    assert (done.returncode, done.stdout) == (2, "")
    assert "scores of phase 'Main' are sealed" in done.stderr
    assert SEAL_IDENTITY in done.stderr
    wrong = course.grades("number,login\n1,finn\n", key=make_keys()[1])
    assert (wrong.returncode, wrong.stdout) == (3, "")


def test_the_grades_of_a_commit_stay(course: Course) -> None:
    course.begin()
    course.enter("finn", "one", END - 9 * HOUR, 0.5)
    then = course.git("rev-parse", "HEAD")
    roster = "number,login\n1,finn\n"
    before = course.grades(roster, "--at", then).stdout
    course.enter("finn", "two", END - 8 * HOUR, 0.75)
    assert course.grades(roster, "--at", then).stdout == before
    assert table(course.grades(roster))[0]["score"] == "0.75"


@pytest.mark.parametrize(
    ("roster", "said"),
    [
        ("number,name\n1,Finn\n", "has no one column 'login'"),
        ("number,login\n1,finn\n1,dora\n", "has the number '1' twice"),
        ("number,login\n1\n", "has rows with more or fewer cells than its header"),
        ('number,login\n1,"finn\n', "cannot be read as CSV"),
    ],
)
def test_a_bad_class_list_is_refused(course: Course, roster: str, said: str) -> None:
    course.begin()
    done = course.grades(roster)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_canvas_finds_the_columns_that_it_asks_for(course: Course) -> None:
    """As lib/gradebook_importer.rb of Canvas reads a header and the row below it."""
    course.begin()
    course.enter("finn", "one", END - HOUR, 0.5)
    export = (
        "Student,ID,SIS User ID,SIS Login ID,Section,number,login\n"
        '"Doe, Finn",71,u-71,finn@uni.example,Group A,100071,finn\n'
        '"Roe, Ann",72,u-72,ann@uni.example,Group A,100072,ann\n'
    )
    done = course.grades(export, "--format", "canvas")
    header, points, *students = csv.reader(io.StringIO(done.stdout))
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Adding"]
    assert points == ["Points Possible", "", "", "", "", "1.0"]
    assert students == [
        ["Doe, Finn", "71", "u-71", "finn@uni.example", "Group A", "0.5"],
        ["Roe, Ann", "72", "u-72", "ann@uni.example", "Group A", ""],
    ]
    plain = course.grades("number,login,name\n100071,finn,Finn\n", "--format", "canvas")
    assert plain.stdout.splitlines()[2] == "Finn,,100071,,,0.5"


def test_moodle_finds_its_own_names(course: Course) -> None:
    course.begin()
    course.enter("finn", "one", END - HOUR, 0.5)
    done = course.grades("number,login,email\n71,finn,f@uni.example\n72,ann,\n", "--format",
                         "moodle")  # fmt: skip
    assert list(csv.reader(io.StringIO(done.stdout))) == [
        ["ID number", "Email address", "Adding", "Feedback for Adding"],
        ["71", "f@uni.example", "0.5", ""],
        ["72", "", "", "no entry"],
    ]


def test_a_platform_gets_no_scores_that_are_better_the_lower_they_are(course: Course) -> None:
    course.begin()
    course.replace(BUNDLE, "{title: Right, key: right, index: 0}",
                   "{title: Right, key: right, index: 0, sorting: asc}")  # fmt: skip
    course.enter("finn", "one", END - HOUR, 0.5)
    roster = "number,login\n1,finn\n"
    assert table(course.grades(roster))[0]["score"] == "0.5"
    done = course.grades(roster, "--format", "canvas")
    assert done.returncode == 2
    assert "'Right' is better the lower it is" in done.stderr


def test_each_form_is_offered() -> None:
    assert [*FORMS] == FORMATS
