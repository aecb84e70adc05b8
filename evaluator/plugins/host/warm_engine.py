"""Runs Python programs on the host as forks of warm interpreters: for trusted local use alone.

Libraries are imported once for all programs of an environment and not once for each cell; all
else is as in the subprocess engine. A command other than plain ``python SCRIPT`` runs as there,
and so does one that is timed for its score or gets a GPU.
"""

import contextlib
import json
import os
import select
import socket
import subprocess
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.spec import RunSpec
from evaluator.plugins.host.host_process import (
    Child,
    Launch,
    Request,
    Supervised,
    read_answer,
    variables,
)
from evaluator.plugins.host.subprocess_engine import SubprocessEngine

_FORK_SERVER = Path(__file__).with_name("fork_server.py")
_SERVERS = 8
"""Interpreters that are kept warm; each holds the memory of its libraries."""
_START_SECONDS = 60
"""What one may take to import them; slower programs import them themselves."""
Key = tuple[str, ...]


class WarmEngine(SubprocessEngine):
    """One fork server for each environment and number of cores."""

    name = "warm (no isolation)"

    def __init__(self, cache: Path, retries: int = 2, temporary: Path | None = None) -> None:
        super().__init__(cache, retries, temporary)
        self._warming = threading.Lock()
        self._servers: OrderedDict[Key, ForkServer | None] = OrderedDict()

    def _launch(self, spec: RunSpec, environment: Path) -> Launch:
        script = _script(spec)
        if script is None:
            return Child
        server = self._server(script, spec, environment)
        return server.launch if server is not None else Child

    def _server(self, script: Path, spec: RunSpec, environment: Path) -> "ForkServer | None":
        key = (str(environment), str(int(spec.limits.cpus)))
        with self._warming:
            if key not in self._servers:
                self._servers[key] = ForkServer(script, spec, environment, self.temporary)
            server = self._servers[key]
            if server is not None and not server.load(script):
                server.close()
                self._servers[key] = server = None  # it may be the libraries: not again
            self._servers.move_to_end(key)
            while len(self._servers) > _SERVERS:
                _, oldest = self._servers.popitem(last=False)
                if oldest is not None:
                    oldest.close()  # what it forked runs on
            return server

    def close(self) -> bool:
        is_closed = super().close()
        with self._warming:
            for server in self._servers.values():
                if server is not None:
                    server.close()
            self._servers.clear()
        return is_closed


def _script(spec: RunSpec) -> Path | None:
    if spec.exclusive or spec.gpus or len(spec.command) < 2:
        return None
    name, path = spec.command[:2]
    if name not in ("python", "python3") or not path.endswith(".py"):
        return None
    for mount in spec.mounts:
        if path.startswith(f"{mount.target}/"):
            script = mount.source / path.removeprefix(f"{mount.target}/")
            return script if script.is_file() else None
    return None


class ForkServer:
    """A warm interpreter that forks for each program that it is asked to run."""

    def __init__(
        self, script: Path, spec: RunSpec, environment: Path, temporary: Path | None = None
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pullbench-warm-", dir=temporary)
        home = Path(self._folder.name)
        self.complaints = home / "complaints"
        self._control, server_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._first, self._loaded = script, set[Path]()
        with server_end, self.complaints.open("wb") as complaints:
            self._process = subprocess.Popen(
                # -P: beside the server lie modules of ours, which nothing may find by their names.
                [str(environment / "bin" / "python"), "-P", str(_FORK_SERVER), str(script)],
                stdin=server_end.fileno(), stdout=complaints, stderr=complaints,
                env=variables(spec, environment, home), cwd=home, start_new_session=True,
            )  # fmt: skip

    def load(self, script: Path) -> bool:
        """Let it import what a script imports, once, and wait for it; False if that fails."""
        if self._process.poll() is not None:
            return False
        if script not in self._loaded:
            with contextlib.suppress(OSError):  # it has just ended
                if script != self._first:
                    self._control.send(os.fsencode(script))
                ready, _, _ = select.select([self._control], [], [], _START_SECONDS)
                if ready and self._control.recv(1):
                    self._loaded.add(script)
        return script in self._loaded

    def launch(self, request: Request, scratch: Path) -> Supervised:  # noqa: ARG002 - as others
        return _Fork(self, request)

    def send(self, descriptor: int) -> None:
        """Give the server one end of a new supervisor's socket. Raises OSError."""
        socket.send_fds(self._control, [b"f"], [descriptor])

    def close(self) -> None:
        """End the server, at once: it has nothing to finish, and what it forked runs on."""
        self._control.close()
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


class _Fork:
    """A program that a server forked; the end of its socket, however it comes, ends it."""

    def __init__(self, server: ForkServer, request: Request) -> None:
        self._server = server
        self._socket, server_end = socket.socketpair()
        with server_end:
            server.send(server_end.fileno())
        self._socket.sendall(json.dumps(request).encode() + b"\n")

    def kill(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:  # it has ended
            return

    def answer(self) -> dict[str, Any] | None:
        with self._socket, self._socket.makefile("rb") as stream:
            try:
                return read_answer(stream.readline())
            except OSError:
                return None

    def complaint(self) -> str:
        try:
            return self._server.complaints.read_text(errors="replace")
        except OSError:
            return os.strerror(0)
