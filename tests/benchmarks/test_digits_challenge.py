"""The closed challenge here: entries that were sealed, few digits, a half that was not shown."""

import math
import os
import subprocess
from pathlib import Path

import pytest

from evaluator.ci.policy.queue import read_queue
from evaluator.core.clock import utc_now
from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.core.leaderboard import tables
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.importing.pinned import content_digest
from evaluator.plugins.sealed.opening import verify_sealed
from evaluator.site.boards.drift import drift
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
NAME = "digits-challenge"
KEYS = (ROOT / "benchmarks" / NAME / "demonstration-keys.txt").read_text()
SEALED = 9


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tmp_path / "clone")], check=True)
    return tmp_path / "clone"


def test_what_was_sealed_is_what_was_opened() -> None:
    said = [*verify_sealed(load_snapshot(ROOT, "HEAD", only=NAME), NAME)]
    assert len(said) == SEALED
    for line, fits in said:
        assert fits
        assert "sealed until 2026-11-28 07:28 UTC, opened at " in line
        assert line.endswith(", fits")


def test_the_first_half_of_the_labels_is_public_and_the_second_is_not() -> None:
    private = load_snapshot(ROOT, "HEAD", only=NAME).benchmarks[NAME].tasks
    first, second = (pin for task in private for pin in task.private)
    opened = ROOT / "benchmarks" / NAME / "opened"
    assert content_digest(opened / "public") == first.sha256
    assert (first.until is not None, second.until) == (True, None)
    assert [path.name for path in opened.iterdir()] == ["public"]


def test_opening_has_not_changed_the_board(clone: Path) -> None:
    def board() -> str:
        return tables.to_text(leaderboard_at(clone, NAME, phase="public", task=None, at="HEAD"))

    repository, opened = Repository(clone), board()
    repository.git("rm", "-rq", f"submissions/{NAME}/*/*/scores/opened/*")
    repository.commit("As it was before")
    assert board() == opened
    assert len(opened.splitlines()) == 13
    said = [line for line, _ in verify_sealed(load_snapshot(clone, "HEAD", only=NAME), NAME)]
    assert {line.partition(": ")[2] for line in said} == {"sealed until 2026-11-28 07:28 UTC"}


def test_the_final_half_says_how_the_shown_scores_hold() -> None:
    public, final = (
        leaderboard_at(ROOT, NAME, phase=phase, task=None, at="HEAD")
        for phase in ("public", "final")
    )
    assert drift((public, final), final) == [
        "11 entries are in both phases: here Accuracy is 0.016 better on average.",
        "Among them, 6 changed their rank, by 3 at most.",
    ]


def test_the_meter_counts_what_was_shown(clone: Path) -> None:
    branch = Repository(clone).git("branch", "--show-current")
    report = read_queue(clone, utc_now(), branch=branch, remote=None)[0].report()
    public, final = (one for one in report.shown if one.benchmark == NAME)
    assert (public.phase, public.scores, public.most) == ("Public", 12, 2)
    assert public.bits == pytest.approx(12 * math.log2(1001))
    assert (final.phase, final.scores, final.most, final.bits) == ("Final", 11, 1, None)


@pytest.mark.docker
def test_the_demonstration_keys_reproduce_the_scores(clone: Path) -> None:
    repository = Repository(clone)
    entries = [f"{NAME}/judy", f"{NAME}/frank"]  # sealed, and plain
    environment = {**os.environ, DATA_IDENTITY: KEYS}
    done = repository.pullbench("reproduce", *entries, environment=environment)
    assert "compared with the committed records: 4 identical" in done.stdout, done.stdout
    done = repository.pullbench("reproduce", *entries, environment=dict(os.environ))
    assert "this machine does not have its private data" in done.stdout
    assert "nothing can be evaluated here" in done.stdout


@pytest.mark.docker
def test_a_pull_request_is_judged_by_the_controls_that_its_organiser_ran(clone: Path) -> None:
    """Its job has no key."""
    repository, environment = Repository(clone), dict(os.environ)
    base = repository.git("rev-parse", "HEAD")

    def judge() -> tuple[int, str]:
        judging = ("--base", base, "--head", repository.git("rev-parse", "HEAD"), "--remote", "")
        done = repository.pullbench("controls", *judging, environment=environment)
        return done.returncode, done.stdout + done.stderr

    scorer = f"benchmarks/{NAME}/scoring_program/scoring.py"
    repository.replace(scorer, "json.dumps({METRIC: value})", "json.dumps({METRIC: value / 2})")
    repository.commit("Half of each score")
    code, said = judge()
    assert code != 0
    assert "is of before a change of the scorer" in said
    with_key = {**environment, DATA_IDENTITY: KEYS}
    assert repository.pullbench("controls", NAME, environment=with_key).returncode == 0
    repository.commit("Its controls")
    code, said = judge()
    assert (code, f"{NAME}: controls/outcomes.json is as expected" in said) == (0, True), said
