"""The clock is set while verbs run, and between them. For many times: `make chaos KINDS=clocks`."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.core.compute.engine.container import _times
from evaluator.core.formats.content_cache import draft
from tests.chaos.clocks import CHAINS, compiler
from tests.site.conftest import ROOT

DAY = 24 * 3600


@pytest.mark.skipif(compiler() is None, reason="a C compiler makes what moves clocks")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["run", "collect", *CHAINS])
def test_what_is_left_is_that_of_a_steady_clock(name: str) -> None:
    seed = random.randrange(10**6)  # noqa: S311 - it is printed
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.clocks", "2", name, "--seed", str(seed)],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Seconds by which this process's clock is moved: their last."""
    offsets = [0.0]
    real = time.time
    monkeypatch.setattr("time.time", lambda: real() + offsets[-1])
    yield offsets


def test_a_draft_of_somebody_alive_is_left_to_him_whatever_the_clock_says(
    tmp_path: Path, moved: list[float]
) -> None:
    dead = tmp_path / ".part-dead"
    dead.mkdir()
    with draft(tmp_path) as ours:
        for offset in (365 * DAY, -365 * DAY):
            moved.append(offset)
            dead.mkdir(exist_ok=True)
            with draft(tmp_path):
                assert ours.exists()
                assert not dead.exists()


def test_a_program_lasts_no_year_where_its_engines_clock_is_set() -> None:
    def stamps(began: str, ended: str) -> float:
        state = {"StartedAt": f"{began}.5Z", "FinishedAt": f"{ended}.75Z"}
        return _times(state, 2.5, most=2.6)[0]

    assert stamps("2026-01-01T00:00:00", "2026-01-01T00:00:02") == 2.25
    assert stamps("2026-01-01T00:00:00", "2027-01-01T00:00:02") == 2.5
    assert stamps("2026-01-02T00:00:00", "2026-01-01T00:00:02") == 2.5
