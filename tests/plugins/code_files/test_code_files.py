"""Files that an entry's code must have: looked at before anything runs, and never run."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.plugins.code_files.checks import MAX_BYTES
from tests.repository import Repository

BUNDLE = "benchmarks/folds/competition.yaml"
ENTRY = "submissions/folds/alice/sum"


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repo").with_bundle("folds")
    files = "{file: main.py}, {file: lib/model.py, defines: [Model, LIMIT]}"
    made.replace(BUNDLE, "pullbench:\n", f"pullbench:\n  files: [{files}]\n")
    made.commit()
    return made


def said(repo: Repository, files: Mapping[str, str | bytes]) -> list[str]:
    """File, line, message and hint of what `validate` says of an entry with these files."""
    for name, content in files.items():
        repo.write(f"{ENTRY}/{name}", content)
    done = repo.pullbench("validate", ENTRY)
    assert "Traceback" not in done.stderr
    return [line for line in done.stdout.splitlines() + done.stderr.splitlines() if line.strip()]


@pytest.mark.parametrize(
    "model",
    [
        "class Model: pass\nLIMIT = 1\n",
        "from .net import Net as Model\nLIMIT: int = 2\n",
        "try:\n    from fast import Model\nexcept ImportError:\n    Model = 0\nLIMIT = 1",
        "from everything import *\n",
        b"# coding: latin-1\nclass Model:\n    name = '\xe9'\nif 1:\n    LIMIT = 1\n",
    ],
)
def test_what_is_there_is_taken(repo: Repository, model: str | bytes) -> None:
    assert said(repo, {"lib/model.py": model})[-1].endswith("0 errors, 0 warnings")


def test_a_package_is_taken_for_a_module(repo: Repository) -> None:
    lines = said(repo, {"lib/model/__init__.py": "class Model: pass\nLIMIT = 1\n"})
    assert lines[-1].endswith("0 errors, 0 warnings")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, ["lib/model.py", "is missing", "Put it at lib/model.py"]),
        ({"lib/Model.py": "class Model: pass"}, ["is missing", "Did you mean 'lib/Model.py'?"]),
        ({"lib/model.zip": b"PK\x03\x04"}, ["is missing", "Unpack lib/model.zip"]),
        ({"model.ipynb": "{}"}, ["is missing", "nbconvert --to script model.ipynb"]),
        ({"lib/model.py": "class model: pass\nLIMIT = 1\n"}, ["does not define Model", "'model'"]),
        ({"lib/model.py": "def f():\n    class Model: pass\n"}, ["define Model and LIMIT"]),
        ({"lib/model.py": "LIMIT = 1\nclass Model(:\n"}, ["lib/model.py:2", "is no Python"]),
        ({"lib/model.py": b"class Model: pass\0"}, ["is no Python", "null bytes"]),
        ({"lib/model.py": "#" * (MAX_BYTES + 1)}, ["is larger than 1,048,576 bytes"]),
        ({"lib/model.py": "-" * 500_000 + "1"}, ["lib/model.py"]),
        ({"lib/model.py": "(" * 200_000}, ["is no Python"]),
    ],
    ids=["missing", "case", "packed", "notebook", "name", "nested", "syntax", "null", "large",
         "deep", "brackets"],
)  # fmt: skip
def test_what_is_missing_is_said_before_it_runs(
    repo: Repository, files: Mapping[str, str | bytes], words: list[str]
) -> None:
    text = "\n".join(said(repo, files))
    assert not [one for one in words if one not in text], text


def test_nothing_of_it_runs(repo: Repository, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    said(repo, {"lib/model.py": f"open({str(mark)!r}, 'w')\nclass Model: pass\nLIMIT = 1\n",
                "lib/ast.py": f"open({str(mark)!r}, 'w')\n"})  # fmt: skip
    assert not mark.exists()


def test_what_is_on_the_branch_is_not_looked_at_again(repo: Repository) -> None:
    """So that an organiser may ask for more of later entries."""
    assert not [one for one in repo.problems() if "lib/model.py" in one.file]
