"""Runs Python programs as forks of one interpreter that has their imports. Standard library alone.

The warm engine starts it as ``python fork_server.py SCRIPT``, with a socket for its standard
input. It is sent the path of each further script, and for each program that is to run a socket,
over which the fork's supervisor gets a request and gives its report. Only libraries are ever
imported here, none of a bundle's or a submission's own code, so that every program starts with
what a fresh interpreter would have after its imports.
"""

import ast
import atexit
import contextlib
import gc
import importlib
import importlib.util
import json
import os
import select
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
import types
from collections.abc import Iterator
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from pathlib import Path
from typing import Any, BinaryIO

_MAX_NAMES = 4000
"""Bytes of a message with modules' names: below PIPE_BUF, so that none is torn apart."""
_MAX_PATH = 4096
_MAX_SOURCES = 500
"""Files of a program that are read for their imports, and that are compiled ahead."""
_IMPORT_SECONDS = 30.0
"""What imports ahead may take; the rest is left to each program."""


def _load_supervisor() -> Any:
    """Load a module of this folder, which is not on sys.path: its names are a program's to use."""
    file = Path(__file__).with_name("supervisor.py")
    spec = importlib.util.spec_from_file_location("_pullbench_supervisor", file)
    if spec is None or spec.loader is None:
        raise ImportError(file.name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.supervise


class Server:
    """The warm interpreter of all programs of one environment."""

    def __init__(self) -> None:
        self._codes: dict[str, dict[str, types.CodeType]] = {}
        """Of each program's folder, by relative path."""
        self._packages: set[str] = set()
        self._news, self._send_news = os.pipe()
        os.set_blocking(self._send_news, False)
        self._rest = b""
        self._supervise = _load_supervisor()

    def load(self, script: Path) -> None:
        """Import what a program imports, and compile its modules."""
        folder = script.parent
        with _bounded(_IMPORT_SECONDS):
            for name in find_imports(script):
                _import(name)
        self._packages = _packages() - sys.stdlib_module_names
        codes = self._codes.setdefault(os.path.realpath(folder), {})
        for file in sorted(folder.rglob("*.py"))[:_MAX_SOURCES]:
            with contextlib.suppress(OSError, SyntaxError, ValueError, RecursionError):
                code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
                codes[file.relative_to(folder).as_posix()] = code
        gc.collect()
        gc.freeze()  # so that collections in the forks copy no page of what is theirs together

    def serve(self, control: socket.socket) -> None:
        """Load each script and fork for each socket that comes, until there are no more."""
        control.send(b"r")
        while True:
            ready = select.select([control.fileno(), self._news], [], [])[0]
            if self._news in ready:
                self._learn(os.read(self._news, _MAX_NAMES))
            elif control.fileno() in ready:
                content, descriptors, _, _ = socket.recv_fds(control, _MAX_PATH, 1)
                if not content:
                    return
                if not descriptors:
                    self.load(Path(os.fsdecode(content)))
                    control.send(b"r")
                    continue
                with socket.socket(fileno=descriptors[0]) as channel:
                    if os.fork() == 0:
                        control.close()
                        self._run(channel)

    def _learn(self, content: bytes) -> None:
        *names, self._rest = (self._rest + content).split(b"\n")
        with _bounded(_IMPORT_SECONDS):
            for name in names:
                _import(name.decode())

    def _run(self, channel: socket.socket) -> None:
        """Supervise one program; never returns."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        try:
            with channel.makefile("rb") as stream:
                request = json.loads(stream.readline())
                report = self._supervise(
                    request, lambda log: self._begin(request, log, channel), channel.fileno()
                )
                channel.sendall(json.dumps(report).encode() + b"\n")
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)

    def _begin(self, request: dict[str, Any], log: BinaryIO, channel: socket.socket) -> int:
        program = os.fork()
        if program == 0:
            code = 1
            try:
                channel.close()
                os.setsid()
                _redirect(log.fileno())
                imported = set(sys.modules)
                code = self._become(request)
                self._report_imports(imported)
            finally:
                os._exit(code)
        return program

    def _become(self, request: dict[str, Any]) -> int:
        _, script, *arguments = request["command"]
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["workdir"])
        tempfile.tempdir = None
        if "numpy.random" in sys.modules:
            # It would draw the same numbers in each fork; Python's own random looks after itself.
            sys.modules["numpy.random"].seed()
        folder = str(Path(script).parent)
        codes = self._codes.get(os.path.realpath(folder), {})
        sys.argv = [script, *arguments]
        sys.path.insert(0, folder)
        sys.path_hooks.insert(0, _hook(folder, codes))
        module = types.ModuleType("__main__")
        module.__file__ = script
        sys.modules["__main__"] = module
        code = _as_exit_code(lambda: exec(_code(script, codes), module.__dict__))  # noqa: S102
        threading._shutdown()  # type: ignore[attr-defined] # as at the end of every interpreter
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        return code

    def _report_imports(self, imported: set[str]) -> None:
        """Send the server the further modules that were needed, for the next fork."""
        names = [
            name for name in sys.modules
            if name not in imported and name.partition(".")[0] in self._packages
        ]  # fmt: skip
        message = b""
        for name in names:
            if len(message) + len(name) + 1 < _MAX_NAMES:
                message += name.encode() + b"\n"
        with contextlib.suppress(OSError):
            os.write(self._send_news, message)


def find_imports(script: Path) -> list[str]:
    """Modules from elsewhere that a script imports at once, ``a.b`` for either form."""
    folder = script.parent
    names: dict[str, None] = {}
    seen: set[Path] = set()
    pending = [script]
    while pending and len(seen) < _MAX_SOURCES:
        file = pending.pop(0)
        if file in seen:
            continue
        seen.add(file)
        for name in _imported(file, folder):
            files = list(_module_files(folder, name))
            pending += files
            if not files:
                names.setdefault(name)
    return list(names)


def _imported(file: Path, folder: Path) -> Iterator[str]:
    try:
        pending: list[ast.stmt] = ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):
        return
    package = file.relative_to(folder).parent.parts
    while pending:
        statement = pending.pop(0)
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            above = package[: len(package) - statement.level + 1] if statement.level else ()
            base = ".".join([*above, *([statement.module] if statement.module else [])])
            if statement.level:
                yield from (f"{base}.{alias.name}" if base else alias.name
                            for alias in statement.names)  # fmt: skip
            elif base:
                yield base
        elif isinstance(statement, ast.If | ast.Try | ast.TryStar | ast.With):
            pending += _statements(statement)


def _statements(block: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements that stand directly in a block; theirs follow when it is their turn."""
    for child in ast.iter_child_nodes(block):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler):
            yield from child.body


def _module_files(folder: Path, name: str) -> Iterator[Path]:
    """Files of the program that a module's name stands for: its own, and of packages around it."""
    place = folder
    for part in name.split("."):
        place = place / part
        if place.with_name(f"{part}.py").is_file():
            yield place.with_name(f"{part}.py")
            return
        if (place / "__init__.py").is_file():
            yield place / "__init__.py"
        elif not place.is_dir():
            return


class _Loader(SourceFileLoader):
    """Loads a program's modules from code compiled before the fork, which runs one program."""

    root = ""
    codes: dict[str, types.CodeType] = {}

    def get_code(self, fullname: str) -> types.CodeType | None:
        code = self.codes.get(os.path.relpath(self.path, self.root))
        return code or super().get_code(fullname)


def _hook(folder: str, codes: dict[str, types.CodeType]) -> Any:
    _Loader.root, _Loader.codes = folder, codes
    make = FileFinder.path_hook(
        (ExtensionFileLoader, EXTENSION_SUFFIXES), (_Loader, SOURCE_SUFFIXES)
    )

    def hook(path: str) -> Any:
        if path != folder and not path.startswith(f"{folder}/"):
            raise ImportError("none of the program's folders", path=path)
        return make(path)

    return hook


def _code(script: str, codes: dict[str, types.CodeType]) -> types.CodeType:
    code = codes.get(Path(script).name)
    return code or compile(Path(script).read_bytes(), script, "exec", dont_inherit=True)


def _packages() -> set[str]:
    return {name.partition(".")[0] for name in sys.modules}


def _import(name: str) -> None:
    """Import a library; if it is missing, the program complains about it."""
    try:
        importlib.import_module(name)
    except TimeoutError:
        raise
    except BaseException:  # noqa: S110 - it raises the same in the program
        pass


@contextlib.contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Leave the block after some seconds, and end the process once the engine is gone."""
    engine = os.getppid()
    end = time.monotonic() + seconds

    def look(*_: object) -> None:
        if os.getppid() != engine:
            os._exit(1)
        if time.monotonic() >= end:
            raise TimeoutError

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, min(seconds, 0.5), 0.5)
    try:
        yield
    except TimeoutError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _redirect(log: int) -> None:
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)


def _as_exit_code(run: Any) -> int:
    """Call, and return the exit code that an interpreter would give for what is raised."""
    try:
        run()
    except SystemExit as error:
        if error.code is None:
            return 0
        if isinstance(error.code, int):
            return error.code & 0xFF
        print(error.code, file=sys.stderr)
        return 1
    except BaseException as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 1
    return 0


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for supervisors
    control = socket.socket(fileno=os.dup(0))
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    server = Server()
    server.load(Path(sys.argv[1]))
    server.serve(control)


if __name__ == "__main__":
    main()
