"""Suites in the repository: every fault with its file, its key and who must act."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from evaluator.core.errors import Actor
from evaluator.site.build.data_files import schema_files
from tests.repository import Repository

ROOT = Path(__file__).parents[3]
GOOD = f"""\
title: Mine
version: 2
members:
  - {{name: a, source: data/a.csv, target: class, rows: 600, features: 2, classes: 3,
     sha256: {"a" * 64}, openml_task: 3}}
left_out:
  - {{name: b, source: data/b.csv, reasons: [rows 30 (500 to 100000)]}}
"""


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.write("suites/mine.yaml", GOOD)
    made.commit()
    return made


def test_a_good_suite_is_left_alone(repo: Repository) -> None:
    assert repo.problems() == []


def test_every_fault_of_every_suite_is_told(repo: Repository) -> None:
    repo.write(
        "suites/mine.yaml",
        GOOD.replace("title: Mine", "titel: Mine").replace("rows: 600", "rows: many")
        + "  - {name: c, source: x, reasons: []}\n",
    )
    twice = GOOD.partition("left_out")[0]
    repo.write("suites/twice.yaml", twice + twice.partition("members:\n")[2])
    repo.write("suites/list.yaml", "- a\n")
    repo.write("suites/no name.yaml", GOOD)
    repo.write("suites/notes.md", "Words.\n")
    repo.commit()
    found = {(item.file, item.key): item for item in repo.problems()}
    assert {item.actor for item in found.values()} == {Actor.ORGANISER}
    assert "title" in found["suites/mine.yaml", "titel"].hint
    assert ("suites/mine.yaml", "title") in found
    assert found["suites/mine.yaml", "members[0].rows"].line == 4
    assert ("suites/mine.yaml", "left_out[1].reasons") in found
    assert "another member" in found["suites/twice.yaml", "members[1].name"].message
    assert "suites/list.yaml" in {file for file, _ in found}
    assert "the name 'no name' is not accepted" in found["suites/no name.yaml", ""].message
    assert found["suites/notes.md", ""].severity == "warning"
    done = repo.pullbench("validate", "suites")
    assert done.returncode == 1
    assert "suites/mine.yaml:4: members[0].rows: " in done.stdout
    assert "[organiser must act]" in done.stdout


def test_the_schema_accepts_the_projects_own() -> None:
    schema = json.loads(dict(schema_files())["schemas/suite.json"])
    for file in (ROOT / "suites").glob("*.yaml"):
        jsonschema.validate(yaml.safe_load(file.read_text()), schema)
    bad = yaml.safe_load(GOOD) | {"criteria": "any"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(bad, schema)
