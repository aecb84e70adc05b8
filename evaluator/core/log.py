"""What a person sees while things run: a progress bar on a terminal, plain lines elsewhere."""

import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from evaluator.core.errors import printable

_COLONS = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
_HASHES = re.compile(r"##(?=\w*\[)")
_on_stderr = False
"""Whether ``say`` prints to stderr."""


def in_ci() -> bool:
    """Whether a CI service runs this: others read what it prints and hands over."""
    return os.environ.get("CI") == "true" or "TF_BUILD" in os.environ


def say(text: str = "", *, style: str | None = None) -> None:
    """Print a line to stdout; its content is text, never markup, escape sequences or commands."""
    click.secho(inert(text), fg=style, err=_on_stderr)


@contextmanager
def say_on_stderr() -> Iterator[None]:
    """Let ``say`` print to stderr, since stdout is for data alone."""
    global _on_stderr
    _on_stderr = True
    try:
        yield
    finally:
        _on_stderr = False


def emit(text: str) -> None:
    """Write a table, CSV or a file's text to stdout, which may go to a file or to a log."""
    click.echo(inert(text), nl=False)


def emit_json(text: str) -> None:
    """Write JSON to stdout: the same data, with what could act on a reader of the log escaped."""
    shown = "".join(c if c == "\n" or c.isprintable() else json.dumps(c)[1:-1] for c in text)
    click.echo(_HASHES.sub(r"#\\u0023", shown).rstrip("\n"))


def complain(text: str) -> None:
    click.secho(inert(text), fg="red", err=True)


def tell_operator(error: BaseException) -> None:
    """Print a whole error on a terminal alone: a log that is kept may be public."""
    if sys.stderr.isatty() and not in_ci():
        import traceback  # most commands meet no error

        complain("".join(traceback.format_exception(error)))


def inert(text: str) -> str:
    """Text that neither a terminal nor a CI service takes for a command.

    Whichever service reads the log, and whether or not it says so in the environment. The runners
    of GitHub, Gitea and Forgejo obey lines that begin with ``::`` and, in any place, ``##[``;
    Azure's ``##vso[``, TeamCity's ``##teamcity[``. Markers of GitLab, Travis and Jenkins hold a
    carriage return or an escape, which are shown here and not sent.
    """
    shown = printable(text, keep_newlines=True)
    return _HASHES.sub("## ", _COLONS.sub(r"\1: ", shown))


@contextmanager
def long_step(what: str, *, first: float = 5) -> Iterator[Callable[[str], None]]:
    """Say that a step goes on, less and less often; yields what takes the step that it is at."""
    ended = threading.Event()
    step = ""

    def at(name: str) -> None:
        nonlocal step
        step = name

    def remind() -> None:
        began, pause = time.monotonic(), first
        while not ended.wait(pause):
            say(f"{what}, for {time.monotonic() - began:,.0f} s now{step and ': '}{step}")
            pause = min(2 * pause, 60)

    say(what)
    reminder = threading.Thread(target=remind, name="reminder", daemon=True)
    reminder.start()
    try:
        yield at
    finally:
        ended.set()
        reminder.join()


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[str], None]]:
    """Count items up to ``total``: yields what is called with a line when one is done."""
    if not sys.stdout.isatty():
        done = 0
        began = time.monotonic()

        def plain(line: str) -> None:
            nonlocal done
            done += 1
            left = (time.monotonic() - began) / done * (total - done)
            rest = f", about {left:,.0f} s left" if done < total else ""
            say(f"[{done}/{total}{rest}] {line}")

        yield plain
        return
    # Loaded here, for most commands show none.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn())  # fmt: skip
    console = Console(highlight=False, soft_wrap=True, stderr=_on_stderr)
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(what, total=total)

        def advance(line: str) -> None:
            bar.console.print(inert(line), markup=False, emoji=False)
            bar.advance(task)

        yield advance
