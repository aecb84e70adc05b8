"""What is wrong with the command of a program, before it is run for the first time."""

import re
from collections.abc import Iterator
from dataclasses import replace

from evaluator.core.compute.mounts import METADATA
from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.schema import Document, read_yaml
from evaluator.core.git.tree import Tree

_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.")
_SHELL = re.compile(
    r"&&|\|\|?|\d?[<>]+(?:&\d)?|;|`|\$\(|^\w+=|^(?:cd|export|source)\b|(?<=\s)&(?=\s|$)"
)
_ONE = "Add a line such as 'command: python3 $program/main.py $input $output'."


def check_commands(tree: Tree, benchmark: Benchmark) -> Iterator[Problem]:
    folders = dict.fromkeys(
        f"{benchmark.path}/{program.rstrip('/')}" for task in benchmark.tasks
        for program in (task.scoring_program, task.ingestion_program) if program
    )  # fmt: skip
    paths = [f"{folder}/{name}" for folder in folders for name in METADATA]
    for path, content in tree.read(paths).items():
        yield from command_problems(read_yaml(content, path, Actor.ORGANISER))


def command_problems(document: Document) -> Iterator[Problem]:
    """Yield what is wrong with a metadata.yaml, and what of its command only a shell would read."""
    for problem in document.problems:
        yield replace(problem, hint=problem.hint or ("" if problem.key else _ONE))
    command = document.data.get("command") if isinstance(document.data, dict) else None
    word = _SHELL.search(_QUOTED.sub("''", command)) if isinstance(command, str) else None
    if word:
        yield Problem(
            file=document.file, key="command", line=document.lines.get(("command",)),
            message=f"holds '{word[0]}', which is a word of its program here: no shell reads it",
            hint="Write sh -c \"...\" around the command, or put it into a script.",
            actor=Actor.ORGANISER, severity="warning",
        )  # fmt: skip
