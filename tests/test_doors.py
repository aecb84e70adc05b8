"""One door to each library that reaches outside; import-linter checks the layers."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOORS = {
    "docker": ("compute/engine/",),
    "git": ("git/commands.py", "git/write/"),
    "yaml": ("formats/schema.py",),
    "pandas": (
        "exports/",
        "importers/amlb/",
        "importers/openml/",
        "importers/suites/",
        "importers/tabular/",
        "importers/templates/tabular/",
    ),
    "jinja2": ("site/",),
}


def modules() -> Iterator[str]:
    """Yield paths below the package, as git knows them: tests beside this one may leave others."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "evaluator/*.py"], cwd=ROOT, capture_output=True, check=True
    )
    for path in listed.stdout.decode().rstrip("\0").split("\0"):
        yield path.removeprefix("evaluator/")


def imports(file: Path) -> set[str]:
    """Top-level names of the packages that a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("library", DOORS)
def test_only_its_door_imports(library: str) -> None:
    users = {module for module in modules() if library in imports(ROOT / "evaluator" / module)}
    assert users, f"nothing imports {library}; is the table above still right?"
    assert {user for user in users if not user.startswith(DOORS[library])} == set()


def test_the_scores_of_strangers_are_read_without_yaml_or_pickle() -> None:
    """Nothing in the package can be made to build objects out of a program's output."""
    for module in modules():
        assert not imports(ROOT / "evaluator" / module) & {"pickle", "marshal", "shelve"}, module
