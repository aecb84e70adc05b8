"""Jobs as the workflows define them: what each checks out, and the command that it calls."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.bench.pull_request import WORKFLOWS, checkout
from tests.commands import pullbench
from tests.workflows.rules import parse

_KEY = "k" * 64
_CONDITIONS: Mapping[str, Callable[[Mapping[str, str]], bool]] = {
    "": lambda _: True,
    "steps.receive.outputs.next == 'approve'": lambda outputs: outputs.get("next") == "approve",
    "${{ !cancelled() && needs.open.result != 'skipped' }}": lambda outputs: "opened" in outputs,
}
"""Of steps that call a command, by what a job's outputs say."""


class JobError(AssertionError):
    """A command ended otherwise than it has to."""


class KilledError(JobError):
    """A command was killed."""


class Jobs:
    """Runs jobs, each in a clone of its own, and carries from one to the next what a forge does.

    ``PULLBENCH_...`` is set where the workflow sets it. Containers are no-ops.
    """

    def __init__(
        self, folder: Path, origin: Path, forge: str, within: str = "tests.chaos.no_ops"
    ) -> None:
        """``forge`` is the address of its interface; ``within`` replaces parts of each command."""
        self.workflows = {
            name: parse((WORKFLOWS / f"{name}.yml").read_text())
            for name in ("evaluate", "publish", "commands")
        }
        self.pages = folder / "pages"
        self.runs: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        """Of commands, by the job that called them."""
        self._folder, self._origin, self._forge, self._within = folder, origin, forge, within
        self._lock, self._numbers = threading.Lock(), itertools.count()

    def run(
        self,
        workflow: str,
        job: str,
        values: Mapping[str, str],
        outputs: dict[str, str],
        machine: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """Run a job; returns what its command printed, and adds its outputs. Raises JobError.

        ``machine`` are further variables, whatever the workflow sets.
        """
        steps = self.workflows[workflow]["jobs"][job]["steps"]
        given = next(step["with"] for step in steps if "checkout@" in step.get("uses", ""))
        commit = outputs.get("base", "") if job == "cells" else ""
        values = {
            "PULLBENCH_BASE": commit or "main", "PULLBENCH_CELLS": outputs.get("cells", ""),
            "PULLBENCH_JOB": outputs.get("job", ""), "PULLBENCH_DIGESTS": json.dumps([outputs]),
            "PULLBENCH_SITE_CARRY": "build/site.tar", "PULLBENCH_SITE_KEY": _KEY,
            "GITHUB_TOKEN": "ghs_a-workflow's-own", **values,
        }  # fmt: skip
        said, failed, killed = "", False, False
        with tempfile.TemporaryDirectory(dir=self._folder) as place:
            clone, out = Path(place) / "clone", Path(place) / "outputs"
            subprocess.run(checkout(clone, f"file://{self._origin}", given, commit),
                           check=True, capture_output=True)  # fmt: skip
            self._fetch(clone, job)
            out.touch()
            began = time.monotonic()
            for step in steps:
                self._pass_on(clone, step, outputs)
                if failed or not step.get("run", "").startswith("pullbench"):
                    continue
                if not _CONDITIONS[step.get("if", "")](outputs):
                    continue
                environment = {
                    **os.environ, "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(out),
                    "PULLBENCH_FORGE_API": self._forge,
                    **{key: value for key, value in values.items() if key in step.get("env", {})},
                    **machine,
                }  # fmt: skip
                words = step["run"].split()[1:]
                done = pullbench(words, environment, folder=clone, within=self._within)
                killed = done.returncode == -signal.SIGKILL
                failed = killed or (bool(done.returncode) and "continue-on-error" not in step)
                said += done.stdout + done.stderr
                outputs |= _outputs(out)
            with self._lock:
                self.runs[job] += 1
                self.seconds[job] += round(1000 * (time.monotonic() - began))
            if failed:
                raise (KilledError if killed else JobError)(f"{job} {values}:\n{said}")
            self._store(clone, job)
        return said

    def artifacts(self, outputs: dict[str, str]) -> Path:
        """Return the folder of what the jobs of a run have handed over, by its outputs."""
        with self._lock:
            name = outputs.setdefault("artifacts", f"run-{next(self._numbers)}")
        return self._folder / "artifacts" / name

    def _pass_on(self, clone: Path, step: Mapping[str, Any], outputs: dict[str, str]) -> None:
        """Do what a step does that uploads or downloads an artifact of evaluate.yml."""
        kept, given = self.artifacts(outputs), step.get("with", {})
        if "upload-artifact@" in step.get("uses", ""):
            source = clone / given["path"]
            target = kept / given["name"].replace("${{ matrix.name }}", outputs.get("job", ""))
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            elif source.exists():
                target.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        elif "download-artifact@" in step.get("uses", "") and kept.exists():
            alone = kept / given.get("name", "-")
            for folder in [alone] if alone.exists() else kept.glob(given.get("pattern", "-")):
                target = clone / given["path"] / ("" if folder == alone else folder.name)
                shutil.copytree(folder, target, dirs_exist_ok=True)

    def _fetch(self, clone: Path, job: str) -> None:
        if job == "site" and (self._folder / "site.tar").exists():
            (clone / "build").mkdir(exist_ok=True)
            shutil.copy(self._folder / "site.tar", clone / "build")

    def _store(self, clone: Path, job: str) -> None:
        if job == "site":
            shutil.copy(clone / "build/site.tar", self._folder)
            shutil.rmtree(self.pages, ignore_errors=True)
            shutil.copytree(clone / "build/site", self.pages)


def _outputs(file: Path) -> dict[str, str]:
    """Return a job's outputs, and of its matrix the job that there is."""
    lines = iter(file.read_text().splitlines())
    values = {}
    for line in lines:  # name<<delimiter, the value, the delimiter
        values[line.partition("<<")[0]] = next(lines)
        next(lines)
    if values.get("count", "0") != "0":
        jobs = json.loads(values["matrix"])["include"]
        if len(jobs) == 1:
            values |= {"job": jobs[0]["name"], "cells": jobs[0]["cells"]}
    return values
