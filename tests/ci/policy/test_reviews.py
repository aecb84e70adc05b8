"""What a plugin says of an entry before it is approved, by the contract ``reviews``."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.policy.reviews import Opinion, Review
from evaluator.core.plugins import Plugin
from tests.ci.steps.conftest import NOON, ORGANISER, Forge, entry
from tests.plugging import plug_in
from tests.repository import BRANCH
from tests.steps import approve, receive

MALLORY = "adding/mallory/one"
BUNDLE = "benchmarks/adding/competition.yaml"


class Length(Review):
    """Asks about every entry, wants to read it, and refuses it if a job says so."""

    def opinions(self, ledger: Ledger) -> Iterator[Opinion]:
        yield Opinion(verdict="ask", submission=MALLORY, reason="Is it short?")
        read = [path for path in ledger.entries.below("length") if "said" in path]
        if not read:
            yield Opinion(verdict="screen", submission=MALLORY, reason="It was not read.")
        elif read[0].endswith("long"):
            yield Opinion(verdict="refuse", submission=MALLORY, reason="It is long.")

    def arrival_notes(self) -> dict[str, bytes]:
        return {f"length/{self.pull.tree}-came": b"{}"}

    def verdict_notes(self, folder: Path) -> dict[str, bytes]:
        return {f"length/{self.pull.tree}-said-{(folder / 'said').read_text()}": b"{}"}


@pytest.mark.parametrize("said", ["short", "long"])
def test_it_asks_reads_and_refuses(
    forge: Forge, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: str
) -> None:
    plug_in(monkeypatch, Plugin(offers={"reviews.length": f"{__name__}:Length"}))
    forge.ours.replace(
        BUNDLE, "\npullbench:\n", "\npullbench:\n  policy: {approve: {code: everyone}}\n"
    )
    forge.ours.commit("A policy")
    forge.ours.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
    source = forge.open(1, entry("mallory"))
    came = receive(forge.ours.path, source, "mallory", NOON)
    assert came.next == "screen"
    assert [problem.message for problem in came.report.problems] == ["Is it short?"]
    assert [path for path in forge.ledger.entries.below("length") if path.endswith("-came")]
    (tmp_path / "said").write_text(said)
    by_policy = approve(forge.ours.path, source, "mallory", None, NOON, verdicts=tmp_path)
    assert not by_policy.ok
    assert by_policy.report.reason == ("It is long." if said == "long" else "Is it short?")
    labelled = approve(forge.ours.path, source, "mallory", ORGANISER, NOON)
    assert labelled.ok == (said == "short")
    assert [p.message for p in labelled.report.problems] == ["It is long."] * (not labelled.ok)
