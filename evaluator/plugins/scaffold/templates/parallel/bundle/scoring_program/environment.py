"""The environment's side: hides numbers, asks the agent, and scores.

Usage: environment.py INPUT SHARED OUTPUT, where INPUT holds ref/ (reference data) and res/.
"""

import json
import os
import sys
import time
from pathlib import Path

LOW, HIGH, MOST = 1, 1000, 1000
PAUSE = 0.0005
MAX_ANSWER = 4096
"""Bytes."""
SILENCE = 30
"""Seconds after which an agent that says nothing has lost."""


class SilentError(Exception):
    """The agent's side has ended, or says nothing."""


class Environment:
    def __init__(self, shared: Path, ended: Path) -> None:
        self.shared = shared
        self.ended = ended  # pullbench writes it when the agent's side has ended
        self.turn = 0

    def ask(self, question: dict) -> int:
        self.tell(question)
        path = self.shared / f"answer-{self.turn}.json"
        begun = time.monotonic()
        while not path.exists():
            if self.ended.exists() or time.monotonic() - begun > SILENCE:
                raise SilentError
            time.sleep(PAUSE)
        # Opened without waiting for whoever writes to a pipe, and read to a bound.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            answer = json.loads(file.read(MAX_ANSWER))
        path.unlink()
        self.turn += 1
        return int(answer["guess"])

    def tell(self, message: dict) -> None:
        # A file appears whole or not at all: it is written under another name first.
        part = self.shared / f"question-{self.turn}.part"
        part.write_text(json.dumps(message) + "\n")
        part.replace(self.shared / f"question-{self.turn}.json")


def play(environment: Environment, game: int, hidden: int) -> int:
    low, high = LOW, HIGH
    for count in range(1, MOST + 1):
        guess = environment.ask({"game": game, "low": low, "high": high})
        if guess == hidden:
            return count
        if low <= guess < hidden:
            low = guess + 1
        elif hidden < guess <= high:
            high = guess - 1
    return MOST


def main(input_dir: Path, shared: Path, output_dir: Path) -> None:
    numbers = json.loads((input_dir / "ref" / "hidden.json").read_text())
    environment = Environment(shared, input_dir / "res" / "metadata")
    try:
        counts = [play(environment, game, hidden) for game, hidden in enumerate(numbers)]
        environment.tell({"stop": True})
    except Exception as error:  # an agent can leave anything, or nothing, where its answer belongs
        message = f"the agent stopped playing: {type(error).__name__}"
        (output_dir / "rejected.txt").write_text(message + "\n")
        sys.exit(message)
    scores = {"guesses": sum(counts) / len(counts)}
    (output_dir / "scores.json").write_text(json.dumps(scores) + "\n")


main(*map(Path, sys.argv[1:4]))
