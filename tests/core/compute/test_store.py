from pathlib import Path
from typing import Any

import pytest

from evaluator.core.compute.store import PredictionStore
from evaluator.core.formats.record import Step

KEY = "ab" * 32
STEP = Step(step="ingestion", wall_seconds=0.125, cpu_seconds=0.1, peak_memory=5, exit_code=0)


ABOUT: dict[str, Any] = {"started": "2026-01-01T00:00:00+00:00", "record": "its cell"}


def fill(folder: Path) -> None:
    (folder / "secretive").mkdir(mode=0o700)
    file = folder / "secretive" / "answer.txt"
    file.write_text("42")
    file.chmod(0o4700)


def test_what_is_put_is_got(tmp_path: Path) -> None:
    store = PredictionStore(tmp_path, "docker")
    assert store.get(KEY) is None
    made = store.put(KEY, fill, STEP, **ABOUT)
    found = PredictionStore(tmp_path, "docker").get(KEY)
    assert found == made
    assert found is not None
    assert found.step == STEP
    assert (found.folder / "secretive/answer.txt").read_text() == "42"


def test_the_scorers_user_can_read_it(tmp_path: Path) -> None:
    folder = PredictionStore(tmp_path, "docker").put(KEY, fill, STEP, **ABOUT).folder
    assert (folder / "secretive").stat().st_mode & 0o7777 == 0o755
    assert (folder / "secretive/answer.txt").stat().st_mode & 0o7777 == 0o644


def test_what_fails_is_not_stored(tmp_path: Path) -> None:
    def half(folder: Path) -> None:
        fill(folder)
        raise RuntimeError("in the middle")

    store = PredictionStore(tmp_path, "docker")
    with pytest.raises(RuntimeError):
        store.put(KEY, half, STEP, **ABOUT)
    assert store.get(KEY) is None
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_nothing_is_replaced_under_a_scorer_that_reads_it(tmp_path: Path) -> None:
    """The same key is the same content: the first stays, and only dropping makes room."""
    store = PredictionStore(tmp_path, "docker")
    first = store.put(KEY, fill, STEP, **ABOUT)
    before = sorted(first.folder.iterdir())
    assert before
    other = store.put(KEY, lambda folder: None, STEP, **ABOUT)
    assert sorted(other.folder.iterdir()) == before
    store.drop(KEY)
    store.drop(KEY)
    assert store.get(KEY) is None
    assert list(store.put(KEY, lambda folder: None, STEP, **ABOUT).folder.iterdir()) == []


def test_a_damaged_entry_is_replaced(tmp_path: Path) -> None:
    store = PredictionStore(tmp_path, "docker")
    (store.put(KEY, fill, STEP, **ABOUT).folder.parent / "step.json").write_text("[")
    assert list(store.put(KEY, lambda folder: None, STEP, **ABOUT).folder.iterdir()) == []
    assert store.get(KEY) is not None


@pytest.mark.parametrize("content", ["", "{}", "["])
def test_a_damaged_entry_counts_as_absent(tmp_path: Path, content: str) -> None:
    store = PredictionStore(tmp_path, "docker")
    folder = store.put(KEY, fill, STEP, **ABOUT).folder
    (folder.parent / "step.json").write_text(content)
    assert store.get(KEY) is None
