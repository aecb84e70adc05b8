"""What no module may import; import-linter checks the layers, and who may use which library."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


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


def test_the_scores_of_strangers_are_read_without_yaml_or_pickle() -> None:
    """Nothing in the package can be made to build objects out of a program's output."""
    for module in modules():
        assert not imports(ROOT / "evaluator" / module) & {"pickle", "marshal", "shelve"}, module


def test_decoders_are_made_when_their_module_is_loaded() -> None:
    """The first use of a type in several threads at once ends msgspec with a signal."""
    late = [
        f"{module}:{node.lineno}"
        for module in modules()
        for node in ast.walk(ast.parse((ROOT / "evaluator" / module).read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("decode", "convert")
        and any(word.arg == "type" for word in node.keywords)
    ]
    assert late == []
