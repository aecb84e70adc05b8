"""``pullbench: files:`` of a bundle: what an entry's code must hold, looked at before it runs."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from pydantic import Field

from evaluator.core.errors import Actor, Problem, nearest
from evaluator.core.formats.json_reader import form_reader
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.snapshot import Snapshot

MAX_BYTES = 2**20
"""Of a file that is parsed."""
_SECONDS = 20
_PACKED = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
_PARSER = Path(__file__).with_name("top_level.py")


class _TopLevel(msgspec.Struct):
    """What ``top_level.py`` prints."""

    names: list[str]
    error: str
    line: int | None


_read = form_reader(_TopLevel, max_bytes=16 * MAX_BYTES)


class CodeFile(Strict):
    """A file that each program of a participant has."""

    file: Annotated[str, Field(pattern=r"^[\w.-]+(/[\w.-]+)*$", max_length=200)]
    """Its path in the submission's folder."""
    defines: list[Annotated[str, Field(pattern=r"^\w+$", max_length=100)]] = []
    """Classes, functions or variables that it has at its top level, if it is Python. It is then
    parsed by the Python of the evaluator, and never run."""


CodeFiles = list[CodeFile]
"""``pullbench: files:``."""


def check_files(snapshot: Snapshot, within: Sequence[str]) -> Iterator[Problem]:
    """Report what new code lacks. What the base branch has was looked at when it came."""
    for submission in snapshot.submissions if within else ():
        if not submission.kind.runs_code or not f"{submission.path}/".startswith(tuple(within)):
            continue
        benchmark = snapshot.benchmarks.get(submission.benchmark)
        asked: CodeFiles = benchmark.of_plugins.get("files", []) if benchmark else []
        for one in asked:
            yield from _faults(snapshot, submission, one)


def _faults(snapshot: Snapshot, submission: Submission, asked: CodeFile) -> Iterator[Problem]:
    start = len(submission.path) + 1
    names = [path[start:] for path in snapshot.tree.under(submission.path)]
    package = f"{asked.file.removesuffix('.py')}/__init__.py"
    name = next((one for one in (asked.file, package) if one in names), None)
    path = f"{submission.path}/{name or asked.file}"
    message, hint, line = "", "", None
    if name is None:
        message, hint = (
            "is missing: the benchmark's program looks for it",
            _what_to_do(names, asked),
        )
    elif asked.defines:
        message, hint, line = _parse(snapshot.tree.read([path])[path], asked)
    if message:
        yield Problem(
            file=path, line=line, message=message, hint=hint, actor=Actor.PARTICIPANT
        )  # fmt: skip


def _what_to_do(names: Sequence[str], asked: CodeFile) -> str:
    packed = next((one for one in names if one.lower().endswith(_PACKED)), None)
    if packed:
        return f"Unpack {packed}, and commit the files that are in it."
    notebook = next((one for one in names if one.endswith(".ipynb")), None)
    if notebook:
        return f"Programs run, notebooks do not: `jupyter nbconvert --to script {notebook}`."
    return nearest(asked.file, names, f"Put it at {asked.file} in the submission's folder.")


def _parse(content: bytes, asked: CodeFile) -> tuple[str, str, int | None]:
    """What is wrong, what to do, and in which line; empty if nothing is."""
    if len(content) > MAX_BYTES:
        return f"is larger than {MAX_BYTES:,} bytes", "Keep data in files of their own.", None
    try:
        # In a process of its own: deep nesting can end the one that parses it.
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(_PARSER)], input=content, capture_output=True,
            timeout=_SECONDS, check=True,
        )  # fmt: skip
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return "cannot be read as Python", "Is it nested too deeply?", None
    parsed = _read(done.stdout)
    if parsed.error:
        return f"is no Python: {parsed.error}", "Mend the line; try `python3 -m py_compile`.", (
            parsed.line
        )  # fmt: skip
    missing = [name for name in asked.defines if name not in parsed.names]
    if not missing or "*" in parsed.names:
        return "", "", None
    message = f"does not define {' and '.join(missing)}, which the benchmark's program looks for"
    return message, nearest(missing[0], parsed.names, "The name has to be the same."), None
