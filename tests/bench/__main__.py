"""Prints one line per value: name, number, unit; then what its figure is to hold.

Usage: python -m tests.bench [--base REV] [--rounds N] [--output FILE] [FIGURE...]

With --base each figure is measured in turn at a commit and here, and ratios are printed.
With --output the values become a submission to the board of these figures.

BENCH_SUBMISSIONS=N sets the size of repositories. With BENCH_SMALL=1 sizes are so small that the
values mean nothing.
"""

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from tests.bench import comparison, entry
from tests.bench.figures import FIGURES
from tests.bench.repository import FOLDER
from tests.bench.sizes import SMALL


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for, or everything."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("figures", nargs="*", metavar="FIGURE")
    parser.add_argument("--base", metavar="REV", help="a commit to compare with")
    parser.add_argument("--rounds", type=int, default=3, help="of a comparison")
    parser.add_argument("--output", type=Path, metavar="FILE", help="a submission.yaml to write")
    given = parser.parse_args(arguments)
    unknown = set(given.figures) - FIGURES.keys()
    if unknown:
        parser.error(f"no figure: {', '.join(sorted(unknown))}; figures are: {', '.join(FIGURES)}")
    names = given.figures or list(FIGURES)
    if given.base:
        sys.exit(comparison.compare(given.base, names, given.rounds))
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        os.environ.setdefault(FOLDER, folder)
        values, broken = measure(names)
    if given.output:
        given.output.parent.mkdir(parents=True, exist_ok=True)
        given.output.write_text(entry.submission(values), encoding="utf-8")
    if broken:
        sys.exit(f"broken: {' '.join(broken)}")


def measure(names: Sequence[str]) -> tuple[dict[str, float], list[str]]:
    """Print the values of figures as they come; returns them, and which figures broke."""
    values: dict[str, float] = {}
    broken, missed = [], []
    for name in names:
        figure = FIGURES[name]
        try:
            for label, value, unit in figure.values():
                print(f"{label} {value:.3f} {unit}", flush=True)
                values[label] = value
                if label in figure.goals and not figure.goals[label].holds(value):
                    missed.append(label)
        except Exception:
            # One that broke must not keep the others from being seen.
            traceback.print_exc()
            broken.append(name)
        goals = "; ".join(f"{label} {goal}" for label, goal in figure.goals.items())
        print(f"# {name}: {goals}", flush=True)
    if missed and not SMALL:
        print(f"# missed: {' '.join(missed)}")
    return values, broken


if __name__ == "__main__":
    main()
