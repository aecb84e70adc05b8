"""What two containers cost per step of a game, beyond two processes of the host."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.core.scores.running import run
from evaluator.core.scores.selection import choose
from tests.bench.figures import Value
from tests.bench.repository import add_commit, bundle, repository, submission
from tests.bench.sizes import size

STEPS = size(1_000, 20)
ROUNDS = size(5, 1)
# Both sides of one game, the same for containers and for the host. They look for a file, and sleep
# for a moment between, as such programs do.
AGENT = f"""\
import os, sys, time
shared = sys.argv[1] + "/"
for step in range({STEPS}):
    while not os.path.exists(shared + "question"):
        time.sleep(0.0001)
    text = open(shared + "question").read()
    os.unlink(shared + "question")
    open(shared + "answer.part", "w").write(str(int(text) + 1))
    os.rename(shared + "answer.part", shared + "answer")
"""
ENVIRONMENT = f"""\
import json, os, sys, time
shared, output = sys.argv[1] + "/", sys.argv[2]
open(shared + "question.part", "w").write("0")
os.rename(shared + "question.part", shared + "question")
right = 0
began = None
for step in range({STEPS}):
    while not os.path.exists(shared + "answer"):
        time.sleep(0.0001)
    began = began or time.perf_counter()  # the first answer: both sides have started
    right += int(open(shared + "answer").read()) == step + 1
    os.unlink(shared + "answer")
    open(shared + "question.part", "w").write(str(step + 1))
    os.rename(shared + "question.part", shared + "question")
seconds = time.perf_counter() - began
json.dump({{"score": right, "seconds": seconds}}, open(output + "/scores.json", "w"))
"""


def step_round_trip() -> Iterator[Value]:
    """A thousand steps through files in the shared folder, round by round beside each other."""
    with repository() as root:
        files = bundle("game", "python3 $program/agent.py $shared")
        base = "benchmarks/game"
        files[f"{base}/competition.yaml"] = (
            files[f"{base}/competition.yaml"].replace(
                b"ingestion_program: ingestion,",
                b"ingestion_program: ingestion, ingestion_only_during_scoring: true,",
            )
            + b"  extra: [seconds]\n"
        )
        files[f"{base}/ingestion/agent.py"] = AGENT.encode()
        files[f"{base}/scoring/metadata.yaml"] = (
            b"command: python3 $program/environment.py $shared $output\n"
        )
        files[f"{base}/scoring/environment.py"] = ENVIRONMENT.encode()
        add_commit(root, files | submission("game", "ada", "entry"))
        containers, processes = [], []
        for _ in range(ROUNDS):
            containers.append(_in_containers(root))
            processes.append(_on_host(root / base))
    ours, bare = statistics.median(containers), statistics.median(processes)
    yield "parallel_step_vs_host_processes", ours / bare, "ratio"
    yield "parallel_1000_steps_seconds", ours, "s"
    yield "host_1000_steps_seconds", bare, "s"


def _in_containers(root: Path) -> float:
    taken = load_snapshot(root)
    planned = choose(taken, utc_now(), (), fresh=True)
    done = run(taken, planned, engine="docker", lanes=1)
    (record,) = done.records.values()
    assert record.scores == {"score": STEPS}, record.error
    return record.extra["seconds"]


def _on_host(folder: Path) -> float:
    """Play the same game, in a folder held in memory as ``shared`` is."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as shared:
        python = shutil.which("python3.11") or sys.executable
        agent = subprocess.Popen([python, "-I", str(folder / "ingestion/agent.py"), shared])
        output = Path(shared, "scores")
        output.mkdir()
        subprocess.run(
            [python, "-I", str(folder / "scoring/environment.py"), shared, str(output)], check=True
        )
        assert agent.wait() == 0
        scores = json.loads((output / "scores.json").read_text())
    assert scores["score"] == STEPS
    return float(scores["seconds"])
