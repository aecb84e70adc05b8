"""Every bundle in tests/bundles, found by itself: a new situation needs no new code.

A bundle's expected.json says what ``validate`` prints (nothing, where it says nothing), and how
its cells end: ``finished``, or reason, who must act, and the step; and ``opened``, which cells
their ends make possible.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Record
from evaluator.core.planning.cells import cells
from tests.repository import BUNDLES, Repository

NAMES = sorted(path.name for path in BUNDLES.iterdir())


@cache
def expected(name: str) -> dict[str, Any]:
    file = BUNDLES / name / "expected.json"
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return found


def ending(record: Record) -> str:
    if record.error is None:
        return record.status
    parts = (record.error.reason, record.error.actor, record.error.step)
    return ", ".join(part for part in parts if part)


@pytest.mark.parametrize("name", NAMES)
def test_validate(name: str, repo: Repository) -> None:
    problems = repo.with_bundle(name).problems()
    if name == "malformed-results":
        assert problems
        assert all(problem.line and problem.hint is not None for problem in problems)
        return
    assert [str(problem) for problem in problems] == expected(name).get("problems", [])


def evaluated() -> Iterator[Any]:
    """Yield bundles that have cells: those that end in time have far more of it than they need.

    Most cells of ``parallel`` are those of tests/core/compute/test_parallel.py.
    """
    for name in NAMES:
        if "cells" in expected(name):
            yield pytest.param(name, marks=pytest.mark.slow if name == "parallel" else ())


@pytest.mark.docker
@pytest.mark.parametrize("name", list(evaluated()))
def test_run(name: str, repo: Repository) -> None:
    wanted = expected(name)["cells"]
    repo.with_bundle(name)
    assert {str(cell.id) for cell in cells(repo.snapshot(), utc_now())} == set(wanted)
    records = repo.run(lanes=4)
    assert {cell: ending(record) for cell, record in records.items()} == wanted
    assert sorted(repo.reasons()) == expected(name).get("opened", [])
    assert [str(problem) for problem in repo.problems()] == expected(name).get("problems", [])
