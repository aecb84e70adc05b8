"""Bundles as they come from other people's machines: each runs, or is refused with what to do."""

import json

import pytest

from evaluator.core.formats.schema import dump_yaml
from tests.importing.sources import V2_FILES, Content, Desk, said, v2

SCORE = """\
import json
import sys
from pathlib import Path

source, target = map(Path, sys.argv[1:3])
value = float((source / "res" / "answer.txt").read_text())
(target / "scores.json").write_text(json.dumps({"score": value}))
"""
DATA = v2(docker_image="python:3.11-slim")
FILES: dict[str, str] = {
    **{name: content for name, content in V2_FILES.items() if isinstance(content, str)},
    "logo.png": "",
    "competition.yaml": dump_yaml(DATA).decode(),
    "scoring_program/score.py": SCORE,
}


def latin(text: str) -> bytes:
    return text.replace("Adding up", "Zählen").encode("latin-1")


VARIANTS: dict[str, Content] = {
    "windows": {name: text.replace("\n", "\r\n") for name, text in FILES.items()},
    "marked": {name: text.encode("utf-8-sig") for name, text in FILES.items()},
    "old macs": {**FILES, "competition.yaml": FILES["competition.yaml"].replace("\n", "\r")},
    "utf-16": {
        **FILES,
        **{
            name: FILES[name].encode("utf-16")
            for name in ("competition.yaml", "scoring_program/metadata.yaml")
        },
    },
    "latin-1": {**FILES, "competition.yaml": latin(FILES["competition.yaml"])},
    "folder": {f"my bundle (1)/{name}": text for name, text in FILES.items()},
    "tab in a line": {
        **FILES, "competition.yaml": FILES["competition.yaml"].replace("title: ", "title:\t"),
    },
    "umlauts": {
        **FILES,
        "competition.yaml": dump_yaml({**DATA, "pages": [{"title": "Ü", "file": "Über uns.md"}]}),
        "Über uns.md": "# Über uns\n",
    },
}  # fmt: skip


def enter(desk: Desk, name: str) -> None:
    done = desk.take(desk.zip(VARIANTS[name]))
    assert not done.refused, said(done)
    desk.repo.write("submissions/new/ada/first/submission.yaml", "")
    desk.repo.write("submissions/new/ada/first/answer.txt", "0.5\r\n")
    desk.repo.commit()
    assert not desk.repo.problems()


@pytest.mark.parametrize("name", VARIANTS)
def test_it_comes_in(desk: Desk, name: str) -> None:
    enter(desk, name)


@pytest.mark.docker
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "windows" else pytest.mark.slow) for name in VARIANTS],
)
def test_it_comes_in_and_runs(desk: Desk, name: str) -> None:
    enter(desk, name)
    (record,) = desk.repo.run().values()
    assert record.scores == {"score": 0.5}, record.error


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("\ttitle: Tabs", "The line holds a tab; YAML indents with spaces."),
        ("title: a: b", "A value that holds ': ' needs quotes."),
    ],
)
def test_it_is_refused_with_what_to_do(desk: Desk, line: str, answer: str) -> None:
    text = FILES["competition.yaml"].replace("title: Adding up", line)
    done = desk.take(desk.zip({**FILES, "competition.yaml": text}))
    assert done.refused
    assert answer in said(done, "error")


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("python3 $program/scoer.py $input", "names 'scoer.py', which is not in the program"),
        ("python3 $program\\score.py $input", "with a backslash"),
        (["python3", "$program/sub/score.py"], "names 'sub/score.py'"),
    ],
)
def test_a_command_that_cannot_work_is_told(desk: Desk, command: object, answer: str) -> None:
    metadata = dump_yaml({"command": command})
    done = desk.take(desk.zip({**FILES, "scoring_program/metadata.yaml": metadata}))
    assert not done.refused
    assert answer in said(done, "warning")


@pytest.mark.parametrize(
    "command",
    [
        "python3 score.py",
        "python3 $program/score.py",
        "python3 $program/sub/../score.py",
        "sh -c x",
    ],
)
def test_a_command_that_may_work_is_not(desk: Desk, command: str) -> None:
    metadata = json.dumps({"command": command})
    files = {**FILES, "scoring_program/metadata.yaml": metadata, "scoring_program/sub/x.txt": ""}
    assert not said(desk.take(desk.zip(files)), "warning")
