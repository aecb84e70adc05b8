"""Templates with real containers: what a participant leaves is no fault of the organiser's."""

import json
import re
import shutil

import pytest

from evaluator.core.formats.record import CellError
from tests.benchmarks.leftovers import LEAVES, SEES
from tests.repository import Repository

LEAVE_OUTPUT = "import os\nopen('/app/output/predictions.csv', 'wb').write({})\nos._exit(0)\n"
ANSWER = "/app/shared/answer-0.json"
LEAVE_ANSWER = f"import json, os, time\n{{}}\nos.replace('{ANSWER}.x', '{ANSWER}')\ntime.sleep(9)\n"
WRITE_ANSWER = f"open('{ANSWER}.x', 'w', encoding='latin-1').write({{}})"
FIRST = "submissions/mine/example/first/"
POINTS = "0,0,in\n0,1,out\n1,1,out\n2,2,out\n"
SETS: dict[str, str | bytes] = {
    "a BOM": "\ufeffx,y,label\n" + POINTS,
    "no UTF-8": b"x,y,label\n" + POINTS.encode() + b"3,3,\xff\n",
    "form feeds": "x,y,label\n" + POINTS.replace("\n", "\f"),
    "a line separator": "x,y,label\n" + POINTS.replace("in\n", "in\u2028"),
    "underscores": "x,y,label\n" + POINTS.replace("1,1", "1_1,1"),
    "other digits": "x,y,label\n" + POINTS.replace("1,1", "\u0661,1"),
    "quotes": "x,y,label\n" + POINTS.replace("in", '"in"'),
    "a carriage return": "x,y,label\n" + POINTS.replace("\n", "\r\n"),
    "a huge number": "x,y,label\n" + POINTS.replace("2,2", "1e308,2"),
}
WORDS: dict[str, bytes] = {
    "True": b"True\n",
    "nan": b"nan\n",
    "nothing": b"",
    "latin-1": "\u00e9\n".encode("latin-1"),
    "4,400 digits": b"9" * 4400 + b"\n",
}
"""What a program may write where numbers belong."""
REFUSED: dict[str, tuple[str, str, str | bytes]] = {
    "results, no column": ("results", "predictions.csv", "id\n1\n"),
    "results, an id twice": ("results", "predictions.csv", "id,label\n1,left\n1,right\n"),
    "results, no UTF-8": ("results", "predictions.csv", b"id,label\n1,\xff\n"),
    "results, a long field": ("results", "predictions.csv", 'id,label\n1,"' + "x" * 200_000),
    "code, words": ("code", "model.py", LEAVE_OUTPUT.format(b"y\nno number\n")),
    "code, no UTF-8": ("code", "model.py", LEAVE_OUTPUT.format(b"y\n\xff\n")),
    "code, huge numbers": ("code", "model.py", LEAVE_OUTPUT.format('b"y\\n" + b"1e308\\n" * 10')),
    **{
        f"code, {name}": ("code", "model.py", LEAVE_OUTPUT.format(b"y\n" + text * 10))
        for name, text in WORDS.items()
    },
    **{f"results, {name}": ("results", "predictions.csv", text) for name, text in WORDS.items()},
    **{
        f"parallel, {name}": (
            "parallel",
            "agent.py",
            WRITE_ANSWER.format(repr(text.decode("latin-1"))),
        )
        for name, text in WORDS.items()
    },
    "parallel, an infinity": ("parallel", "agent.py", WRITE_ANSWER.format("'{\"guess\": 1e999}'")),
    "parallel, deep": ("parallel", "agent.py", WRITE_ANSWER.format("'[' * 10**5")),
    "parallel, large": ("parallel", "agent.py", WRITE_ANSWER.format("'1' * 10**7")),
    "parallel, a folder": ("parallel", "agent.py", f"os.mkdir('{ANSWER}.x')"),
    "parallel, a pipe": ("parallel", "agent.py", f"os.mkfifo('{ANSWER}.x')"),
    "parallel, a socket": (
        "parallel",
        "agent.py",
        f"__import__('socket').socket(1).bind('{ANSWER}.x')",
    ),
    "parallel, unreadable": (
        "parallel",
        "agent.py",
        f"os.close(os.open('{ANSWER}.x', os.O_CREAT | os.O_WRONLY, 0))",
    ),
    **{f"dataset, {name}": ("dataset", "train.csv", text) for name, text in SETS.items()},
}


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[CellError | None]]:
    """Of each case what its cells end in: all are evaluated in one run."""
    repo = Repository(tmp_path_factory.mktemp("refused"))
    (repo.path / "build").mkdir()
    for kind in sorted({kind for kind, _, _ in REFUSED.values()}):
        repo.pullbench("init", kind, "--template", kind)
        (repo.path / f"submissions/{kind}/example").rename(repo.path / f"build/{kind}")
    for number, (kind, file, content) in enumerate(REFUSED.values()):
        folder = f"submissions/{kind}/case-{number}/one"
        shutil.copytree(repo.path / f"build/{kind}/first", repo.path / folder)
        if kind == "parallel":
            assert isinstance(content, str)
            content = LEAVE_ANSWER.format(content)
        repo.write(f"{folder}/{file}", content)
    repo.commit()
    records = repo.run().values()
    return {
        case: [record.error for record in records if record.cell.participant == f"case-{number}"]
        for number, case in enumerate(REFUSED)
    }


@pytest.mark.docker
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_scored_is_refused_and_the_participants(
    errors: dict[str, list[CellError | None]], case: str
) -> None:
    (error,) = errors[case]
    assert error is not None
    assert (error.reason, error.actor) == ("predictions refused", "participant"), error


@pytest.mark.docker
def test_stages_share_nothing_but_what_they_return(repo: Repository) -> None:
    repo.pullbench("init", "mine", "--template", "stages")
    for stage, code in (("clean", LEAVES), ("model", SEES)):
        path = f"{FIRST}{stage}/stage.py"
        repo.write(path, code + (repo.path / path).read_text())
    repo.commit()
    (whole,) = (record for cell, record in repo.run().items() if "+" not in cell)
    assert whole.error is None, whole.steps
    log = whole.steps[0].log
    (left,) = re.findall(r"^left (.*)", log, re.MULTILINE)
    assert {"/tmp", "/dev/shm", "/dev/mqueue", "/app/output", "shm"} <= set(json.loads(left))
    (sees,) = re.findall(r"^sees (.*)", log, re.MULTILINE)
    assert json.loads(sees) == []
