"""`pullbench` as tests call it: forked from a process that has loaded it.

Loading takes a second of a processor, and tests call it a thousand times. Each call is a process
of its own all the same, with the caller's environment, and ends as the command does.
"""

import atexit
import contextlib
import gc
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn

SECONDS = 300
_LARGEST = 2**20
_HEAVY = ("core.leaderboard.tables", "core.scores.running", "ci.steps.finish",
          "ci.scores.collecting", "ci.forge.session", "site.build")  # fmt: skip
"""What most verbs load when they are called."""


def pullbench(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    *,
    folder: Path | None = None,
    within: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end.

    ``within`` is a module whose ``replace`` puts something of the tests' in place of a part.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        call = [list(arguments), dict(environment), str(folder or Path.cwd()), within]
        request = json.dumps(call).encode()
        files = [theirs.fileno(), out.fileno(), err.fileno()]
        socket.send_fds(_server()[0], [request], files)
        theirs.close()
        ours.settimeout(SECONDS)
        code = int(ours.recv(64))
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return subprocess.CompletedProcess(list(arguments), code, *texts)


@cache
def _server() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Start the process that is forked; it ends with this one, which alone holds the other end."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.commands", str(theirs.fileno())],
            pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, cwd=Path(__file__).parents[1],
        )  # fmt: skip
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LARGEST)
    return ours, process


def end() -> None:
    """End the process that is forked: what its commands took counts for this process's children."""
    ours, process = _server()
    _server.cache_clear()
    ours.close()
    process.wait()


def _serve(calls: socket.socket) -> None:
    while True:
        request, files, _, _ = socket.recv_fds(calls, _LARGEST, 3)
        if not request:
            return
        if os.fork() == 0:
            calls.close()
            _answer(json.loads(request), *files)
            os._exit(0)
        for file in files:
            os.close(file)
        _forget_ended()


def _answer(request: tuple[list[str], dict[str, str], str, str], answer: int, *files: int) -> None:
    """Run one command and say how it ended."""
    child = os.fork()
    if child == 0:
        os.close(answer)
        for place, file in enumerate(files, start=1):
            os.dup2(file, place)
            os.close(file)
        be_command(*request)
    _, status = os.waitpid(child, 0)
    os.write(answer, str(os.waitstatus_to_exitcode(status)).encode())


def be_command(
    arguments: list[str], environment: Mapping[str, str], folder: str, within: str = ""
) -> NoReturn:
    """Be the command in a process that was forked for it, and end as the command does.

    Memory is left to the system: to free each object would copy all that this process shares with
    the one that it was forked from, which takes a quarter of a second.
    """
    code: object = 1
    try:
        _run(arguments, environment, folder, within)
        code = None
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:
                stream.flush()
        os._exit(code & 0xFF if isinstance(code, int) else int(code is not None))


def _run(arguments: list[str], environment: Mapping[str, str], folder: str, within: str) -> None:
    from evaluator.__main__ import main

    os.chdir(folder)
    variables = dict(environment)  # it may be this process's own
    os.environ.clear()
    os.environ.update(variables)
    tempfile.tempdir = None
    sys.argv = ["pullbench", *arguments]
    if within:
        import_module(within).replace()
    main()


def _forget_ended() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def load() -> None:
    """Load what verbs load."""
    import click

    from evaluator.core.cli import cli

    for verb in cli.list_commands(click.Context(cli)):
        cli.get_command(click.Context(cli), verb)
    for module in _HEAVY:
        with contextlib.suppress(ModuleNotFoundError):  # the core is tested alone, too
            import_module(f"evaluator.{module}")


if __name__ == "__main__":
    load()
    gc.freeze()  # what is collected is written to, and so copied by each process that is forked
    _serve(socket.socket(fileno=int(sys.argv[1])))
