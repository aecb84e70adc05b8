"""Real races in containers, while another process comes and goes on the same processors."""

import os
import time
from collections import Counter
from multiprocessing import Event, Process
from multiprocessing.synchronize import Event as EventType

import numpy as np
import pytest

from tests.plugins.races.conftest import BUNDLE, Race
from tests.plugins.races.test_records import by_name

RACES = int(os.environ.get("RACES", "6"))
STEPS = 4_000_000
"""Of a loop, some 0.3 s on a processor of its own."""
PROGRAM = """
def add(numbers):
    for _ in range({steps}):
        pass
    return sum(numbers)  # {name}
"""
SCORER = """
import json, re, sys
from pathlib import Path
source, output = map(Path, sys.argv[1:])
metadata = (source / "res" / "metadata").read_text()
seconds = float(re.search("elapsedTime: (.*)", metadata)[1])
(output / "scores.json").write_text(json.dumps({"right": seconds, "distance": 0, "token": 1}))
"""


def come_and_go(stop: EventType) -> None:
    rng = np.random.default_rng(20261127)
    while not stop.wait(rng.exponential(6)):
        end = time.monotonic() + rng.exponential(2)
        while time.monotonic() < end:
            pass


@pytest.mark.docker
@pytest.mark.slow
def test_no_copy_gets_a_claim_and_noise_is_said(race: Race) -> None:
    """One in six entries does half the work, the others are copies of the first.

    RACES=40 takes 5 to 20 minutes. With a chance of at most 0.01 each, two of 34 copies have
    a claim in one of 22 runs.
    """
    race.rule("{beats: record, by: 0.01, p: 0.01, rerun: alternate}", "  exclusive: true\n")
    race.replace(BUNDLE, "tasks: [0, 1], execution_time_limit: 3", "tasks: [0], "
                 "execution_time_limit: 60")  # fmt: skip
    race.replace(BUNDLE, "index: 0}\n", "index: 0, sorting: asc}\n")
    race.write("benchmarks/adding/scoring_program/scoring.py", SCORER)
    names = [f"{'half' if number % 6 == 5 else 'copy'}-{number}" for number in range(RACES)]
    for name in ("a-first", *names):
        steps = STEPS // 2 if name.startswith("half") else STEPS
        folder = f"submissions/adding/{name}/one"
        race.write(f"{folder}/main.py", PROGRAM.format(steps=steps, name=name))
        race.write(f"{folder}/submission.yaml", "kind: code\n")
    race.commit("Entries")
    stop = Event()
    hog = Process(target=come_and_go, args=(stop,))
    hog.start()
    try:
        race.run("adding/a-first", lanes=1)
        race.commit("Scores of the first")
        race.run(lanes=1)
    finally:
        stop.set()
        hog.join()
    race.commit("Scores")
    entries = by_name(race.board)
    outcomes = Counter((name.split("-")[0], _outcome(entries[name].fault)) for name in names)
    print(sorted(outcomes.items()))
    assert outcomes["copy", "claim"] <= 1
    assert outcomes["half", "slower"] == outcomes["copy", "failed"] == 0
    assert outcomes["half", "claim"] + outcomes["half", "noisy"] == RACES // 6


def _outcome(fault: str) -> str:
    words = {"to be confirmed": "claim", "too noisy": "noisy", "is not shown": "not shown"}
    return next((name for text, name in words.items() if text in fault), fault)
