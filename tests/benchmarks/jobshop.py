"""The programs of the bundle autorl-jobshop, as tests use them."""

import json
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.benchmarks.ogb import modules

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "benchmarks" / "autorl-jobshop"
SUBMISSIONS = ROOT / "submissions" / "autorl-jobshop"
INSTANCES: dict[str, dict[str, Any]] = json.loads(
    (BUNDLE / "make_data" / "instances.json").read_text()
)


def programs() -> list[ModuleType]:
    """The modules shop and breakdowns."""
    with modules(BUNDLE / "scoring_program", "shop", "breakdowns") as found:
        return found


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the two programs left."""

    code: int
    scores: dict[str, float]
    log: str
    agent_log: str
    page: str


def play(
    folder: Path, agent: str, seeds: list[str | None], *, sealed: bool = False, wait: bool = True
) -> Outcome:
    """Run both programs on this machine, for agents that harm nobody. ft06 is played."""
    for name in ("in/ref", "in/res", "out", "shared", "entry"):
        (folder / name).mkdir(parents=True)
    task = {"instance": "ft06", "sealed": sealed, "seeds": seeds, **INSTANCES["ft06"]}
    (folder / "in/ref/task.json").write_text(json.dumps(task))
    (folder / "entry/agent.py").write_text(agent)
    with subprocess.Popen(
        [sys.executable, "-B", str(BUNDLE / "scoring_program/environment.py"),
         str(folder / "in"), str(folder / "shared"), str(folder / "out")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as environment:  # fmt: skip
        watchdog = threading.Timer(60, environment.kill)
        watchdog.start()
        agent_log = ""
        if wait:
            done = subprocess.run(
                [sys.executable, "-B", str(BUNDLE / "ingestion_program/agent_side.py"),
                 str(folder / "shared"), str(folder / "entry")],
                capture_output=True, text=True, timeout=60, check=False,
            )  # fmt: skip
            agent_log = done.stdout + done.stderr
        else:
            (folder / "in/res/metadata").write_text("exitCode: 1\n")
        log, _ = environment.communicate()
        watchdog.cancel()
    scores, page = folder / "out/scores.json", folder / "out/detailed_results.html"
    return Outcome(
        code=environment.returncode,
        scores=json.loads(scores.read_text()) if scores.exists() else {},
        log=log,
        agent_log=agent_log,
        page=page.read_text() if page.exists() else "",
    )
