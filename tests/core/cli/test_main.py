"""The command as a person or a workflow meets it: output and exit codes."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator import __version__
from evaluator.core.planning.typed_names import cell_name
from tests.records import write_records
from tests.repository import Repository, command
from tests.sharing import one_in

ROOT = Path(__file__).parents[3]
RIGHT = "submissions/adding/alice/right"


def test_version_and_help(small: Repository) -> None:
    assert __version__ in small.pullbench("--version").stdout
    text = small.pullbench("--help").stdout
    for word in ("validate", "plan", "run", "commit", "130"):
        assert word in text


def test_validate_a_good_repository(small: Repository) -> None:
    done = small.pullbench("validate")
    assert done.returncode == 0
    assert done.stdout == "2 benchmarks, 3 submissions: 0 errors, 0 warnings\n"


def test_validate_reports_everything_at_once(repo: Repository) -> None:
    done = repo.with_bundle("ten-mistakes").pullbench("validate")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert len(lines) > 10
    assert lines[-1].startswith("0 benchmarks, 0 submissions: 24 errors")
    assert all(
        line.startswith("error: benchmarks/mistaken/competition.yaml:") for line in lines[:-1]
    )
    assert sum("Did you mean" in line for line in lines) >= 6
    assert done.stderr == ""


def test_validate_below_a_path(repo: Repository) -> None:
    repo.with_bundle("bad-submissions")
    done = repo.pullbench("validate", "submissions/asking/alice/code")
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 2
    assert repo.pullbench("validate", "benchmarks/").returncode == 0


BROKEN = "submissions/adding/zoe/broken"


@pytest.mark.parametrize(
    ("written", "folder"),
    one_in(3, [
        (BROKEN, ""), (f"./{BROKEN}", ""), (f"{BROKEN}/", ""),
        ("submissions//adding/zoe/broken", ""),
        ("{root}/" + BROKEN, ""), (".", BROKEN), ("submission.yaml", BROKEN), ("../broken", BROKEN),
        ("adding/zoe", ""), ("adding/zoe/broken", ""), ("adding", ""), ("submissions", ""),
        (f"{BROKEN}/main.py", ""), ("", ""), ("", "submissions/adding"), (".", ""),
    ]),
)  # fmt: skip
def test_every_way_to_write_a_path_is_understood(
    small: Repository, written: str, folder: str
) -> None:
    small.write(f"{BROKEN}/submission.yaml", "kinds: code\n")
    small.write(f"{BROKEN}/main.py", "")
    done = subprocess.run(
        command(small.path / folder, "validate", written.format(root=small.path)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert f"error: {BROKEN}/submission.yaml" in done.stdout


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("submissions/adding/alise", "Did you mean 'submissions/adding/alice'?"),
        ("adding/alise/right", "Did you mean 'adding/alice/right'?"),
        ("ading", "Did you mean 'adding'?"),
        ("qqqqqqqq", "there is nothing at 'qqqqqqqq'"),
        ("/etc", "'/etc' is not in the repository"),
        ("build", "nothing below 'build' is looked at"),
    ],
)
def test_a_path_at_which_there_is_nothing_is_an_error(
    small: Repository, written: str, message: str
) -> None:
    (small.path / "build").mkdir()
    done = small.pullbench("validate", written)
    assert done.returncode == 2
    assert message in done.stderr
    assert "0 errors" not in done.stdout


def test_validate_says_what_it_looked_at(small: Repository) -> None:
    done = small.pullbench("validate", "adding/alice")
    assert done.stdout == (
        "submissions/adding/alice: 0 benchmarks, 1 submission: 0 errors, 0 warnings\n"
    )


def test_files_one_level_too_high_are_named(small: Repository) -> None:
    small.write("submissions/adding/zoe/model.py", "")
    done = small.pullbench("validate", "submissions/adding/zoe")
    assert done.returncode == 1
    assert "submissions/adding/zoe/model.py: is in no submission's folder" in done.stdout


def test_validate_at_a_commit(small: Repository) -> None:
    small.write("benchmarks/adding/competition.yaml", "")
    assert small.pullbench("validate").returncode == 1
    assert small.pullbench("validate", "--at", "HEAD").returncode == 0


def test_plan(small: Repository) -> None:
    done = small.pullbench("plan")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "adding/alice/right/main/one: no record yet"
    assert done.stdout.splitlines()[-1] == "5 of 5 cells are missing or stale"
    write_records(small)
    assert small.pullbench("plan").stdout == "nothing is missing: 5 cells have valid records\n"
    assert "adding/bob/wrong/main/two" in small.pullbench("plan", "--all").stdout


def test_plan_as_json(small: Repository) -> None:
    data = json.loads(small.pullbench("plan", "--json").stdout)
    assert set(data) >= {"cells", "total", "waiting", "matrix"}
    assert (data["total"], data["waiting"], len(data["cells"])) == (5, 0, 5)
    for cell in data["cells"]:
        assert set(cell) == {"cell", "state", "reason", "prediction_key", "score_key"}
        assert len(cell["prediction_key"]) == len(cell["score_key"]) == 64
    jobs = data["matrix"]["include"]
    assert sorted(cell for job in jobs for cell in job["cells"].split()) == [
        cell["cell"] for cell in data["cells"]
    ]
    write_records(small)
    assert json.loads(small.pullbench("plan", "--json").stdout)["matrix"] == {"include": []}


@pytest.mark.slow
def test_a_run_says_where_the_submission_stands_and_what_comes_next(small: Repository) -> None:
    write_records(small)
    done = small.pullbench("run", "adding/alice", "--fresh", "--engine", "subprocess")
    assert done.returncode == 0, done.stdout + done.stderr
    *_, rank, records, following = done.stdout.splitlines()
    assert rank == "adding/alice/right: rank 1 of 2 on the board of Main, Right 1.00"
    assert records == "records: submissions/adding/alice/right/scores/main.json"
    assert following.split() == ["pullbench", "leaderboard", "adding", "shows", "the", "board"]


def test_run_and_commit_with_nothing_to_do(small: Repository) -> None:
    write_records(small)
    assert small.pullbench("commit").stdout.startswith("5 records in ")
    assert small.pullbench("commit").stdout == "no new records to commit\n"
    assert small.pullbench("run").stdout == "nothing is missing\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["plan", "--at", "absent"], 2, "there is no commit called 'absent'"),
        (["run", "no/such/cell"], 2, "there is no cell called 'no/such/cell'"),
        (["run", "--jobs", "0"], 2, "--jobs"),
        (["run", "--engine", "magic"], 2, "magic"),
        (["unheard-of"], 2, "No such command 'unheard-of'. `pullbench --help` lists them."),
        (["valdiate"], 2, "No such command 'valdiate'. Did you mean 'validate'?"),
        (["leaderboard", "ading"], 2, "there is no benchmark 'ading'\n  Did you mean 'adding'?"),
        (["results", "qq"], 2, "There are: adding, echo."),
        (["leaderboard", "adding", "--task", "ones"], 2, "Did you mean 'one'?"),
        (["leaderboard", "adding", "--phase", "mian"], 2, "Did you mean 'main'?"),
        (["run", "adding/alise/right"], 2, "Did you mean 'adding/alice/right'?"),
        (["run", "adding/alice/right/main/ones"], 2, "Did you mean 'adding/alice/right/main/one'"),
        (["-C", "/absent", "plan"], 2, "does not exist"),
    ],
)
def test_errors(small: Repository, arguments: list[str], code: int, message: str) -> None:
    done = small.pullbench(*arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "verb", ["collect", "overdue", "pr list", "pr queue", "withdraw adding --reason wrong --by ada"]
)
def test_the_settings_name_the_base_branch(small: Repository, verb: str) -> None:
    small.write("pyproject.toml", '[tool.pullbench]\nbranch = "season"\n')
    done = small.pullbench(*verb.split(), "--remote", "")
    assert done.returncode == 2
    assert "'season'" in done.stderr


def test_a_bundle_that_cannot_be_read_is_not_said_to_be_absent(small: Repository) -> None:
    small.replace("benchmarks/adding/competition.yaml", "\ntitle:", "\n\ttitle:")
    for arguments in (("enter", "adding", "--as", "ann/one"), ("controls", "adding"),
                      ("results", "adding")):  # fmt: skip
        done = small.pullbench(*arguments)
        assert done.returncode == 1
        assert "benchmarks/adding/competition.yaml:2: is not valid YAML" in done.stderr
        assert "there is no benchmark" not in done.stderr


def test_a_folder_that_is_no_repository(small: Repository, tmp_path: Path) -> None:
    done = small.pullbench("-C", str(tmp_path), "plan")
    assert done.returncode == 2
    assert "is not in a git repository" in done.stderr


def test_debug_shows_a_traceback(small: Repository) -> None:
    done = small.pullbench("--debug", "plan", "--at", "absent")
    assert done.returncode == 2
    assert "Traceback" in done.stderr
    assert "there is no commit called" in done.stderr


def test_settings_that_cannot_be_read(small: Repository) -> None:
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 'many'\nimges = {}\n")
    done = small.pullbench("plan")
    assert done.returncode == 1
    assert "tool.pullbench.retries" in done.stderr
    assert "tool.pullbench.imges" in done.stderr


def test_names_do_not_act_on_the_terminal(small: Repository) -> None:
    small.write(f"{RIGHT}/red\x1b[31m\u202e.txt", "x")
    small.write("submissions/adding/alice/\x1b[31mname/submission.yaml", "kind: \x1b[31m\n")
    small.write(
        "submissions/adding/bob/wrong/submission.yaml", '"\\e[31mkey": 1\nkind: "\\e[31m"\n'
    )
    for arguments in (["validate"], ["plan"], ["run", "\x1b[31m"]):
        done = small.pullbench(*arguments)
        assert "\x1b" not in done.stdout + done.stderr
        assert "\u202e" not in done.stdout + done.stderr
        assert "\\x1b[31m" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_markup_in_names_is_only_text(small: Repository) -> None:
    small.write(f"{RIGHT}/[bold red]loud[nul].txt\\", "x")
    assert "[bold red]loud[nul].txt" in small.pullbench("validate").stdout


def test_it_works_from_below_the_root(small: Repository) -> None:
    done = small.pullbench("-C", str(small.path / "benchmarks"), "plan")
    assert done.stdout.endswith("5 of 5 cells are missing or stale\n")


def test_pin_prints_a_digest(small: Repository) -> None:
    file = small.path / "benchmarks/adding/terms.md"
    done = small.pullbench("pin", "--data", str(file))
    assert done.stdout.strip() == hashlib.sha256(file.read_bytes()).hexdigest()


def test_what_cannot_be_printed_is_no_success(small: Repository) -> None:
    command = [sys.executable, "-m", "evaluator", "-C", str(small.path), "plan", "--json"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode != 0
    assert "no space" in done.stderr


@pytest.mark.parametrize(
    ("written", "folder", "name"),
    [
        (RIGHT, "", "adding/alice/right"), (f"{RIGHT}/main.py", "", "adding/alice/right"),
        (f"{{root}}/{RIGHT}/", "", "adding/alice/right"), (".", RIGHT, "adding/alice/right"),
        ("main.py", RIGHT, "adding/alice/right"), ("benchmarks/adding", "", "adding"),
        ("alice", "submissions/adding", "adding/alice"), ("adding/alice", "", "adding/alice"),
        ("adding/alice/right/main/one", "", "adding/alice/right/main/one"),
        ("nobody", "", "nobody"),
    ],
)  # fmt: skip
def test_what_validate_takes_names_cells(
    small: Repository, written: str, folder: str, name: str
) -> None:
    tree = small.snapshot().tree
    assert cell_name(written.format(root=small.path), small.path / folder, tree) == name


def test_run_and_log_take_what_validate_takes(small: Repository, environments: Path) -> None:
    small.share_environments(environments)
    assert small.pullbench("validate", RIGHT).returncode == 0
    done = small.pullbench("run", RIGHT, "--engine", "subprocess")
    assert done.returncode == 0
    assert "adding/alice/right/main/one" in done.stdout
    assert "bob" not in done.stdout
    assert "adding/alice/right/main/two: finished" in small.pullbench("log", RIGHT).stdout


@pytest.mark.slow
def test_json_stands_alone_on_stdout(small: Repository, environments: Path) -> None:
    small.share_environments(environments)
    write_records(small)
    verbs = (
        ["validate", "--json"], ["plan", "--json"], ["leaderboard", "adding", "--format", "json"],
        ["results", "adding", "--json"], ["overdue", "--remote", "", "--json"],
        ["log", "adding/bob", "--json"], ["reproduce", RIGHT, "--engine", "subprocess", "--json"],
    )  # fmt: skip
    data = {}
    for verb in verbs:
        done = small.pullbench(*verb)
        assert done.returncode == 0, done.stderr
        data[verb[0]] = json.loads(done.stdout)
    assert data["validate"] == data["overdue"] == []
    assert data["log"][0]["cell"].startswith("adding/bob/wrong/main/")
    assert {one["cell"] for one in data["reproduce"]} == {
        "adding/alice/right/main/one", "adding/alice/right/main/two",
    }  # fmt: skip
    assert "compared with the committed records" in done.stderr
    assert data["leaderboard"]
    small.write(f"{RIGHT}/submission.yaml", "kind: cod\n")
    done = small.pullbench("validate", "--json")
    (problem,) = [one for one in json.loads(done.stdout) if one["severity"] == "error"]
    assert (problem["file"], problem["line"]) == (f"{RIGHT}/submission.yaml", 1)
    assert "1 error," in done.stderr
    assert done.returncode == 1
    assert small.pullbench("validate").stdout.startswith("error: ")


def test_a_shell_completes_verbs(small: Repository) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evaluator"], cwd=small.path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "_PULLBENCH_COMPLETE": "bash_complete",
             "COMP_WORDS": "pullbench val", "COMP_CWORD": "1"},
        check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["plain,validate"]
