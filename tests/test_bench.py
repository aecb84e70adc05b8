"""Each figure of `make bench` is measured, with sizes so small that its value means nothing.

Issue 29, 2.11: none may break unseen.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import FIGURES

ROOT = Path(__file__).parents[1]
NEEDS = {"", "docker", "browser"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "needs",
    ["", pytest.param("docker", marks=pytest.mark.docker),
     pytest.param("browser", marks=pytest.mark.browser)],
)  # fmt: skip
def test_every_figure_is_measured(needs: str) -> None:
    assert {figure.needs for figure in FIGURES.values()} == NEEDS
    measure([name for name, figure in FIGURES.items() if figure.needs == needs])


def test_some_figures_are_measured() -> None:
    measure(["scores_bytes_per_cell", "two_way_plan"])


def measure(names: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", *names], cwd=ROOT,
        env={**os.environ, "BENCH_SMALL": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line[2:].partition(":")[0] for line in lines if line.startswith("# ")] == names


def test_a_figure_that_breaks_is_named_and_keeps_no_other_back() -> None:
    program = (
        "import sys; from tests.bench import __main__ as bench; "
        "bench.FIGURES = {'one': bench.Figure(measure=lambda: 1 // 0, limit='none'), "
        "'two': bench.Figure(measure=lambda: [('two', 2.0, 's')], limit='none')}; "
        "sys.argv[1:] = []; bench.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["# one: none", "two 2.000 s", "# two: none"]
    assert done.stderr.endswith("broken: one\n")
