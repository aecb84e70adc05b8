"""Who may enter. What nobody may do is in tests/hostile/pull_requests."""

from tests.ci.steps.conftest import NOON, Files, Forge, entry
from tests.steps import judge


def refusals(forge: Forge, files: Files, actor: str) -> list[str]:
    judged = judge(forge.ours.path, forge.open(1, files), actor, NOON)
    return [str(problem) for problem in judged.errors]


def test_a_stranger(forge: Forge) -> None:
    assert refusals(forge, entry("mallory"), "mallory") == []


def test_a_member_of_a_team(forge: Forge) -> None:
    assert refusals(forge, entry("cats"), "dora") == []


def test_a_name_that_an_organiser_admitted(forge: Forge) -> None:
    forge.ours.replace(
        "pyproject.toml", "[tool.pullbench]\n", '[tool.pullbench]\nparticipants = ["a1ice"]\n'
    )
    forge.ours.commit("Admit")
    forge.ours.git("push", "--quiet", "origin", "main")
    assert refusals(forge, entry("a1ice"), "a1ice") == []
