"""SECURITY.md: every promise leads to tests that are there, and the corpus has its size."""

import re
from pathlib import Path

import pytest

from tests.hostile.cases import FAMILIES, HERE, cases

ROOT = Path(__file__).parents[2]
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \|$", (ROOT / "SECURITY.md").read_text(), re.M)
LEAST = 150


def test_promises_are_numbered() -> None:
    assert [int(number) for number, _, _ in ROWS] == list(range(1, len(ROWS) + 1))


@pytest.mark.parametrize(("number", "promise", "tests"), ROWS)
def test_promise(number: str, promise: str, tests: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", tests)
    assert links
    for link in links:
        path = ROOT / link
        assert link.startswith("tests/")
        if path.is_dir():
            assert path.parent == HERE
            assert path.name in FAMILIES
            assert any(path.iterdir())
        else:
            assert "def test_" in path.read_text()


def test_every_family_is_behind_a_promise() -> None:
    linked = {link for _, _, tests in ROWS for link in re.findall(r"tests/hostile/(\w+)", tests)}
    assert linked == set(FAMILIES)


def test_there_are_enough_attacks() -> None:
    assert sum(len(cases(family)) for family in FAMILIES.values()) >= LEAST
