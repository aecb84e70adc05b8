"""What a person sees while things run: a progress bar on a terminal, plain lines elsewhere."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console

from evaluator.errors import printable

stdout = Console(highlight=False, soft_wrap=True)
stderr = Console(stderr=True, highlight=False, soft_wrap=True)


class Advance(Protocol):
    """Says that one item is done."""

    def __call__(self, line: str) -> None:
        """Show a line about it."""


def say(text: str = "", *, style: str | None = None) -> None:
    """Print a line to stdout; its content is text, never markup, escape sequences or commands."""
    stdout.print(inert(text), style=style, markup=False)


def complain(text: str) -> None:
    """Print a line to stderr."""
    stderr.print(inert(text), style="red", markup=False)


def inert(text: str) -> str:
    """Return text that neither a terminal nor a CI service takes for a command.

    GitHub's runner obeys lines that begin with ``::`` and, in any place, ``##[``.
    """
    shown = printable(text, keep_newlines=True)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        shown = re.sub(r"^(\s*):(?=:)", r"\1: ", shown, flags=re.MULTILINE).replace("##[", "## [")
    return shown


@contextmanager
def progress(total: int, what: str) -> Iterator[Advance]:
    """Count items up to ``total``."""
    if not sys.stdout.isatty():
        done = 0

        def plain(line: str) -> None:
            nonlocal done
            done += 1
            say(f"[{done}/{total}] {line}")

        yield plain
        return
    # Loaded here, for most commands show none.
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeElapsedColumn())  # fmt: skip
    with Progress(*columns, console=stdout) as bar:
        task = bar.add_task(what, total=total)

        def advance(line: str) -> None:
            bar.console.print(inert(line), markup=False)
            bar.advance(task)

        yield advance
