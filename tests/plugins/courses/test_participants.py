"""A class list becomes the closed list of a bundle, and who is not on it is told so."""

import re
import subprocess
from pathlib import Path

import pytest

from evaluator.ci.steps.comment import to_markdown
from evaluator.importing.edited_yaml import with_value
from tests.ci.policy.test_entrants import BUNDLE, come, push
from tests.ci.steps.conftest import Forge, make_forge
from tests.repository import Repository

ROSTER = "number,login,note\n71,@Carol,\n72,dora,ill in May\n73,,\n"


@pytest.fixture
def forge(tmp_path: Path, small: Repository) -> Forge:
    return make_forge(tmp_path, small)


def write(repo: Repository, roster: str) -> subprocess.CompletedProcess[str]:
    file = repo.path.parent / "roster.csv"
    file.write_text(roster)
    return repo.pullbench("participants", "adding", "--roster", str(file))


def digests(repo: Repository) -> list[str]:
    return re.findall(r"- ([0-9a-f]{64})\n", (repo.path / BUNDLE).read_text())


def test_who_is_on_the_list_enters_and_who_is_not_learns_it(forge: Forge) -> None:
    done = write(forge.ours, ROSTER)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{BUNDLE}: 2 participants, 2 added, 0 removed\n"
    assert "73 has no login in" in done.stderr
    assert not forge.ours.problems()
    push(forge)
    assert come(forge, "carol").ok
    refused = come(forge, "Finn", "finn")
    assert not refused.ok
    said = to_markdown(refused.report)
    assert "'Finn' is not among the participants of adding" in said
    assert "ask the organisers to add your login" in said
    # One command lets him in, and the others stay as they are.
    before = digests(forge.ours)
    done = write(forge.ours, ROSTER.replace("73,,", "73,finn,"))
    assert done.stdout.endswith(": 3 participants, 1 added, 0 removed\n")
    assert set(before) < set(digests(forge.ours))
    push(forge)
    assert come(forge, "Finn", "finn").ok
    done = write(forge.ours, "number,login\n71,carol\n")
    assert done.stdout.endswith(": 1 participant, 0 added, 2 removed\n")
    push(forge)
    assert not come(forge, "Finn", "finn").ok


def test_the_bundle_tells_nobody_and_is_as_it_was_for_the_rest(small: Repository) -> None:
    small.replace(BUNDLE, "\npullbench:\n", "\npullbench: # ours\n")
    before = (small.path / BUNDLE).read_text()
    write(small, ROSTER)
    after = (small.path / BUNDLE).read_text()
    assert not re.search("carol|dora|7[123]\\b|ill", after[len(before) :], re.IGNORECASE)
    added = re.search(r"(?m)^  participants:\n(    .*\n)+", after)
    assert added and after.replace(added[0], "") == before
    write(small, ROSTER)
    assert (small.path / BUNDLE).read_text() == after


@pytest.mark.parametrize(
    ("given", "roster", "said"),
    [
        ("{names: [ada]}", ROSTER, "lets others in by 'names' or 'domains'"),
        ("{domains: [uni.example]}", ROSTER, "lets others in by 'names' or 'domains'"),
        ("", "number,login\n1,\n", "has no login"),
    ],
)
def test_a_list_that_would_not_be_the_whole_truth_is_refused(
    small: Repository, given: str, roster: str, said: str
) -> None:
    if given:
        small.replace(BUNDLE, "\npullbench:\n", f"\npullbench:\n  participants: {given}\n")
    before = (small.path / BUNDLE).read_text()
    done = write(small, roster)
    assert done.returncode == 2
    assert said in done.stderr
    assert (small.path / BUNDLE).read_text() == before


@pytest.mark.parametrize(
    ("text", "keys", "wanted"),
    [
        ("a: 1\nb: # why\n  c: 2 # two\n", ("b", "d"), "a: 1\nb: # why\n  d: new\n  c: 2 # two\n"),
        ("b:\n  c:\n    - x\n\n  d: 3\n", ("b", "c"), "b:\n  c: new\n\n  d: 3\n"),
        ("b:\n  0:\n    c: 1", ("b", 0, "c"), "b:\n  0:\n    c: new\n"),
        ("b: {c: 1} # lost\n", ("b", "c"), "b:\n  c: new\n"),
        ("a: 1\nb:\n", ("b", "c", "d"), "a: 1\nb:\n  c:\n    d: new\n"),
    ],
)
def test_a_value_is_written_at_its_place(
    text: str, keys: tuple[str | int, ...], wanted: str
) -> None:
    assert with_value(text.encode(), "new", *keys).decode() == wanted
