"""Framework definitions of the AutoML Benchmark, with inheritance and tags resolved."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.errors import UsageError
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import Document
from evaluator.plugins.openml.amlb.constraints import raise_errors, read_document
from evaluator.plugins.openml.amlb.definition import sanitise

TAGS = ("stable", "latest", "2020Q2", "2021Q3", "2023Q2")
"""Tags that come with the AutoML Benchmark; any other is looked for as well."""
_MODULE = re.compile(r"\w+(\.\w+)*")
_SETUP = ("setup_args", "setup_cmd", "setup_script", "setup_env")


@dataclass(frozen=True, kw_only=True)
class Framework:
    """One definition, with what it inherits."""

    name: str
    version: str
    module: str
    params: Mapping[str, Any]
    setup: Mapping[str, Any]
    """Keys ``setup_args``, ``setup_cmd``, ``setup_script`` and ``setup_env`` that are there."""
    description: str
    project: str
    parents: Sequence[str]
    """What it extends, from the nearest on."""


def tagged_file(file: Path, tag: str) -> Path:
    return file.with_name(f"{file.stem}_{tag}{file.suffix}") if tag else file


def find_framework(name: str, files: Sequence[Path]) -> Framework:
    """Find ``NAME:TAG`` in files, later over earlier. Raises UsageError, InvalidInputError."""
    wanted, _, tag = name.partition(":")
    entries: dict[str, tuple[str, dict[str, Any]]] = {}
    paths = [tagged_file(file, tag) for file in files]
    for path in paths:
        if not path.exists():
            if any(other.exists() for other in paths):
                continue
            raise UsageError(
                f"{shown(path.name)} is not there",
                hint=f"The tag '{tag}' belongs to it; AMLB's tags are {', '.join(TAGS)}."
                if tag else "",
            )  # fmt: skip
        document = read_document(path)
        _add(document, entries)
        raise_errors(document.problems)
    key = wanted.lower()
    if key not in entries:
        names = ", ".join(sorted(title for title, _ in entries.values()))
        raise UsageError(f"there is no framework '{wanted}'", hint=f"Known are {names}.")
    full_name, definition = entries[key]
    if definition.get("abstract"):
        raise UsageError(f"'{full_name}' is abstract: others extend it, and it does not run itself")
    return _resolve(full_name, entries)


def _add(document: Document, entries: dict[str, tuple[str, dict[str, Any]]]) -> None:
    if not isinstance(document.data, dict):
        document.report((), "must hold names of frameworks and their keys")
        return
    for name, entry in document.data.items():
        if entry is not None and not isinstance(entry, dict):
            document.report((str(name),), "must hold keys and values")
        elif str(name).lower() in entries:
            document.report((str(name),), "is defined twice")
        else:
            entries[str(name).lower()] = (str(name), entry or {})


def _resolve(name: str, entries: Mapping[str, tuple[str, dict[str, Any]]]) -> Framework:
    """Add what ancestors have and the framework has not; the nearest one wins."""
    chain = [name]
    values = dict(entries[name.lower()][1])
    parent = values.pop("extends", None)
    while parent is not None and str(parent).lower() != chain[-1].lower():
        if str(parent).lower() not in entries:
            raise UsageError(f"'{chain[-1]}' extends '{parent}', which is not there")
        if str(parent).lower() in map(str.lower, chain):
            raise UsageError(f"'{name}' extends itself: {' -> '.join([*chain, str(parent)])}")
        full_name, definition = entries[str(parent).lower()]
        chain.append(full_name)
        inherited = {k: v for k, v in definition.items() if k not in ("extends", "abstract")}
        values = {**inherited, **values}
        parent = definition.get("extends")
    if values.get("removed"):
        raise UsageError(f"'{name}' is removed: {' '.join(str(values['removed']).split())}")
    # The module of a family is that of its eldest; parameters are the nearest's alone.
    module = str(values.get("module") or f"frameworks.{sanitise(chain[-1])}")
    if not _MODULE.fullmatch(module):
        raise UsageError(f"'{name}' names the module '{shown(module)}', which cannot be imported")
    params = values.get("params") or {}
    if not isinstance(params, dict):
        raise UsageError(f"'{name}' has params that are no keys and values")
    return Framework(
        name=sanitise(name),
        version=str(values.get("version") or "stable"),
        module=module,
        params=params,
        setup={key: values[key] for key in _SETUP if values.get(key)},
        description=" ".join(str(values.get("description") or "").split()),
        project=str(values.get("project") or ""),
        parents=chain[1:],
    )
