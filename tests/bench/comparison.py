"""Each figure in turn at another commit and here, in one run, and the ratios between the two."""

import math
import os
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree, ignore_patterns

from tests.bench.figures import FIGURES, Goal
from tests.bench.repository import FOLDER

ROOT = Path(__file__).parents[2]
TOLERANCE = 1.1
"""A value that is worse by more than this factor got slower."""
VALUE = re.compile(r"([^\s#]\S*) (-?[\d.]+|-?inf|nan) (.*)")
PROCESSOR = ("_processor", "_cpu_seconds")
"""Ends of names of processor seconds: they are judged in place of the seconds of the clock, which a
busy machine changes most."""
SUMMARY = "GITHUB_STEP_SUMMARY"
"""Names the file whose Markdown the forge shows beside a job."""


@dataclass(frozen=True, kw_only=True)
class Tree:
    """A commit that is installed."""

    root: Path
    python: Path
    repositories: Path
    """Where its figures keep what they share, from round to round."""
    with_its_tests: Path | None = None
    """The commit with its own tests, which measure what those of this tree cannot."""

    def measure(self, figure: str) -> dict[str, float]:
        """Measure in a process of its own.

        Raises subprocess.CalledProcessError where the figure breaks.
        """
        try:
            return self._measure(figure, self.root)
        except subprocess.CalledProcessError:
            if self.with_its_tests is None:
                raise
            return self._measure(figure, self.with_its_tests)

    def _measure(self, figure: str, root: Path) -> dict[str, float]:
        folder = self.repositories / root.name
        folder.mkdir(exist_ok=True)
        done = subprocess.run(
            [self.python, "-m", "tests.bench", figure],
            cwd=root, env={**os.environ, FOLDER: str(folder)},
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        found = map(VALUE.fullmatch, done.stdout.splitlines())
        return {match[1]: float(match[2]) for match in found if match}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One value in all rounds, at the base and here."""

    name: str
    goal: Goal | None
    """By which it is judged; none for a value that explains others."""
    base: Sequence[float]
    head: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        """Here to the base, by round; none for a value that the base does not have."""
        pairs = zip(self.base, self.head, strict=False)
        return [(1.0 if old == new else math.inf) if not old else new / old for old, new in pairs]

    @property
    def is_slower(self) -> bool:
        """Whether the median is worse by more than a tenth, and each round is worse.

        One busy round of the machine is no news.
        """
        if self.goal is None or not self.base:
            return False
        worse = [
            ratio if self.goal.less_is_better else 1 / ratio if ratio else math.inf
            for ratio in self.ratios
        ]
        return statistics.median(worse) > TOLERANCE and min(worse) > 1

    def line(self) -> str:
        """Return a row of a table in Markdown."""
        base = f"{statistics.median(self.base):.3f}" if self.base else "none"
        ratio = f"{statistics.median(self.ratios):.3f}" if self.base else "new"
        name = f"**{self.name}**" if self.is_slower else self.name
        return f"| {name} | {base} | {statistics.median(self.head):.3f} | {ratio} |"


@dataclass(kw_only=True)
class Comparison:
    """What was found, figure by figure."""

    slower: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def add(self, pairs: Iterable[Pair]) -> None:
        for pair in pairs:
            self.say(pair.line())
            if pair.is_slower:
                self.slower.append(pair.name)

    def say(self, line: str) -> None:
        self.lines.append(line)
        print(line, flush=True)


def compare(base: str, names: Sequence[str], rounds: int) -> str | None:
    """Print the ratios; returns what got slower or broke, for the exit status."""
    found = Comparison()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, installed(base, folder) as old:
        repositories = Path(folder, "head")
        repositories.mkdir()
        new = Tree(root=ROOT, python=Path(sys.executable), repositories=repositories)
        found.say(f"| figure | {base} | here | ratio |")
        found.say("|---|---|---|---|")
        for name in names:
            try:
                found.add(_measured(name, old, new, rounds))
            except subprocess.CalledProcessError as error:
                print(error.stderr, file=sys.stderr)
                found.broken.append(name)
    problems = [f"{label}: {' '.join(ones)}" for label, ones in (
        ("slower by more than a tenth", found.slower), ("broken", found.broken)
    ) if ones]  # fmt: skip
    if summary := os.environ.get(SUMMARY):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write("\n".join([*(problems or ["Nothing got slower."]), "", *found.lines, ""]))
        for problem in problems:
            print(f"::warning title=Figures::{problem}")
    return "; ".join(problems) or None


def _measured(name: str, old: Tree, new: Tree, rounds: int) -> Iterator[Pair]:
    """Measure at both in turn. At the base a figure may be unknown or break: it is new then."""
    values: Mapping[str, list[dict[str, float]]] = {"base": [], "head": []}
    for place in range(rounds):
        try:
            if len(values["base"]) == place:
                values["base"].append(old.measure(name))
        except subprocess.CalledProcessError as error:
            reason = error.stderr.strip().splitlines() or [""]
            print(f"{name} is new: at the base, {reason[-2:][0]}", file=sys.stderr)
        values["head"].append(new.measure(name))
    goals = _judged(FIGURES[name].goals, values["head"][0])
    for label in values["head"][0]:
        yield Pair(
            name=label, goal=goals.get(label),
            base=[one[label] for one in values["base"] if label in one],
            head=[one[label] for one in values["head"]],
        )  # fmt: skip


def _judged(goals: Mapping[str, Goal], labels: Iterable[str]) -> dict[str, Goal]:
    """Move goals of times to the processor seconds of the same, where a figure has them."""
    judged = dict(goals)
    for label in labels:
        for end in PROCESSOR:
            clock = label.removesuffix(end)
            if clock != label and clock in judged:
                judged[label] = judged.pop(clock)
    return judged


@contextmanager
def installed(revision: str, folder: str) -> Iterator[Tree]:
    """Check out a commit with the tests of this tree and with its own, and install it beside this
    environment.

    Its libraries are those of this environment, so that both measure the same ones.
    """
    root = Path(folder, "base")
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(root), revision], check=True)
    try:
        with_its_tests = Path(folder, "with-its-tests")
        with_its_tests.mkdir()
        (root / "tests").rename(with_its_tests / "tests")
        for path in root.iterdir():
            (with_its_tests / path.name).symlink_to(path)
        copytree(
            ROOT / "tests", root / "tests", ignore=ignore_patterns("node_modules", "__pycache__")
        )
        environment = Path(folder, "environment")
        venv.create(environment, symlinks=True)
        (packages,) = environment.glob("lib/python3*/site-packages")
        for path in Path(sysconfig.get_path("purelib")).iterdir():
            if "pullbench" not in path.name:
                (packages / path.name).symlink_to(path)
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", str(environment), "install", "--quiet",
             "--no-deps", "--no-build-isolation", "--editable", str(root)],
            check=True,
        )  # fmt: skip
        for tree in (root, ROOT):
            subprocess.run([sys.executable, "-m", "compileall", "-q", "evaluator", "tests/bench"],
                           cwd=tree, check=True)  # fmt: skip
        repositories = Path(folder, "repositories")
        repositories.mkdir()
        python = environment / "bin/python"
        yield Tree(
            root=root, python=python, repositories=repositories, with_its_tests=with_its_tests
        )
    finally:
        subprocess.run([*git, "remove", "--force", str(root)], check=True)
