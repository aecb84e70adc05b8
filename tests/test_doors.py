"""One door to each library that reaches outside; import-linter checks the layers."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "evaluator"
DOORS = {
    "docker": ("compute/engine/",),
    "git": ("planning/repository.py", "commit/"),
    "yaml": ("formats/schema.py",),
    "pandas": (
        "board/",
        "importers/amlb/",
        "importers/openml/",
        "importers/suites/",
        "importers/tabular/",
        "importers/templates/tabular/",
    ),
    "jinja2": ("board/",),
}


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
    users = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if library in imports(file)
    }
    assert users, f"nothing imports {library}; is the table above still right?"
    assert {user for user in users if not user.startswith(DOORS[library])} == set()


def test_the_scores_of_strangers_are_read_without_yaml_or_pickle() -> None:
    """Nothing in the package can be made to build objects out of a program's output."""
    for file in PACKAGE.rglob("*.py"):
        assert not imports(file) & {"pickle", "marshal", "shelve"}, file
