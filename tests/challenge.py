"""A closed challenge on a bare origin, whose pull requests are scored as CI's jobs score them."""

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.ci.steps.reports import StepResult
from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.scores_file import decode
from tests import steps
from tests.ci.steps.conftest import ORGANISER, SETTINGS, TODAY, Files, Forge, on_origin
from tests.repository import Repository

NAME = "tides"
BUNDLE = f"benchmarks/{NAME}/competition.yaml"
Rows = Sequence[Mapping[str, str]]


def write(path: Path, rows: Rows) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    return path


@dataclass
class Challenge:
    """What the organisers have, and all that anybody is told."""

    forge: Forge
    private: Path
    said: list[str] = field(default_factory=list)
    """What commands print, and files that jobs hand over."""

    def half(self, name: str = "public") -> Rows:
        """The labels of a half."""
        return [*csv.DictReader((self.private / name / "labels.csv").read_text().splitlines())]

    def key(self, name: str = "public") -> str:
        text = (self.private / "keys.txt").read_text()
        return text.partition(f"{name}: secret ")[2].split()[0]

    def score(
        self, number: int, who: str, files: Mapping[str, str], phase: str = "public"
    ) -> tuple[StepResult, Record | None]:
        """Open a pull request, and let the jobs of `evaluate.yml` score it; it stays open."""
        folder = f"submissions/{NAME}/{who}/entry-{number}"
        card: Files = {f"{folder}/submission.yaml": f"kind: results\nphase: {phase}\n"}
        source = self.forge.open(number, card | {f"{folder}/{k}": v for k, v in files.items()})
        here = self.forge.ours.path
        step = steps.receive(here, source, who, TODAY)
        assert step.ok, step.report
        step = steps.approve(here, source, who, ORGANISER, TODAY)
        assert step.ok, step.report
        output = self.forge.folder / str(number)
        output.parent.mkdir(exist_ok=True)
        base = self.forge.ours.git("rev-parse", "origin/main").strip()
        pull = {
            "PULLBENCH_BASE": base, "PULLBENCH_HEAD": source.head,
            "PULLBENCH_PULL_REQUEST": str(number), UNLOCKED: str(output.with_suffix(".open")),
            "PULLBENCH_CELLS": f"{NAME}/{who}/entry-{number}",
        }  # fmt: skip
        self.call("unlock", **pull, **{DATA_IDENTITY: self.key()})
        self.call("run", "--output", str(output), **pull)
        self.said += [str(path) for path in output.rglob("*")]
        self.said += [one.read_text() for one in output.rglob("*") if one.is_file()]
        step = steps.finish(here, source, output, TODAY)
        self.said.append(repr(step.report))
        handed = [*output.rglob(f"{phase}.json")]
        records = records_of(decode(handed[0].read_bytes())) if handed else [None]
        return step, next(iter(records))

    def call(self, *arguments: str, **variables: str) -> None:
        """Call a command as a job of a workflow does: the variables are all that it has."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PULLBENCH_")}
        ours = self.forge.ours
        done = ours.pullbench(*arguments, environment={**environment, "CI": "true", **variables})
        self.said.append(done.stdout + done.stderr)
        assert "Traceback" not in done.stderr, done.stderr


def begin(repo: Repository, rows: Rows, *options: str) -> Challenge:
    """Make a challenge of a table, with nobody's entries."""
    table = write(repo.path.parent / "labels.csv", rows)
    done = repo.pullbench("init", NAME, "--template", "challenge", "--labels", str(table), *options)
    assert done.returncode == 0, done.stderr
    repo.write("pyproject.toml", SETTINGS)
    repo.commit("A challenge")
    return Challenge(on_origin(repo, repo.path.parent), repo.path.parent / f"{NAME}-private")
