"""Imports of a Python program at its start, read from its source. Standard library alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

_MAX_FILES = 500


def find_imports(script: Path) -> list[str]:
    """Return the modules from elsewhere that a script and its own modules import at once.

    ``a.b`` for ``import a.b`` and for ``from a.b import c``, in the order in which they come.
    Imports within functions are not among them, nor what cannot be read.
    """
    folder = script.parent
    names: dict[str, None] = {}
    seen: set[Path] = set()
    pending = [script]
    while pending and len(seen) < _MAX_FILES:
        file = pending.pop(0)
        if file in seen:
            continue
        seen.add(file)
        for name in _imported(file, folder):
            files = list(_module_files(folder, name))
            pending += files
            if not files:
                names.setdefault(name)
    return list(names)


def _imported(file: Path, folder: Path) -> Iterator[str]:
    try:
        pending: list[ast.stmt] = ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    package = file.relative_to(folder).parent.parts
    while pending:
        statement = pending.pop(0)
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            above = package[: len(package) - statement.level + 1] if statement.level else ()
            base = ".".join([*above, *([statement.module] if statement.module else [])])
            if statement.level:
                yield from (f"{base}.{alias.name}" if base else alias.name
                            for alias in statement.names)  # fmt: skip
            elif base:
                yield base
        elif isinstance(statement, ast.If | ast.Try | ast.TryStar | ast.With):
            pending += _statements(statement)


def _statements(block: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements that stand directly in a block; theirs follow when it is their turn."""
    for child in ast.iter_child_nodes(block):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler):
            yield from child.body


def _module_files(folder: Path, name: str) -> Iterator[Path]:
    """Files of the program that a module's name stands for: its own, and of packages around it."""
    place = folder
    for part in name.split("."):
        place = place / part
        if place.with_name(f"{part}.py").is_file():
            yield place.with_name(f"{part}.py")
            return
        if (place / "__init__.py").is_file():
            yield place / "__init__.py"
        elif not place.is_dir():
            return
