"""Lines, contracts, keys, options and class names stay within ``budget.toml``.

``python -m tests.test_budget`` prints what each has left.
"""

import ast
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from pydantic import BaseModel

from evaluator.core.cli.group import cli
from evaluator.core.formats.competition import Competition
from evaluator.core.formats.parsing import Extensible
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import SubmissionFile
from tests.test_contracts import declared

ROOT = Path(__file__).parents[1]
BUDGET = tomllib.loads(Path(__file__).with_name("budget.toml").read_text())


@cache
def _modules() -> tuple[Path, ...]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "evaluator/*.py"], cwd=ROOT, check=True,
        capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    return tuple(path for path in map(Path, listed) if "templates" not in path.parts)


def _lines(room: str) -> int:
    paths = [path for path in _modules() if path.parts[1] == room]
    return sum(len((ROOT / path).read_text().splitlines()) for path in paths)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)


def fields_of(model: type[BaseModel]) -> dict[str, Any]:
    """Return the keys of a model, those of plugins too, each with its type."""
    fields: dict[str, Any] = {
        field.alias or name: field.annotation for name, field in model.model_fields.items()
    }
    return {**fields, **(model.plugin_keys if issubclass(model, Extensible) else {})}


def _keys(model: type[BaseModel], path: str, seen: frozenset[type[BaseModel]]) -> Iterator[str]:
    """Yield the keys of a model and of those in it, each by its path."""
    for name, annotation in fields_of(model).items():
        yield f"{path}.{name}"
        for inner in _models(annotation):
            if inner not in seen:
                yield from _keys(inner, f"{path}.{name}", seen | {inner})


def every_key() -> set[str]:
    """Return the keys of bundles, submissions and settings, each by its path."""
    models = (Competition, SubmissionFile, Settings)
    return {key for model in models for key in _keys(model, model.__name__, frozenset({model}))}


def _options(command: click.Command) -> Iterator[str]:
    yield from (one.name or "" for one in command.params if isinstance(one, click.Option))
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _options(inner)


def _repeated_class_names() -> int:
    names = Counter(
        node.name
        for path in _modules()
        for node in ast.parse((ROOT / path).read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return sum(count > 1 for count in names.values())


def spent() -> dict[str, dict[str, int]]:
    """Return what each part comes to, as the budget has it."""
    return {
        "lines": {room: _lines(room) for room in BUDGET["lines"]},
        "counts": {
            "contracts": len({one.name for one in declared()}),
            "keys": len(every_key()),
            "options": sum(1 for _ in _options(cli)),
            "repeated_class_names": _repeated_class_names(),
        },
    }


@pytest.mark.parametrize("part", BUDGET)
def test_what_is_spent_is_within_the_budget(part: str) -> None:
    over = {
        name: f"{value} of {BUDGET[part][name]}"
        for name, value in spent()[part].items()
        if value > BUDGET[part][name]
    }
    assert not over, "cut, or raise tests/budget.toml and say why"


if __name__ == "__main__":
    for part, values in spent().items():
        for name, value in values.items():
            print(f"{part}.{name}: {value} of {BUDGET[part][name]}")
