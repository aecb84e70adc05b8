"""Who may enter. What nobody may do is in tests/hostile/pull_requests."""

from evaluator.plugins.artefacts.keys import pointer
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


def test_a_large_file_that_lies_elsewhere(forge: Forge) -> None:
    forge.ours.replace(
        "pyproject.toml",
        "[tool.pullbench]\n",
        '[tool.pullbench]\nartefacts = ["https://example.org/"]\n',
    )
    folder = "submissions/adding/mallory/first"
    pointed = {
        **entry("mallory"),
        f"{folder}/weights.bin": pointer("0" * 64, 5).decode(),
        f"{folder}/submission.yaml": "artefacts: {weights.bin: https://example.org/weights.bin}\n",
    }
    forge.ours.commit("Allow a place")
    forge.ours.git("push", "--quiet", "origin", "main")
    assert refusals(forge, pointed, "mallory") == [
        f"{folder}/submission.yaml: artefacts: the benchmark takes no artefacts. Commit the files "
        "themselves, or leave it out. [participant must act]"
    ]
    bundle = "benchmarks/adding/competition.yaml"
    forge.ours.replace(bundle, "pullbench:\n", "pullbench:\n  artefacts: 1 GiB\n")
    forge.ours.commit("Take large files")
    forge.ours.git("push", "--quiet", "origin", "main")
    assert refusals(forge, pointed, "mallory") == []
    (refusal,) = refusals(forge, {**pointed, f"{folder}/submission.yaml": "{}\n"}, "mallory")
    assert "weights.bin: is a Git LFS pointer, not the file" in refusal
