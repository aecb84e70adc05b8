"""Hostile submissions in real containers, as whoever runs the tests, with how their cells end.

All that enter one bundle run in one run, and honest cells after them on the same machine.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from evaluator.core.formats.record import Record
from evaluator.core.formats.schema import dump_yaml
from tests.hostile.cases import Case, ContainerAttack, cases, name_of
from tests.hostile.endings import differences, ending
from tests.repository import Repository
from tests.test_bundles import expected

pytestmark = pytest.mark.docker

ALL = cases(ContainerAttack)
CANARIES = ("CANARY-REFERENCE-8d1f", "CANARY-INPUT-52c0", "CANARY-NEIGHBOUR-e7a4")
"""Words in the vault."""
OWNER = "mallory"


@dataclass(frozen=True)
class Ran:
    """What became of all attacks on one bundle."""

    records: Mapping[str, Record]
    honest: Mapping[str, Record]
    """Run after them."""
    texts: Mapping[str, str]
    """By path below ``submissions/``: everything that was written for the public."""


def enter(repo: Repository, case: Case[ContainerAttack]) -> None:
    folder = f"submissions/{case.attack.benchmark}/{OWNER}/{case.name}"
    repo.write(f"{folder}/submission.yaml", dump_yaml(case.attack.submission))
    for path, content in case.files().items():
        repo.write(f"{folder}/{path}", content)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Ran]:
    """What became of the attacks, by bundle, run when the first test asks for it."""

    class Runs(dict[str, Ran]):
        def __missing__(self, bundle: str) -> Ran:
            repo = Repository(tmp_path_factory.mktemp("containers") / "repo")
            self[bundle] = run_all(repo.with_bundle(bundle), bundle)
            return self[bundle]

    return Runs()


def run_all(repo: Repository, bundle: str) -> Ran:
    attacks = [case for case in ALL if case.attack.bundle == bundle]
    honest = [cell for cell, end in expected(bundle)["cells"].items() if end == "finished"][:2]
    for case in attacks:
        enter(repo, case)
    repo.commit("Attacks")
    # On most boards somebody's program ran through before: the control of a failure.
    repo.run(*honest, lanes=1)
    cells = [
        f"{case.attack.benchmark}/{OWNER}/{case.name}/{cell}"
        for case in attacks
        for cell in case.attack.ends
    ]
    records = repo.run(*cells, lanes=2)
    after = repo.run(*honest, lanes=1, fresh=True)
    top = repo.path / "submissions"
    texts = {
        path.relative_to(top).as_posix(): path.read_text(errors="replace")
        for path in top.glob("*/*/*/scores/**/*")
        if path.is_file()
    }
    return Ran(records, after, texts)


def spellings(word: str) -> set[str]:
    """Return ways to write a word that a reader undoes at once."""
    content = word.encode()
    return {
        word, word[::-1], word.casefold(), content.hex(),
        *(base64.b64encode(b"x" * shift + content).decode()[4:-4] for shift in range(3)),
    }  # fmt: skip


@pytest.mark.parametrize("case", ALL, ids=name_of)
def test_container(case: Case[ContainerAttack], runs: Mapping[str, Ran]) -> None:
    attack = case.attack
    ran = runs[attack.bundle]
    own = f"{attack.benchmark}/{OWNER}/{case.name}"
    for cell, wanted in attack.ends.items():
        record = ran.records[f"{own}/{cell}"]
        assert record.provenance.isolation != "none"
        logs = {step.step: step.log for step in record.steps}
        assert list(differences(record, wanted)) == [], logs
    public = "".join(text for path, text in ran.texts.items() if path.startswith(f"{own}/"))
    assert public
    known = (*CANARIES, *attack.canaries)
    assert [word for word in known if any(way in public for way in spellings(word))] == []


@pytest.mark.parametrize("bundle", sorted({case.attack.bundle for case in ALL}))
def test_honest_submissions_score_after_them(bundle: str, runs: Mapping[str, Ran]) -> None:
    honest = runs[bundle].honest
    assert honest
    assert {cell: ending(record) for cell, record in honest.items()} == dict.fromkeys(
        honest, "finished"
    )
