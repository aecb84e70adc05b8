"""Let an agent solve each puzzle, and write its answers.

Usage: ingestion.py INPUT OUTPUT SUBMISSION
"""

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen


def ask(text: str, *, system: str = "Answer in one line.", seed: int = 0) -> str:
    """Return what the model gives as its answer. Raises OSError if it refuses, as for no budget."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": text}]
    body = {"model": "pocket", "seed": seed, "max_completion_tokens": 200, "messages": messages}
    request = Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )  # fmt: skip
    with urlopen(request) as answer:
        said: str = json.load(answer)["choices"][0]["message"]["content"]
    return said.rpartition("Answer:")[2].strip()


def load(submission: Path) -> Any:
    spec = importlib.util.spec_from_file_location("agent", submission / "agent.py")
    if spec is None or spec.loader is None:
        sys.exit("there is no agent.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(source: Path, output: Path, submission: Path) -> None:
    agent = load(submission)
    with (output / "answers.jsonl").open("w") as file:
        for line in (source / "puzzles.jsonl").read_text().splitlines():
            puzzle = json.loads(line)
            answer = agent.solve(puzzle["text"], ask)
            file.write(json.dumps({"id": puzzle["id"], "answer": answer}) + "\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
