"""The commands of *A course in an afternoon* do what the page says, in the order of the page."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.formats.settings import SEAL_IDENTITY
from tests.test_commands_of_pages import PAGES, blocks, run

PAGE = "site/organisers/course.md"
ENDED = "echo '=== ended'"


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What each heading's commands printed, and the folder in which they ran."""
    start = tmp_path_factory.mktemp("afternoon") / "here"
    start.mkdir()
    text = PAGES[PAGE].read_text(encoding="utf-8")
    parts = re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    lines: list[str] = []
    headings = []
    for heading, part in parts:
        if able := [block.text for block in blocks(PAGE, part) if not block.why_not]:
            headings.append(heading)
            lines += [*able, ENDED]
    # What was rehearsed is graded: there is no other entry.
    out = run(start, "\n".join(lines).replace("git switch -q main\n", ""))
    return dict(zip(headings, out.split("=== ended\n"), strict=False)), start.parent


@pytest.mark.docker
def test_the_template_is_whole_and_tells_nothing(said: Any) -> None:
    _, folder = said
    course, private = folder / "course", folder / "exercises-private"
    assert private.stat().st_mode & 0o777 == 0o700
    bundle = (course / "benchmarks/exercises/competition.yaml").read_text()
    assert "# its author reads the score" in bundle  # comments stay
    keys = dict(line.split("=") for line in (private / "keys.env").read_text().splitlines())
    assert set(keys) == {SEAL_IDENTITY, "PULLBENCH_DATA_IDENTITY", "DATA_KEY"}
    roster = list(csv.DictReader((private / "roster.csv").read_text().splitlines()))
    secret = [keys[SEAL_IDENTITY], keys["PULLBENCH_DATA_IDENTITY"]]
    secret += [row[name] for row in roster for name in ("email", "name")]
    secret += [(private / f"{n}/truth.csv").read_text() for n in (1, 2)]
    for path in course.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            content = path.read_bytes()
            assert not [one for one in secret if one.encode() in content], path
    scores = json.loads(
        (course / "submissions/exercises/example/first/scores/exercise-1.json").read_text()
    )
    assert "scores" not in scores["cells"][0]


@pytest.mark.docker
def test_what_the_commands_print(said: Any) -> None:
    printed, folder = said
    assert "3 participants, 0 added, 0 removed" in printed["Your class"]
    (digest,) = re.findall(r"^[0-9a-f]{64}$", printed["Your exercises"], re.M)
    bundle = (folder / "course/benchmarks/exercises/competition.yaml").read_text()
    assert digest in bundle
    tried = printed["Try it"]
    assert "refused: has 0 rows" in tried
    hidden, shown = tried.split("Exercises: Exercise 1\n")[2], tried.split("Exercises:")[1]
    assert "0.500" in hidden and "0.500" not in shown
    assert re.search(r"^1001,ada,.*,ill,ada/first,0\.375,0\.375,\d,1,", tried, re.M)
    outcomes = json.loads(
        (folder / "course/benchmarks/exercises/controls/outcomes.json").read_text()
    )
    assert len(outcomes) == 8


@pytest.mark.docker
def test_the_gradebooks_have_what_the_tables_say(said: Any) -> None:
    _, folder = said
    private = folder / "exercises-private"
    page = PAGES[PAGE].read_text(encoding="utf-8")
    columns = re.findall(r"^\| (`.*?`(?:, `.*?`)*) \| .* \|$", page.partition("## Grades")[2], re.M)
    ours = [name for row in columns for name in re.findall(r"`(\w+)`", row)]
    (ada, *others) = csv.DictReader((private / "grades.csv").read_text().splitlines())
    assert [*ada][-len(ours) :] == ours
    assert ada["grade"] == "0.375" and ada["why"] == "ill"
    assert [row["reason"] for row in others] == ["no entry"] * 2
    canvas = list(csv.reader((private / "canvas.csv").read_text().splitlines()))
    assert canvas[0][:5] == re.findall(r"`([^`]+)`", page.partition("| Canvas:")[2])[:5]
    assert canvas[0][5:] == ["Exercise 1"]
    assert canvas[2] == ["Lovelace, Ada", "", "1001", "", "", "0.375"]
    moodle = list(csv.reader((private / "moodle.csv").read_text().splitlines()))
    assert moodle[0] == ["ID number", "Email address", "Exercise 1", "Feedback for Exercise 1"]
    assert moodle[1] == ["1001", "ada@uni.example", "0.375", ""]


@pytest.mark.docker
def test_the_course_is_valid_with_its_controls_and_entries(said: Any) -> None:
    _, folder = said
    checked = run(folder / "course", "git switch -q main\npullbench validate")
    assert "1 benchmark, 1 submission" in checked and "0 errors, 0 warnings" in checked
    again = run(folder / "course", "! pullbench init exercises --template course 2>&1")
    assert "is there already" in again


def test_a_course_of_a_deployment_that_seals_keeps_its_key(repo: Any) -> None:
    seal = run(repo.path, "pullbench keygen").splitlines()[0].partition(" = ")[2]
    settings = f'[tool.pullbench]\nseal = "{seal}"\n'
    repo.write("pyproject.toml", settings)
    done = repo.pullbench("init", "autumn", "--template", "course")
    assert done.returncode == 0, done.stderr
    assert (repo.path / "pyproject.toml").read_text() == settings
    keys: Path = repo.path.parent / "autumn-private/keys.env"
    assert SEAL_IDENTITY not in keys.read_text()
    assert not [one for one in repo.problems() if one.severity == "error"]
