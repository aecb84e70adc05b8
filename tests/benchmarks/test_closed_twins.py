"""Benchmarks of results whose labels are in git, and their twins whose labels are encrypted."""

import shutil
from pathlib import Path

import pytest
import yaml

from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.importing.files import zip_bytes
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import encrypt, make_keys
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
PHASES = {
    "diabetes-progression": "final", "ogb-lsc-mag240m": "test-dev",
    "ogb-lsc-pcqm4mv2": "test-dev", "ogb-lsc-wikikg90mv2": "test-dev",
}  # fmt: skip
"""With the phase whose labels are in git; those of digits-challenge are encrypted."""


def only_results(repo: Repository, name: str) -> list[str]:
    """Take a benchmark and its entries of results, without their scores; return the entries."""
    shutil.copytree(ROOT / "benchmarks" / name, repo.path / "benchmarks" / name)
    entries = []
    for sheet in sorted((ROOT / "submissions" / name).glob("*/*/submission.yaml")):
        content = yaml.safe_load(sheet.read_text())
        if content.get("kind") == "results" and content.get("phase", "") in ("", PHASES[name]):
            target = repo.path / sheet.parent.relative_to(ROOT)
            shutil.copytree(sheet.parent, target, ignore=shutil.ignore_patterns("scores"))
            entries.append(f"{name}/{sheet.parts[-3]}/{sheet.parts[-2]}")
    return entries


def close(repo: Repository, name: str, recipient: str) -> None:
    """Encrypt the labels that are in git."""
    folder = repo.path / "benchmarks" / name
    bundle = yaml.safe_load((folder / "competition.yaml").read_text())
    private = bundle["pullbench"].setdefault("private", [])
    for task in bundle["tasks"]:
        labels = folder / (task.get("reference_data") or "none")
        if not labels.is_dir():
            continue
        digest = content_digest(labels)
        files = {
            str(path.relative_to(labels)): (path.read_bytes(), False)
            for path in labels.rglob("*") if path.is_file()
        }  # fmt: skip
        shutil.rmtree(labels)
        file = f"truth-{task['index']}.age"
        (folder / file).write_bytes(encrypt(zip_bytes(files), [recipient]))
        private.append({"task": task["index"], "file": "reference_data", "encrypted": file,
                        "sha256": digest})  # fmt: skip
    (folder / "competition.yaml").write_text(yaml.safe_dump(bundle))


@pytest.mark.docker
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.slow if "ogb" in one else ()) for one in PHASES]
)
def test_a_closed_twin_scores_bit_for_bit_alike(
    repo: Repository, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    entries = only_results(repo, name)
    assert entries
    repo.commit()
    plain = repo.run(*(f"{one}/{PHASES[name]}" for one in entries))
    public, secret = make_keys()
    close(repo, name, public)
    repo.commit("A closed twin")
    faults = [one for one in repo.problems() if one.severity == "error"]
    assert [one for one in faults if "outcomes.json" not in one.file] == []  # of controls
    monkeypatch.setenv(DATA_IDENTITY, secret)
    closed = repo.run(*(f"{one}/{PHASES[name]}" for one in entries), fresh=True)
    assert plain.keys() == closed.keys()
    outcomes = [
        {cell: (one.status, one.scores, one.extra) for cell, one in records.items()}
        for records in (plain, closed)
    ]
    assert outcomes[0] == outcomes[1]
    assert any(one.scores for one in plain.values())
