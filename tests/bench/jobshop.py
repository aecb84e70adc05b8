"""One decision of a job shop: through two containers, and in two processes on a pipe."""

import importlib
import json
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluator.core.clock import utc_now
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.core.scores.running import run
from evaluator.core.scores.selection import choose
from tests.bench.figures import Value
from tests.bench.repository import add_commit, repository
from tests.bench.sizes import size

BUNDLE = Path(__file__).parents[2] / "benchmarks" / "autorl-jobshop"
ROUNDS = size(5, 1)
CLOSED, OPEN = b'"2026-11-21 15:20"', b'"2099-01-01"'


def agent_step_round_trip() -> Iterator[Value]:
    """Four episodes of ft10 by the starting kit's agent, round by round beside each other.

    In containers a step passes from the environment over a socket to the agent's side, which
    keeps the clocks, and from there to the agent's process, and back. On the host the same shop
    and the same agent process have a socket pair between them, and nothing else.
    """
    sys.path.insert(0, str(BUNDLE / "scoring_program"))
    try:
        task = importlib.import_module("task").read_task(
            BUNDLE / "starting_kit/practice/ft10/task.json"
        )
    finally:
        sys.path.pop(0)
    with repository() as root:
        add_commit(root, _files())
        containers, processes = [], []
        for _ in range(ROUNDS):
            containers.append(_in_containers(root))
            processes.append(_on_host(task))
    ours, bare = statistics.median(containers), statistics.median(processes)
    yield "agent_step_round_trip", ours / bare, "ratio"
    yield "agent_step_milliseconds", ours, "ms"
    yield "agent_step_on_a_pipe_milliseconds", bare, "ms"


def _files() -> dict[str, bytes]:
    """The benchmark with its practice open, and one submission to it."""
    kept = [path for path in BUNDLE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    files = {
        f"benchmarks/autorl-jobshop/{path.relative_to(BUNDLE)}": path.read_bytes() for path in kept
    }
    competition = "benchmarks/autorl-jobshop/competition.yaml"
    text = files[competition]
    files[competition] = text.replace(CLOSED, OPEN).replace(b"tasks: [0, 1, 2]", b"tasks: [1]")
    base = "submissions/autorl-jobshop/ada/entry"
    sample = BUNDLE / "starting_kit/sample_submission"
    files[f"{base}/agent.py"] = (sample / "agent.py").read_bytes()
    form = (sample / "submission.yaml").read_bytes()
    files[f"{base}/submission.yaml"] = form.replace(b"phase: ranking", b"phase: practice")
    return files


def _in_containers(root: Path) -> float:
    taken = load_snapshot(root)
    planned = choose(taken, utc_now(), (), fresh=True)
    done = run(taken, planned, engine="docker", lanes=1)
    (record,) = done.records.values()
    assert record.scores["failed_episodes"] == 0, record.error
    return record.extra["mean_decision_milliseconds"]


def _on_host(task: Any) -> float:
    """Mean milliseconds of a decision, as the environment measures it: all but the first."""
    python = shutil.which("python3.11") or sys.executable
    program = BUNDLE / "ingestion_program/agent_process.py"
    seconds, decisions = 0.0, 0
    for episode in range(len(task.seeds)):
        ours, theirs = socket.socketpair()
        agent = subprocess.Popen(
            [python, "-I", "-B", str(program), str(theirs.fileno()),
             str(BUNDLE / "starting_kit/sample_submission")],
            pass_fds=(theirs.fileno(),),
        )  # fmt: skip
        theirs.close()
        shop = task.shop(episode)
        with ours, ours.makefile("rwb") as line:
            _say(line, {"episode": episode, "breakdowns": True, "jobs": task.jobs,
                        "observation": shop.observe()})  # fmt: skip
            assert json.loads(line.readline()) == {"ready": True}
            reply = json.loads(line.readline())
            decisions += 1
            while True:
                reward = -shop.act(reply["action"])
                _say(line, {"observation": shop.observe(), "reward": reward, "over": shop.done})
                if shop.done:
                    break
                began = time.perf_counter()
                reply = json.loads(line.readline())
                seconds += time.perf_counter() - began
                decisions += 1
        assert agent.wait() == 0
    return 1000 * seconds / decisions


def _say(line: Any, message: dict[str, Any]) -> None:
    line.write(json.dumps(message).encode() + b"\n")
    line.flush()
