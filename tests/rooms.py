"""Which tests need none of some folders of the package.

``python -m tests.rooms evaluator/site evaluator/plugins`` prints their files, a line each.
"""

import ast
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
_NEEDS = {
    "subprocess": "host", "warm": "host",
    "growing": "datasets", "transposed": "datasets",
    "parallel": "parallel", "screened": "screening",
}  # fmt: skip
"""Engines as `--engine` takes them, and bundles of tests -> the plugin that they need."""


def _names(file: Path, gone: tuple[str, ...]) -> set[str]:
    """Return the modules that a file imports, and those of ``gone`` that its texts name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names |= {module for module in gone if module in node.value}
            if node.value in _NEEDS:
                names.add(f"evaluator.plugins.{_NEEDS[node.value]}")
    return names


def tests_without(folders: Collection[str]) -> Iterator[str]:
    """Yield the test files that import nothing below some folders, also by other tests' files."""
    gone = tuple(folder.rstrip("/").replace("/", ".") for folder in folders)
    listed = subprocess.run(
        ["git", "ls-files", "tests/*.py"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    modules = {path.removesuffix(".py").replace("/", "."): ROOT / path for path in listed}
    imports = {
        name: _names(file, gone)
        for name, file in modules.items()
        if "hostile." not in name or name.count(".") == 2
    }

    def needs(name: str, seen: set[str]) -> bool:
        seen.add(name)
        return any(
            other.startswith(gone)
            or (other in imports and other not in seen and needs(other, seen))
            for other in imports.get(name, ())
        )

    for name, file in sorted(modules.items()):
        parents = name.split(".")
        above = (".".join([*parents[:depth], "conftest"]) for depth in range(1, len(parents)))
        if file.name.startswith("test_") and not any(
            needs(one, set()) for one in (name, *above) if one in imports
        ):
            yield file.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    print("\n".join(tests_without(sys.argv[1:])))
