"""What the jobs of one pull request cost at 10,000 submissions: git's traffic, and processor time.

They are read from the workflows: what each checks out, and its command.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.figures import Value
from tests.bench.history import BENCHMARK, fill
from tests.bench.repository import copied, shared_repository, submission
from tests.bench.sizes import SUBMISSIONS
from tests.git_server import GitServer, serve
from tests.workflows.rules import parse

WORKFLOWS = Path(__file__).parents[2] / ".github" / "workflows"
JOBS = (("validate", "validate"), ("evaluate", "receive"), ("evaluate", "approve"),
        ("evaluate", "cells"), ("evaluate", "finish"))  # fmt: skip


@dataclass(kw_only=True)
class Cost:
    """Of one job."""

    sent: int
    received: int
    requests: int
    clone_cpu: float
    command_cpu: float
    command_wall: float


@dataclass(kw_only=True)
class Runner:
    """Runs jobs one after the other, each in a clone of its own."""

    origin: Path
    server: GitServer
    folder: Path
    pull_request: int
    head: str
    costs: dict[str, Cost] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)

    def run(self, workflow: str, job: str) -> None:
        """Check out as the job does, and run its command."""
        path = WORKFLOWS / f"{workflow}.yml"
        if not path.exists():
            return
        steps = parse(path.read_text())["jobs"][job]["steps"]
        given = next(step["with"] for step in steps if "checkout@" in step.get("uses", ""))
        command = next(step for step in steps if step.get("run", "").startswith("pullbench"))
        clone = self.folder / job
        before = (self.server.sent, self.server.received, self.server.requests)
        cloned, _ = measured(checkout(clone, self.server.url, given), self.folder, {})
        records = clone / "build" / "records"
        if job == "finish":
            records.parent.mkdir(parents=True)
            (self.folder / "cells" / "build" / "records").rename(
                _made(records) / f"records-{self.outputs['job']}"
            )
        out = self.folder / f"{job}.outputs"
        out.touch()
        words = command["run"].split()[1:]
        cpu, wall = measured(
            [sys.executable, "-m", "evaluator", "--debug", *words], clone,
            {**self._environment(command["env"]), "GITHUB_OUTPUT": str(out),
             "CI": "true"},
        )  # fmt: skip
        self._read(out)
        self.costs[job] = Cost(
            sent=self.server.sent - before[0], received=self.server.received - before[1],
            requests=self.server.requests - before[2], clone_cpu=cloned, command_cpu=cpu,
            command_wall=wall,
        )  # fmt: skip

    def _environment(self, wanted: Mapping[str, str]) -> dict[str, str]:
        values = {
            "PULLBENCH_BASE": self.outputs.get("base", "main"), "PULLBENCH_HEAD": self.head,
            "PULLBENCH_PULL_REQUEST": str(self.pull_request), "PULLBENCH_ACTOR": "newcomer",
            "PULLBENCH_APPROVER": "olga", "PULLBENCH_CELLS": self.outputs.get("cells", ""),
        }  # fmt: skip
        if "GITHUB_TOKEN" in wanted:
            values["PULLBENCH_BASE"] = "main"
        return {key: value for key, value in values.items() if key in wanted}

    def _read(self, out: Path) -> None:
        lines = iter(out.read_text().splitlines())
        for line in lines:  # name<<delimiter, the value, the delimiter
            name, value = line.partition("<<")[0], next(lines)
            next(lines)
            if name == "matrix":
                (job,) = json.loads(value)["include"]
                self.outputs |= {"job": job["name"], "cells": job["cells"]}
            elif name == "base":
                self.outputs["base"] = value


def checkout(clone: Path, url: str, given: Mapping[str, Any], commit: str = "") -> list[str]:
    """Return a command that does what actions/checkout does for main, or for a commit."""
    sparse = str(given.get("sparse-checkout", "")).split()
    chosen = given.get("filter") or ("blob:none" if sparse else "")
    filtered = f"--filter={chosen}" if chosen else ""
    depth = int(given.get("fetch-depth", 1))
    branches = "main" if depth else "*"
    latest = f"--depth={depth} --no-tags" if depth else ""
    wanted = commit or f"+refs/heads/{branches}:refs/remotes/origin/{branches}"
    lines = [
        f"git init -q {clone}", f"cd {clone}", f"git remote add origin {url}",
        f"git sparse-checkout set --cone {' '.join(sparse)}" if sparse else "true",
        f"git fetch -q {filtered} {latest} origin '{wanted}'",
        f"git checkout -q --detach {commit}" if commit
        else "git checkout -q -B main refs/remotes/origin/main",
    ]  # fmt: skip
    return ["bash", "-ec", "\n".join(lines)]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def measured(
    command: list[str], folder: Path, environment: Mapping[str, str]
) -> tuple[float, float]:
    """Run a command; returns its processor time, with that of all that it ran, and its time."""
    with tempfile.TemporaryFile() as out:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, stdout=out, stderr=out, env={**os.environ, **environment}
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.perf_counter() - began
        if process.returncode:
            out.seek(0)
            raise RuntimeError(f"{command}: {out.read().decode()[-4000:]}")
        if os.environ.get("BENCH_SHOW"):
            out.seek(0)
            print(out.read().decode()[-1500:])
    return used.ru_utime + used.ru_stime, took


def propose(origin: Path, number: int) -> str:
    """Push a pull request with one submission; returns its head."""
    files = submission(BENCHMARK, "newcomer", "first")
    stream = [b"commit refs/pull/%d/head\n" % number,
              b"committer Bench <bench@localhost> 1790000000 +0000\ndata 5\nEnter\n",
              b"from refs/heads/main^0\n"]  # fmt: skip
    for path, content in files.items():
        stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content))
    subprocess.run(["git", "-C", str(origin), "fast-import", "--quiet", "--force"],
                   input=b"".join(stream), check=True)  # fmt: skip
    return subprocess.run(
        ["git", "-C", str(origin), "rev-parse", f"refs/pull/{number}/head"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip


def costs(origin: Path) -> dict[str, Cost]:
    """Bring one more pull request through its jobs."""
    number = SUBMISSIONS + 1
    head = propose(origin, number)
    with serve(origin) as server, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        runner = Runner(
            origin=origin, server=server, folder=Path(folder), pull_request=number, head=head
        )
        for workflow, job in JOBS:
            runner.run(workflow, job)
            if os.environ.get("BENCH_SHOW"):
                print(job, runner.costs.get(job), flush=True)
    return runner.costs


def pull_request() -> Iterator[Value]:
    """All jobs of one pull request."""
    shared = shared_repository("entered", lambda root: fill(root, SUBMISSIONS))
    with copied(shared / "origin.git") as origin:
        by_job = costs(origin)
    yield "pr_git_mb", sum(cost.sent + cost.received for cost in by_job.values()) / 1e6, "MB"
    yield "pr_cpu_seconds", sum(c.clone_cpu + c.command_cpu for c in by_job.values()), "s"
    yield "pr_jobs", len(by_job), "jobs"
    yield "receive_10k_ledger", by_job["receive"].command_wall, "s"
