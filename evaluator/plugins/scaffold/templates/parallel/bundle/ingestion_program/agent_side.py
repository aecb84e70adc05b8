"""The agent's side: answers each question of the environment, until it says stop.

Usage: agent_side.py SHARED SUBMISSION
"""

import json
import sys
import time
from pathlib import Path

PAUSE = 0.0005


def main(shared: Path, submission: Path) -> None:
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(submission))
    from agent import Agent

    agents: dict[int, Agent] = {}
    turn = 0
    while True:
        question = take(shared / f"question-{turn}.json")
        if question is None:
            time.sleep(PAUSE)
            continue
        if question.get("stop"):
            return
        agent = agents.setdefault(question["game"], Agent())
        answer = {"guess": int(agent.guess(question["low"], question["high"]))}
        # A file appears whole or not at all: it is written under another name first.
        part = shared / f"answer-{turn}.part"
        part.write_text(json.dumps(answer) + "\n")
        part.replace(shared / f"answer-{turn}.json")
        turn += 1


def take(path: Path) -> dict | None:
    try:
        text = path.read_text()
    except FileNotFoundError:
        return None
    path.unlink(missing_ok=True)
    return json.loads(text)


main(*map(Path, sys.argv[1:3]))
