"""Hidden labels that become public at a date."""

import datetime as dt
from pathlib import Path

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.core.planning.cells import Cell, cells
from evaluator.plugins.sealed.opening import commit_due, decrypt_due, due_names
from tests.challenge import BUNDLE, NAME, Challenge, begin
from tests.repository import BRANCH, Repository

ROWS = [{"id": f"row-{n}", "label": "ab"[n % 2]} for n in range(60)]
OPENED = f"benchmarks/{NAME}/opened/public"


@pytest.fixture
def challenge(repo: Repository) -> Challenge:
    return begin(repo, ROWS, "--metric", "accuracy")


def end_of(challenge: Challenge) -> dt.datetime:
    phase, _ = challenge.forge.ours.snapshot().benchmarks[NAME].phases
    assert phase.end is not None
    return phase.end


def publish_at(challenge: Challenge, when: dt.datetime) -> None:
    """Take the # off the line of the template; `end_of` is the date that it proposes."""
    ours, proposed = challenge.forge.ours, f'# until: "{end_of(challenge):%Y-%m-%d}"'
    ours.replace(BUNDLE, proposed, f'until: "{when.isoformat()}"')


def test_labels_open_at_their_date_if_they_are_what_the_bundle_pins(
    challenge: Challenge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, end = challenge.forge.ours, end_of(challenge)
    publish_at(challenge, end)
    ours.commit("A date")
    ours.git("push", "-q", "origin", f"HEAD:refs/heads/{BRANCH}")
    assert not [one for one in ours.problems() if one.severity == "error"]
    keys = {cell: one.keys.score for cell, one in _cells(ours).items()}
    early, late = end - dt.timedelta(seconds=1), end + dt.timedelta(seconds=1)
    assert due_names(ours.snapshot("HEAD"), early) == []
    assert due_names(ours.snapshot("HEAD"), late) == [OPENED]
    (reason,) = decrypt_due(ours.snapshot("HEAD"), late, tmp_path / "no-key")
    assert "public.age" in reason
    assert DATA_IDENTITY in reason
    output = tmp_path / "opened"
    monkeypatch.setenv(DATA_IDENTITY, challenge.key())
    assert decrypt_due(ours.snapshot("HEAD"), early, output) == []
    assert not [*output.rglob("*.csv")]
    assert decrypt_due(ours.snapshot("HEAD"), late, output) == []
    (labels,) = output.rglob("labels.csv")
    whole = labels.read_bytes()
    # A job between decrypting and committing cannot put in something else.
    for change in (lambda: labels.write_bytes(b"id,label\n"), lambda: None):
        change()
        (labels.parent / "more.csv").write_text("x")
        assert commit_due(ours.path, output, late, BRANCH, "origin").commit is None
    (labels.parent / "more.csv").unlink()
    labels.write_bytes(whole)
    assert commit_due(ours.path, output, early, BRANCH, "origin").commit is None
    assert commit_due(ours.path, output, late, BRANCH, "origin").commit
    ours.git("pull", "-q", "origin", BRANCH)
    assert (ours.path / OPENED / "labels.csv").read_bytes() == whole
    assert whole == (challenge.private / "public/labels.csv").read_bytes()
    assert not (ours.path / "benchmarks" / NAME / "opened/final").exists()
    assert due_names(ours.snapshot("HEAD"), late) == []
    assert not [one for one in ours.problems() if one.severity == "error"]
    assert {cell: one.keys.score for cell, one in _cells(ours).items()} == keys


def _cells(ours: Repository) -> dict[str, Cell]:
    return {str(cell.id): cell for cell in cells(ours.snapshot(), utc_now())}


def test_labels_do_not_open_while_a_phase_scores_by_them(challenge: Challenge) -> None:
    publish_at(challenge, end_of(challenge) - dt.timedelta(days=1))
    (problem,) = [one for one in challenge.forge.ours.problems() if one.severity == "error"]
    assert problem.file == BUNDLE
    assert "phase 'Public' still scores by it" in problem.message


def test_what_is_not_encrypted_has_no_date(challenge: Challenge) -> None:
    publish_at(challenge, end_of(challenge))
    challenge.forge.ours.replace(BUNDLE, "encrypted: public.age", "path: labels")
    messages = [one.message for one in challenge.forge.ours.problems() if one.file == BUNDLE]
    assert any("'until' is for what is 'encrypted'" in one for one in messages)
