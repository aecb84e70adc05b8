"""``import`` and ``init`` as they are typed."""

import json
import shutil

import pytest

from evaluator.core.formats.record import Record
from evaluator.importing.edited_yaml import with_value
from evaluator.plugins.scaffold.benchmark import kinds
from tests.importing.sources import V2_FILES, Desk, v2
from tests.repository import Repository

SCORES = {
    "agents": [0.875],
    "automl-challenge": [0.7946, 0.7593],
    "code": [5.3895],
    "dataset": [0.3625, 0.1],
    "parallel": [8.8],
    "results": [0.875],
    "stages": [0.1067, 2.5036, 468.1375],
}
"""Of the first submission, by task; with stages, each of them alone as well."""
TESTED_ELSEWHERE = ("ogb", "race")
"""Templates whose scores another test looks at."""
UNUSABLE = [
    ("x,y,label\n0,0,in\n", "train.csv: 1 good rows; 4 to 1,000 are taken"),
    ("x,y\n", "train.csv, line 1: the header must be x,y,label"),
    (
        "x,y,label\n0,nan,in\n1,in\n",
        "line 2: not two numbers such as -1.5 and a label / train.csv, line 3",
    ),
    ("x,y,label\n" + "0,0,inside\n" * 4, "train.csv has one label alone / test.csv has the"),
    (
        "x,y,label\n0,0,inside\n0,1,outside\n1,1,outside\n0.49,0.97,outside\n",
        "test.csv, row 1:",
    ),
]
"""train.csv of data sets, and what is said of them."""


def test_import(desk: Desk) -> None:
    files = {"competition.yaml": json.dumps(v2(colour="red")), **V2_FILES}
    source = desk.zip({f"bundle/{name}": content for name, content in files.items()})
    done = desk.repo.pullbench("import", source)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("note: competition.yaml: the content of the folder 'bundle' is used")
    assert "warning: competition.yaml:1: colour: is not a known key" in done.stdout
    assert lines[-2:] == [
        "benchmarks/adding-up: 7 files",
        "  pullbench validate && pullbench plan adding-up",
    ]
    assert not desk.repo.problems()
    done = desk.repo.pullbench("import", source)
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert desk.repo.pullbench("import", source, "--force").returncode == 0


def test_import_refuses(desk: Desk) -> None:
    source = desk.zip({"competition.yaml": json.dumps(v2(tasks=None, terms=None), indent=1)})
    done = desk.repo.pullbench("import", source)
    assert done.returncode == 1
    assert "error: competition.yaml: tasks: is missing" in done.stdout
    assert "error: competition.yaml: terms: is missing" in done.stdout
    assert done.stdout.endswith("refused: nothing was written\n")
    assert desk.repo.pullbench("import", source, "--name", "../x").returncode == 2


def test_import_tells_what_git_ignores(desk: Desk) -> None:
    desk.repo.write(".gitignore", "/build/\n*.log\n")
    source = desk.zip(
        {"competition.yaml": json.dumps(v2()), **V2_FILES, "reference_data/truth.log": "1\n"}
    )
    done = desk.repo.pullbench("import", source)
    assert "names reference_data/truth.log, which is ignored by line 2" in done.stdout


def test_there_is_a_template_for_each_kind() -> None:
    assert kinds() == sorted([*SCORES, *TESTED_ELSEWHERE])


@pytest.mark.parametrize("kind", kinds())
def test_a_template_is_valid(repo: Repository, kind: str) -> None:
    done = repo.pullbench("init", "my-own", "--template", kind)
    assert done.returncode == 0, done.stderr
    repo.commit()
    assert all(problem.severity == "note" for problem in repo.problems())
    taken = repo.snapshot()
    assert taken.benchmarks["my-own"].title == "My own"
    assert [submission.id for submission in taken.submissions] == ["my-own/example/first"]
    again = repo.pullbench("init", "my-own", "--template", kind)
    assert again.returncode == 2
    assert "is there already" in again.stderr


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """Records of every template and of data sets that cannot be used, by cell, of one run."""
    repo = Repository(tmp_path_factory.mktemp("templates"))
    for kind in SCORES:
        done = repo.pullbench("init", kind, "--template", kind, "--title", f"Mine: {kind}")
        assert done.returncode == 0, done.stderr
    repo.pullbench("init", "unusable", "--template", "dataset")
    first = repo.path / "submissions/unusable/example/first"
    for number, (train, _) in enumerate(UNUSABLE):
        folder = f"submissions/unusable/case-{number}/one"
        shutil.copytree(first, repo.path / folder)
        repo.write(f"{folder}/train.csv", train)
    shutil.rmtree(first)
    repo.commit()
    assert all(problem.severity == "note" for problem in repo.problems())
    records: dict[str, Record] = {}
    while repo.plan().missing:  # a data set that is accepted makes further cells
        records |= repo.run()
    return records


@pytest.mark.docker
@pytest.mark.parametrize("kind", sorted(SCORES))
def test_a_template_runs_to_a_score(evaluated: dict[str, Record], kind: str) -> None:
    records = [one for cell, one in sorted(evaluated.items()) if cell.startswith(f"{kind}/")]
    assert [record.error for record in records] == [None] * len(records)
    scores = [score for record in records for score in record.scores.values()]
    assert scores == pytest.approx(SCORES[kind], abs=1e-4)


@pytest.mark.docker
@pytest.mark.parametrize(("number", "said"), [(n, said) for n, (_, said) in enumerate(UNUSABLE)])
def test_a_data_set_that_cannot_be_used_is_the_participants_fault(
    evaluated: dict[str, Record], number: int, said: str
) -> None:
    (record,) = [one for cell, one in evaluated.items()
                 if cell.startswith(f"unusable/case-{number}/")]  # fmt: skip
    assert record.error is not None
    assert (record.error.reason, record.error.actor) == ("predictions refused", "participant")
    assert said in record.error.message


@pytest.mark.docker
def test_an_agent_that_gives_up_is_the_participants_fault(repo: Repository) -> None:
    repo.pullbench("init", "mine", "--template", "parallel")
    repo.write("submissions/mine/example/first/agent.py", "class Agent:\n    guess = None\n")
    repo.commit()
    (record,) = repo.run().values()
    assert record.error is not None
    assert record.error.actor == "participant"


def test_init_from_another(repo: Repository) -> None:
    repo.with_bundle("small")
    repo.write("benchmarks/echo/run.sh", "#!/bin/sh\n").chmod(0o755)
    repo.replace("benchmarks/echo/competition.yaml", "version:", "# a comment\nversion:")
    done = repo.pullbench("init", "sound", "--from", "echo", "--title", "Sound # 2")
    assert done.returncode == 0, done.stderr
    old, new = (repo.path / "benchmarks" / name for name in ("echo", "sound"))
    assert (new / "run.sh").stat().st_mode & 0o100
    text = (new / "competition.yaml").read_text()
    assert "title: 'Sound # 2'\n" in text
    assert "# a comment\n" in text
    assert text.count("\n") == (old / "competition.yaml").read_text().count("\n")
    assert not repo.problems()


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--template", "code", "--from", "echo"),
        ("--from", "absent"),
        ("--template", "datasets"),
    ],
)
def test_init_wrong_use(repo: Repository, options: tuple[str, ...]) -> None:
    assert repo.pullbench("init", "x", *options).returncode == 2
    assert repo.pullbench("init", "-x", "--template", "code").returncode == 2
    assert not (repo.path / "benchmarks").exists()


def test_a_copy_has_an_image_of_its_own(repo: Repository) -> None:
    """Two benchmarks that build images of one name would build both in turn."""
    repo.with_bundle("small")
    file = "benchmarks/echo/competition.yaml"
    image = "docker_image: localhost/pullbench/echo:1  # built here"
    lines = [line for line in (repo.path / file).read_text().splitlines()
             if not line.startswith("docker_image")]  # fmt: skip
    repo.write(file, "\n".join([*lines, image]) + "\n")
    repo.write("benchmarks/echo/Dockerfile", "FROM python:3.11-slim\n")
    repo.commit("An image")
    done = repo.pullbench("init", "Sound", "--from", "echo")
    assert done.returncode == 0, done.stderr
    text = (repo.path / "benchmarks/Sound/competition.yaml").read_text()
    assert "docker_image: localhost/pullbench/sound:1\n" in text
    assert not repo.problems()
    # A copy by hand is named as soon as the two builds differ.
    repo.write("benchmarks/Sound/competition.yaml", text.replace("sound:1", "echo:1"))
    assert not repo.problems()
    repo.write("benchmarks/echo/Dockerfile", "FROM python:3.11-slim\nRUN true\n")
    (problem,) = repo.problems()
    assert (problem.severity, problem.key) == ("warning", "docker_image")
    assert "is the image that Sound builds, too, from other files" in problem.message
    assert "localhost/pullbench/echo:1" in problem.hint


def test_a_title_over_several_lines() -> None:
    content = b"version: 2\ntitle:\n  Long\n  one\nimage: x\n"
    assert with_value(content, "Short", "title") == b"version: 2\ntitle: Short\nimage: x\n"
