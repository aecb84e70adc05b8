"""Scores are the exact definitions, at the real size, and the data are what their script makes."""

import json
import math
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from evaluator.core.formats.bundle import parse_bundle
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.leaderboard.tables import to_text
from evaluator.importing.pinned import content_digest
from evaluator.plugins.scaffold.benchmark import TEMPLATES
from tests.benchmarks.ogb import NAMES, Desk, bundle, modules
from tests.repository import Repository

SHARED = ("scoring_program/*", "split.py", "stand_in.py", "Dockerfile", "requirements.txt",
          "terms.md", "starting_kit/check.py", "starting_kit/submission.yaml")  # fmt: skip


def exact(metric: str, predicted: np.ndarray, true: np.ndarray) -> Fraction:
    """The definition, row by row, in rational numbers."""
    total = Fraction(0)
    for row, truth in zip(predicted.tolist(), true.tolist(), strict=True):
        if metric == "acc":
            total += row == truth
        elif metric == "mrr":
            total += Fraction(1, row.index(truth) + 1) if truth in row else 0
        else:
            total += abs(Fraction(row) - Fraction(truth))
    return total / len(true)


def draw(desk_task: dict[str, int], true: np.ndarray, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    if desk_task["width"]:
        rows = np.arange(10, dtype=np.int32)[None, :] + random.integers(0, 9**8, (len(true), 1))
        rows = rows.astype(np.int32)
        right = random.random(len(true)) < 0.5
        rows[right, random.integers(0, 10, len(true))[right]] = true[right]
        return rows
    if desk_task["divisor"] > 1:
        return (true + random.normal(0, 1, len(true))).astype(np.float32)
    return np.where(random.random(len(true)) < 0.5, true, 0).astype(np.int16)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["test-dev", "valid"])
def test_full_size_scores_are_exact(name: str, mode: str) -> None:
    program, reference = bundle(name) / "scoring_program", bundle(name) / "reference_data/test-dev"
    with modules(program, "task", "metrics", "checks") as (task, metrics, checks):
        read = task.read_task(reference)
        true = task.read_truth(reference, read, mode)
        assert len(true) == read.rows[mode]
        predicted = draw({"width": read.width, "divisor": read.divisor}, true, 7)
        assert list(checks.faults(predicted, read.low, read.high)) == []
        found = metrics.METRICS[read.metric](predicted, true)
    wanted = exact(read.metric, predicted, true)
    assert math.isclose(found, float(wanted), rel_tol=0, abs_tol=1e-12)
    assert 0.1 < found < 0.9


@pytest.mark.parametrize("name", NAMES)
def test_a_right_submission_with_and_without_validation(tmp_path: Path, name: str) -> None:
    desk = Desk(tmp_path, name)
    desk.save(desk.good())
    scores = desk.score()
    best = 0 if name == "pcqm4mv2" else 1
    assert set(scores) == {desk.task["metric"], "predictions_digest"}
    assert scores[desk.task["metric"]] == pytest.approx(best, abs=1e-6)
    desk.save(desk.good("valid"), "valid")
    more = desk.score()
    assert more.pop("validation") == pytest.approx(best, abs=1e-6)
    assert more == scores


def test_a_fortran_ordered_file_is_read_as_it_is(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "wikikg90mv2")
    desk.save(desk.good())
    plain = desk.score()
    desk.save(np.asfortranarray(desk.good()))
    assert desk.score() == plain


def test_the_fingerprint_is_of_the_values_not_of_the_file(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "mag240m")
    desk.save(desk.good())
    digest = desk.score()["predictions_digest"]
    assert digest == int(digest) < 2**53
    np.savez(desk.path(), y_pred=desk.good())
    assert desk.score()["predictions_digest"] == digest
    other = desk.good()
    other[0] = (other[0] + 1) % 153
    desk.save(other)
    assert desk.score()["predictions_digest"] != digest


def test_the_split_is_a_rule() -> None:
    """MAG240M's in ogb is idx % 5 < 3; the paper calls it random."""
    with modules(bundle("mag240m"), "split") as (split,):
        found = split.by_fifths(146_818)
        assert {mode: len(rows) for mode, rows in found.items()} == {
            "test-dev": 88_092, "test-challenge": 58_726,
        }  # fmt: skip
        assert found["test-dev"][:4].tolist() == [0, 1, 2, 5]
        assert found["test-challenge"][:4].tolist() == [3, 4, 8, 9]
        assert np.array_equal(np.sort(np.concatenate(list(found.values()))), np.arange(146_818))
        assert {m: len(r) for m, r in split.by_fifths(25_000).items()} == {
            "test-dev": 15_000, "test-challenge": 10_000,
        }  # fmt: skip
        found = split.in_order(147_037, 147_432)
        assert (found["test-dev"][-1], found["test-challenge"][0]) == (147_036, 147_037)
        assert len(found["test-challenge"]) == 147_432


@pytest.mark.parametrize("name", NAMES)
def test_the_data_are_what_their_script_makes(tmp_path: Path, name: str) -> None:
    copy = tmp_path / "bundle"
    shutil.copytree(bundle(name), copy)
    shutil.rmtree(copy / "reference_data")
    for arguments in ([], ["--private", str(tmp_path / "data")]):
        subprocess.run([sys.executable, "-B", str(copy / "make_data.py"), *arguments], check=True)
    committed = content_digest(bundle(name) / "reference_data")
    assert content_digest(copy / "reference_data") == committed
    files = [path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()]
    found, problems = parse_bundle(
        f"ogb-lsc-{name}", (copy / "competition.yaml").read_bytes(), files
    )
    assert found is not None, problems
    pinned = [private for task in found.tasks for private in task.private]
    assert len(pinned) == (2 if name == "mag240m" else 1)
    for private in pinned:
        assert content_digest(tmp_path / "data" / private.source) == private.sha256


def test_the_whole_test_set_is_both_parts_in_order(tmp_path: Path) -> None:
    """The test-whole of ogb, which MAG240M alone has; its file names no mode."""
    folder, inputs, entry = bundle("mag240m"), tmp_path / "inputs", tmp_path / "in/res"
    for option, target in (("--private", tmp_path), ("--inputs", inputs)):
        made = _python(folder / "make_data.py", option, target)
        assert made.returncode == 0, made.stderr
    made = _python(folder / "starting_kit/baselines.py", "vote", inputs, "test-whole", entry)
    assert made.returncode == 0, made.stderr
    assert [path.name for path in entry.iterdir()] == ["y_pred_mag240m.npz"]
    done = _python(folder / "starting_kit/check.py", "test-whole", entry)
    assert done.returncode == 0 and "y_pred_mag240m.npz would be scored" in done.stdout
    done = _python(folder / "starting_kit/check.py", "test-dev", entry)
    assert "y_pred_mag240m.npz belongs to test-whole; this phase takes test-dev" in done.stderr
    truth = tmp_path / "ogb-lsc-mag240m"
    whole = np.load(truth / "test-whole/test-whole.npy")
    dev = np.arange(len(whole)) % 5 < 3
    assert np.array_equal(whole[dev], np.load(folder / "reference_data/test-dev/test-dev.npy"))
    assert np.array_equal(whole[~dev], np.load(truth / "test-challenge/test-challenge.npy"))
    (truth / "test-whole").rename(tmp_path / "in/ref")
    with modules(folder / "scoring_program", "scoring") as (scoring,):
        scoring.main(tmp_path / "in", tmp_path)
    scores = json.loads((tmp_path / "scores.json").read_text())
    with np.load(entry / "y_pred_mag240m.npz") as file:
        assert scores["acc"] == pytest.approx((file["y_pred"] == whole).mean(), abs=1e-12)


@pytest.mark.parametrize("name", NAMES[1:])
def test_the_bundles_share_their_programs(name: str) -> None:
    for pattern in SHARED:
        for path in bundle("mag240m").glob(pattern):
            if path.is_file():
                there = bundle(name) / path.relative_to(bundle("mag240m"))
                assert there.read_bytes() == path.read_bytes(), there


def test_the_template_has_the_same_programs() -> None:
    there = TEMPLATES / "ogb" / "bundle"
    for pattern in ("scoring_program/*.*", "Dockerfile", "requirements.txt"):
        for path in bundle("mag240m").glob(pattern):
            assert (there / path.relative_to(bundle("mag240m"))).read_bytes() == path.read_bytes()


@pytest.mark.slow
@pytest.mark.docker
def test_the_template_scores_ten_seeds(repo: Repository) -> None:
    repo.pullbench("init", "mine", "--template", "ogb")
    repo.commit()
    records = repo.run()
    assert len(records) == 10
    assert all(record.error is None for record in records.values())
    (row,) = leaderboard_at(repo.path, "mine", phase=None, task=None, at=None).rows
    result = row.tasks["test"]
    assert result.values["acc"] == pytest.approx(0.9625)
    assert result.deviations["acc"] == pytest.approx(0.0603807, abs=1e-6)  # sample, as torch.std
    assert result.values["validation"] == pytest.approx(0.925)
    board = leaderboard_at(repo.path, "mine", phase=None, task=None, at=None)
    assert "0.9250 (" not in to_text(board)


def test_nine_and_eleven_files_of_seeds_are_refused_before_anything_runs(
    repo: Repository,
) -> None:
    repo.pullbench("init", "mine", "--template", "ogb")
    repo.commit()
    assert repo.problems() == []
    (entry,) = (file.parent for file in repo.path.glob("submissions/mine/*/*/submission.yaml"))
    (entry / "y_pred_valid_seed3.npz").unlink()  # which nobody asks for
    ninth = entry / "y_pred_test_seed9.npz"
    (entry / "y_pred_test_seed10.npz").write_bytes(ninth.read_bytes())
    repo.commit("Eleven")
    (problem,) = repo.problems()
    assert "has the file 'y_pred_test_seed10.npz' beside it, which nothing reads" in problem.message
    assert "files are numbered from 0 to 9" in problem.hint
    assert repo.reasons() == {}
    (entry / "y_pred_test_seed10.npz").unlink()
    ninth.unlink()
    repo.commit("Nine")
    (problem,) = repo.problems()
    assert "needs the file 'y_pred_test_seed9.npz' beside it" in problem.message


def test_files_of_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each repeat reads its own file, and a file of no seed is refused."""
    desk = Desk(tmp_path, "mag240m")
    monkeypatch.setenv("PULLBENCH_REPEAT", "1")
    wrong = (desk.good() + 1) % 153
    for seed, array in enumerate((wrong, desk.good(), wrong)):
        desk.save(array).rename(desk.given / f"y_pred_mag240m_test-dev_seed{seed}.npz")
    assert desk.score()["acc"] == 1
    desk.save(desk.good())
    assert "y_pred_mag240m_test-dev.npz belongs to" not in desk.refusal()
    assert "y_pred_mag240m_test-dev.npz is not a file of this phase" in desk.refusal()
    monkeypatch.setenv("PULLBENCH_REPEAT", "3")
    assert "the file y_pred_mag240m_test-dev_seed3.npz is missing" in desk.refusal()


@pytest.mark.parametrize("name", NAMES)
def test_the_starting_kit(tmp_path: Path, name: str) -> None:
    """Baselines make files that the check accepts, and it says what is wrong with others."""
    inputs, entry = tmp_path / "inputs", tmp_path / "entry"
    method = {"mag240m": "vote", "wikikg90mv2": "retrieved", "pcqm4mv2": "linear"}[name]
    made = _python(bundle(name) / "make_data.py", "--inputs", inputs)
    assert made.returncode == 0, made.stderr
    for mode in ("test-challenge", "valid"):
        made = _python(bundle(name) / "starting_kit/baselines.py", method, inputs, mode, entry)
        assert made.returncode == 0, made.stderr
    check = bundle(name) / "starting_kit" / "check.py"
    done = _python(check, "test-challenge", entry)
    assert done.returncode == 0 and done.stdout.endswith("_valid.npz would be scored\n")
    done = _python(check, "test-dev", entry)
    assert done.returncode == 1 and "_test-dev.npz is missing" in done.stderr
    assert "test is no phase" in _python(check, "test", entry).stderr


def _python(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", *map(str, arguments)],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
