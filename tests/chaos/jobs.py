"""Jobs as the workflows define them: what each checks out, and the command that it calls."""

import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tests.bench.pull_request import WORKFLOWS, checkout
from tests.commands import pullbench
from tests.workflows.rules import parse

_KEY = "k" * 64


class JobError(AssertionError):
    """A command ended otherwise than it has to."""


class Jobs:
    """Runs jobs, each in a clone of its own, and carries from one to the next what a forge does.

    ``PULLBENCH_...`` is set where the workflow sets it. Containers are no-ops.
    """

    def __init__(self, folder: Path, origin: Path, forge: str) -> None:
        """``forge`` is the address of its interface."""
        self.workflows = {
            name: parse((WORKFLOWS / f"{name}.yml").read_text()) for name in ("evaluate", "publish")
        }
        self.pages = folder / "pages"
        self.runs: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        """Of commands, by the job that called them."""
        self._folder, self._origin, self._forge = folder, origin, forge
        self._lock = threading.Lock()

    def run(
        self, workflow: str, job: str, values: Mapping[str, str], outputs: dict[str, str]
    ) -> str:
        """Run a job; returns what its command printed, and adds its outputs. Raises JobError."""
        steps = self.workflows[workflow]["jobs"][job]["steps"]
        given = next(step["with"] for step in steps if "checkout@" in step.get("uses", ""))
        step = next(step for step in steps if step.get("run", "").startswith("pullbench"))
        commit = outputs.get("base", "") if job == "cells" else ""
        values = {
            "PULLBENCH_BASE": commit or "main", "PULLBENCH_CELLS": outputs.get("cells", ""),
            "PULLBENCH_SITE_CARRY": "build/site.tar", "PULLBENCH_SITE_KEY": _KEY,
            "GITHUB_TOKEN": "ghs_a-workflow's-own", **values,
        }  # fmt: skip
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            clone, out = Path(place) / "clone", Path(place) / "outputs"
            subprocess.run(checkout(clone, f"file://{self._origin}", given, commit),
                           check=True, capture_output=True)  # fmt: skip
            self._fetch(clone, job, values, outputs)
            out.touch()
            environment = {
                **os.environ, "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(out),
                "PULLBENCH_FORGE_API": self._forge,
                **{key: value for key, value in values.items() if key in step.get("env", {})},
            }  # fmt: skip
            began = time.monotonic()
            done = pullbench(
                step["run"].split()[1:], environment, folder=clone, within="tests.chaos.no_ops"
            )
            with self._lock:
                self.runs[job] += 1
                self.seconds[job] += round(1000 * (time.monotonic() - began))
            if done.returncode:
                text = f"{job} {values}: {done.returncode}\n{done.stdout}{done.stderr}"
                raise JobError(text)
            outputs |= _outputs(out)
            self._store(clone, job, values)
        return done.stdout + done.stderr

    def _fetch(
        self, clone: Path, job: str, values: Mapping[str, str], outputs: Mapping[str, str]
    ) -> None:
        """Bring what earlier jobs have left."""
        build = clone / "build"
        if job == "finish":
            shutil.copytree(self._records(values), build / f"records/records-{outputs['job']}")
        elif job == "site" and (self._folder / "site.tar").exists():
            build.mkdir()
            shutil.copy(self._folder / "site.tar", build)

    def _store(self, clone: Path, job: str, values: Mapping[str, str]) -> None:
        if job == "cells":
            shutil.copytree(clone / "build/records", self._records(values), dirs_exist_ok=True)
        elif job == "site":
            shutil.copy(clone / "build/site.tar", self._folder)
            shutil.rmtree(self.pages, ignore_errors=True)
            shutil.copytree(clone / "build/site", self.pages)

    def _records(self, values: Mapping[str, str]) -> Path:
        return self._folder / f"records-{values['PULLBENCH_HEAD']}"


def _outputs(file: Path) -> dict[str, str]:
    """Return a job's outputs, and of its matrix the one job that there has to be."""
    lines = iter(file.read_text().splitlines())
    values = {}
    for line in lines:  # name<<delimiter, the value, the delimiter
        values[line.partition("<<")[0]] = next(lines)
        next(lines)
    if values.get("count", "0") != "0":
        (job,) = json.loads(values["matrix"])["include"]
        values |= {"job": job["name"], "cells": job["cells"]}
    return values
