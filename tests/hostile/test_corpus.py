"""The corpus itself: every folder is an attack of one family, and none is passed over."""

import pytest

from tests.hostile.cases import FAMILIES, HERE, Attack, Case, cases

ALL = [case for family in FAMILIES.values() for case in cases(family)]


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.folder.parent.name}/{case.name}")
def test_it_says_what_it_should(case: Case[Attack]) -> None:
    assert case.attack.attack.strip().endswith((".", "?")), "a sentence"
    known = {"attack.yaml", "attack.py", "files", "__pycache__"}
    assert {path.name for path in case.folder.iterdir()} <= known


def test_every_folder_is_one_of_a_family() -> None:
    folders = {path.name for path in HERE.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == set(FAMILIES)
    listed = {file.parent for file in HERE.rglob("attack.*")}
    assert listed == {case.folder for case in ALL}


def test_every_family_has_a_runner() -> None:
    assert {f"test_{family}.py" for family in FAMILIES} <= {path.name for path in HERE.iterdir()}
