"""A failed cell shows why, at once and again later."""

import json
import time
from pathlib import Path

import pytest

from evaluator.core.log import long_step
from evaluator.importing.private_parts import make_keys
from tests.repository import Repository

MINE = "submissions/adding/alice/right"
CELL = "adding/alice/right"


@pytest.mark.parametrize(
    ("program", "last"),
    [
        ("raise ValueError('the answer is 42')\n", "ValueError: the answer is 42"),
        ("import no_such_package\n", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("if True print()\n", "SyntaxError: invalid syntax"),
        ("import sys\nsys.exit('no data for me')\n", "no data for me"),
        ("open('nowhere.csv')\n", "FileNotFoundError: [Errno 2] No such file or directory"),
    ],
)
def test_a_failed_cell_shows_the_end_of_its_log(
    small: Repository, environments: Path, program: str, last: str
) -> None:
    small.share_environments(environments)
    small.write(f"{MINE}/main.py", program)
    done = small.pullbench("run", CELL, "--engine", "subprocess")
    assert (
        "failed, exited with an error: ended with exit code 1 [participant must act]" in done.stdout
    )
    assert f"    | {last}" in done.stdout
    name = next(line for line in done.stdout.splitlines() if "More: pullbench log" in line)
    again = small.pullbench("log", name.split()[-1])
    assert again.returncode == 0
    assert f"    | {last}" in again.stdout
    assert f"scores: {MINE}/scores/main.json" in again.stdout


def test_what_the_organiser_hides_is_in_no_log(small: Repository, environments: Path) -> None:
    small.share_environments(environments)
    small.replace(
        "benchmarks/adding/competition.yaml", "tasks: [0, 1],", "tasks: [0, 1], hide_output: true,"
    )
    small.write(f"{MINE}/main.py", "raise ValueError('the answer is 42')\n")
    small.commit("Hide")
    done = small.pullbench("run", CELL, "--engine", "subprocess")
    assert "failed" in done.stdout
    again = small.pullbench("log", CELL)
    assert "the answer is 42" not in done.stdout + again.stdout


def test_a_cell_without_a_record_is_named(small: Repository) -> None:
    done = small.pullbench("log", "adding/alice/wrong")
    assert done.returncode == 2
    assert "there is no record of 'adding/alice/wrong'" in done.stderr
    assert "`pullbench run` makes records; " in done.stderr


@pytest.mark.docker
def test_what_ci_prints_and_uploads_holds_no_score_where_attempts_are_limited(
    small: Repository, tmp_path: Path
) -> None:
    """Before finish: what is uploaded can be opened by the organisers' key alone."""
    public, secret = make_keys()
    small.write("pyproject.toml", f'[tool.pullbench]\nseal = "{public}"\n')
    small.replace(
        "benchmarks/adding/competition.yaml", "tasks: [0, 1],", "tasks: [0, 1], max_submissions: 1,"
    )
    # Another participant's first content: a second one of bob's would be beyond the limit.
    (small.path / "submissions/adding/bob").rename(small.path / "submissions/adding/zoe")
    small.write("submissions/adding/zoe/wrong/main.py", "raise ValueError('the answer is 42')\n")
    small.commit("Limit")
    summary, folder = tmp_path / "summary", tmp_path / "records"
    done = small.pullbench(
        "run", "adding", "--output", str(folder / "records-one"),
        environment={"CI": "true", "GITHUB_STEP_SUMMARY": str(summary)},
    )  # fmt: skip
    said = done.stdout + done.stderr + (summary.read_text() if summary.exists() else "")
    assert f"{CELL}/main/one: finished; more is said when its record is accepted" in said
    assert "adding/zoe/wrong/main/one: failed [participant must act]" in said
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 4
    said += "".join(path.read_bytes().decode("latin-1") for path in files)
    for text in ("right 1", '"right"', "distance 0", "the answer is 42"):
        assert text not in said
    collect = ("commit", "--from", str(folder))
    assert "PULLBENCH_IDENTITY is not in the environment" in small.pullbench(*collect).stderr
    other = small.pullbench(*collect, environment={"PULLBENCH_IDENTITY": make_keys()[1]})
    assert other.returncode == 2  # nothing of it can be read
    done = small.pullbench(*collect, environment={"PULLBENCH_IDENTITY": secret})
    assert done.returncode == 0, done.stderr
    assert small.git("show", f"main:{MINE}/scores/main.json").count('"right":1') == 2


def test_a_trial_at_home_prints_its_scores(
    small: Repository, environments: Path, tmp_path: Path
) -> None:
    """It is nobody's attempt, and nobody else reads the terminal."""
    small.share_environments(environments)
    small.write("pyproject.toml", f'[tool.pullbench]\nseal = "{make_keys()[0]}"\n')
    small.commit("A key")
    done = small.pullbench("run", CELL, "--engine", "subprocess", "--output", str(tmp_path / "try"))
    assert f"{CELL}/main/one: right 1" in done.stdout
    assert (tmp_path / "try" / MINE / "scores/main.json").exists()


@pytest.mark.slow
@pytest.mark.docker
def test_an_image_build_says_that_it_runs_and_shows_its_last_lines(
    small: Repository,
) -> None:
    image = "localhost/pullbench-test-failing:1"
    small.replace("benchmarks/adding/competition.yaml", "python:3.11-slim", image)
    words = "; ".join(f"echo line $(({number} + 1000))" for number in range(30))
    small.write(
        "benchmarks/adding/Dockerfile",
        f"FROM python:3.11-slim\nRUN sleep 7; {words}; exit 100\n",
    )
    small.commit("A broken image")
    done = small.pullbench("run", "adding")
    lines = done.stdout.splitlines()
    assert lines[0] == f"the image '{image}' is being built"
    assert lines[1].startswith(f"the image '{image}' is being built, for ")
    assert " s now: Step 2/3 : RUN sleep 7; echo line" in lines[1]
    assert "cannot be built: exit code 100 in Step 2/3 : RUN sleep 7" in done.stdout
    assert "    line 1029\n    More: pullbench log adding/" in done.stdout
    assert "    line 1010\n" in done.stdout
    assert "line 1009" not in done.stdout
    # Once at length; the other three cells of this image say that it is the same.
    assert done.stdout.count("line 1029") == 1
    assert done.stdout.count("[organiser must act], as above") == 3
    again = small.pullbench("log", f"{CELL}/main/one")
    assert "image cannot be built" in again.stdout
    assert "    line 1029\n" in again.stdout


@pytest.mark.docker
def test_a_dockerfile_with_a_mistake_is_quoted(small: Repository) -> None:
    image = "localhost/pullbench-test-mistaken:1"
    small.replace("benchmarks/adding/competition.yaml", "python:3.11-slim", image)
    small.write("benchmarks/adding/Dockerfile", "FROM python:3.11-slim\nRUM echo\n")
    done = small.pullbench("run", "adding/alice/right/main/one")
    assert "dockerfile parse error line 2: unknown instruction: RUM" in done.stdout


def test_what_lasts_is_said_ever_more_seldom(capsys: pytest.CaptureFixture[str]) -> None:
    with long_step("the thing is being made", first=0.05) as at:
        at("step one")
        time.sleep(0.5)
    first, *others = capsys.readouterr().out.splitlines()
    assert first == "the thing is being made"
    assert 2 <= len(others) <= 4  # after 0.05, 0.15 and 0.35 s
    assert others[0] == "the thing is being made, for 0 s now: step one"


def test_what_a_trial_points_to_shows_its_log(
    small: Repository, environments: Path, tmp_path: Path
) -> None:
    small.share_environments(environments)
    small.write(f"{MINE}/main.py", "raise ValueError('the answer is 42')\n")
    output = ("--output", str(tmp_path / "try"), "--engine", "subprocess")
    done = small.pullbench("run", f"{CELL}/main/one", *output)
    more = done.stdout.split("More: pullbench ")[1].splitlines()[0].split()
    assert more == ["log", f"{CELL}/main/one", "--from", str(tmp_path / "try")]
    again = small.pullbench(*more)
    assert again.returncode == 0, again.stderr
    assert "    | ValueError: the answer is 42" in again.stdout
    without = small.pullbench("log", CELL)
    assert "    | ValueError: the answer is 42" in without.stdout
    (tmp_path / "try").rename(tmp_path / "elsewhere")
    without = small.pullbench("log", CELL)
    assert "those that it wrote with --output are read with --from." in without.stderr


@pytest.mark.slow
def test_a_try_says_its_rank_and_is_found_without_being_told_where(
    small: Repository, environments: Path
) -> None:
    small.share_environments(environments)
    small.run("adding", engine="subprocess")
    small.commit("Scores")
    entry = "submissions/adding/zoe/first"
    small.write(f"{entry}/submission.yaml", "kind: code\n")
    small.write(f"{entry}/main.py", (small.path / MINE / "main.py").read_bytes())
    place = small.path.parent / "try"
    done = small.pullbench("run", "adding/zoe", "--engine", "subprocess", "--output", str(place))
    rank = "adding/zoe/first: would be rank 1 of 3 on the board of Main, Right 1.00"
    assert rank in done.stdout.splitlines()
    assert f"records: {place}/{entry}/scores/main.json" in done.stdout
    assert "  pullbench leaderboard adding --from    shows the board" in done.stdout
    assert small.status.splitlines() == ["?? submissions/adding/zoe/"]
    # The board of the working tree is what it was; the try is on it where somebody asks.
    for source, first in ([], None), (["--from"], 1), (["--from", str(place)], 1):
        board = small.pullbench("leaderboard", "adding", "--format", "json", *source)
        rows = {row["participant"]: row["rank"] for row in json.loads(board.stdout)["rows"]}
        assert rows["zoe"] == first, source
    log = small.pullbench("log", "adding/zoe/first/main/one")
    assert log.returncode == 0, log.stderr
    assert f"from {place}, where what was run last is" in log.stdout
    assert "adding/zoe/first/main/one: finished" in log.stdout
    # Of what the last run did not evaluate the records of the working tree are shown.
    assert "from " not in small.pullbench("log", CELL).stdout
    # A run into the working tree is the last one then.
    small.pullbench("run", "adding/zoe", "--engine", "subprocess")
    assert "from " not in small.pullbench("log", "adding/zoe").stdout
    none = small.pullbench("leaderboard", "adding", "--from")
    assert (none.returncode, "no last run has records of adding" in none.stderr) == (2, True)
    nowhere = small.pullbench("leaderboard", "adding", "--from", "nowhere")
    assert (nowhere.returncode, "there is no folder nowhere" in nowhere.stderr) == (2, True)


def test_who_has_no_rank_reads_why(small: Repository, environments: Path) -> None:
    small.share_environments(environments)
    small.replace("benchmarks/adding/competition.yaml", "Force_Latest_Multiple", "Force_Best")
    programs = {
        "failing": "import urllib.request\nurllib.request.urlopen('http://x.invalid')\n",
        "worse": "def add(numbers):\n    return 0\n",
    }
    for name, program in programs.items():
        small.write(f"submissions/adding/alice/{name}/submission.yaml", "kind: code\n")
        small.write(f"submissions/adding/alice/{name}/main.py", program)
    done = small.pullbench("run", "adding/alice", "--engine", "subprocess", "--output", "build/try")
    failed = small.pullbench(
        "run", "adding/alice/failing", "--engine", "subprocess", "--output", "build/no"
    )
    assert "It looked for a host, and programs have no network." in failed.stdout
    assert "shows the board" not in failed.stdout
    assert "adding/alice/worse: no rank: the rule Force_Best lists another" in done.stdout


def test_a_try_says_no_rank_of_a_hidden_board(small: Repository, environments: Path) -> None:
    small.share_environments(environments)
    small.replace(
        "benchmarks/adding/competition.yaml", "    key: results\n",
        "    key: results\n    hidden: true\n",
    )  # fmt: skip
    done = small.pullbench("run", CELL, "--engine", "subprocess", "--output", "build/try")
    assert done.returncode == 0, done.stderr
    assert "rank" not in done.stdout
