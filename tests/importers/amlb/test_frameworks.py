"""Framework definitions: inheritance, tags, what is refused, and the submission made of one."""

import json
from pathlib import Path

import pytest

from evaluator.errors import UsageError
from evaluator.importers.amlb.frameworks import find_framework
from tests.importers.amlb.files import Definitions

FRAMEWORKS = """
Family:
  abstract: true
  version: '1.0'
  setup_args: [x]
  setup_cmd: '{pip} install family'
  params: {depth: 3}
  project: https://example.org
Child:
  extends: Family
  version: '2.0'
Grandchild:
  extends: child
  params: {trees: 5}
Gone:
  removed: |
    It is no longer supported.
GoneToo: {extends: Gone}
Orphan: {extends: Nobody}
Circle: {extends: Square}
Square: {extends: Circle}
Self: {extends: Self}
Own:
  module: extensions.Own
Plain:
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "frameworks.yaml"
    path.write_text(FRAMEWORKS)
    (tmp_path / "frameworks_2023Q2.yaml").write_text("Plain: {version: '0.9'}\n")
    return path


def test_a_framework_that_extends_another(file: Path) -> None:
    """AMLB ends with a TypeError for every framework with `extends`."""
    child = find_framework("Child", [file])
    assert (child.version, child.module, child.params) == ("2.0", "frameworks.Family", {"depth": 3})
    assert child.setup == {"setup_args": ["x"], "setup_cmd": "{pip} install family"}
    grand = find_framework("grandchild", [file])
    assert (grand.version, grand.params) == ("2.0", {"trees": 5})
    assert list(grand.parents) == ["Child", "Family"]


def test_defaults_and_tags(file: Path) -> None:
    plain = find_framework("plain", [file])
    assert (plain.version, plain.module) == ("stable", "frameworks.Plain")
    assert find_framework("Plain:2023Q2", [file]).version == "0.9"
    assert find_framework("Self", [file]).parents == []
    with pytest.raises(UsageError, match="frameworks_latest"):
        find_framework("Plain:latest", [file])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Family", "is abstract"), ("Gone", "is removed: It is no longer supported"),
        ("GoneToo", "is removed"), ("Orphan", "extends 'Nobody'"), ("Circle", "extends itself"),
        ("Missing", "no framework 'Missing'"),
    ],
)  # fmt: skip
def test_what_cannot_run(name: str, why: str, file: Path) -> None:
    with pytest.raises(UsageError, match=why):
        find_framework(name, [file])


def test_a_submission_is_the_module_as_it_stands(file: Path, tmp_path: Path) -> None:
    repo = Definitions(tmp_path / "x")
    repo.define("- {name: s, dataset: '{user}/data/multi', folds: 3}\n")
    repo.git("add", ".")
    module = tmp_path / "root/extensions/Own"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("def run(dataset, config):\n    pass\n")
    (module / "setup.sh").write_text("exit 1\n")
    (module / "venv").mkdir()
    (module / "venv/big").write_text("x")
    said = repo.bring(
        "amlb-framework", "Own", "mine", "me/own", "--definitions", str(file), "--modules",
        str(tmp_path / "root"), "-p", "depth=4", "-p", "name=x",
    )  # fmt: skip
    assert "is set up by setup.sh, which is not run" in said
    folder = repo.path / "submissions/mine/me/own"
    assert sorted(path.name for path in folder.iterdir()) == [
        "__init__.py", "framework.json", "setup.sh", "submission.yaml",
    ]  # fmt: skip
    about = json.loads((folder / "framework.json").read_text())
    assert (about["module"], about["params"]) == ("extensions.Own", {"depth": 4, "name": "x"})
    repo.commit()
    assert [p for p in repo.problems() if p.severity == "error"] == []
