"""Ask an OpenML server, through the package `openml` in a process of its own."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from evaluator.core.errors import Actor, PlatformError, PullbenchError
from evaluator.core.plugins import need

SERVER = "https://www.openml.org/api/v1/xml"
SECONDS = 300.0
"""How long one answer may take, with all the requests and retries that it needs."""
START_SECONDS = 120.0
"""How long the package may take to load."""
MAX_ANSWER = 64 * 2**20
"""Bytes of one answer."""
_INHERITED = (
    "PATH", "LANG", "LC_ALL", "TZ", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy",
    "https_proxy", "no_proxy", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PYTHONPATH",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class OpenmlClient:
    """One server, and how patient its answers find us."""

    server: str = SERVER
    seconds: float = SECONDS

    def ask(self, command: str, item: Any = None) -> Any:
        """One answer. Raises PullbenchError, PlatformError."""
        (answer,) = self.ask_each(command, [item])
        return answer

    def ask_each(self, command: str, items: Sequence[Any]) -> Iterator[Any]:
        """Yield the answers, up to the first error. Raises PullbenchError, PlatformError."""
        for answer in self.ask_all(command, items):
            if isinstance(answer, PullbenchError):
                raise answer
            yield answer

    def ask_all(self, command: str, items: Sequence[Any]) -> Iterator[Any | PullbenchError]:
        """Yield an answer or an error for each item. Raises UsageError without the package."""
        if not items:
            return
        need("openml")
        with tempfile.TemporaryDirectory(prefix="pullbench-openml-") as home:
            left = list(items)
            while left:
                # A process that hangs is ended, and the next items get a new one.
                for answer in self._answers(command, list(left), Path(home)):
                    left.pop(0)
                    yield answer

    def _answers(self, command: str, items: Sequence[Any], home: Path) -> Iterator[Any]:
        request = {"command": command, "server": self.server, "items": items}
        with tempfile.TemporaryFile() as errors, _process(home, errors) as process:
            assert process.stdin is not None and process.stdout is not None  # noqa: S101
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(json.dumps(request).encode())
                process.stdin.close()
            lines = _Lines(process.stdout)
            if lines.next(START_SECONDS) is None:
                yield self._failure(lines, errors)
                return
            for _ in items:
                line = lines.next(self.seconds)
                if line is None:
                    yield self._failure(lines, errors)
                    return
                yield _read_answer(json.loads(line), self.server)

    def _failure(self, lines: "_Lines", errors: IO[bytes]) -> PlatformError:
        if lines.late:
            return PlatformError(
                f"{self.server} gave no answer within {self.seconds:g} s", hint="Try again later."
            )
        errors.seek(0)
        tail = errors.read()[-400:].decode(errors="replace").strip().splitlines()
        return PlatformError(
            f"the package openml ended without an answer: {tail[-1] if tail else 'no reason given'}"
        )


class _Lines:
    """Lines of a pipe, each with a deadline."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._buffer = b""
        self.late = False

    def next(self, seconds: float) -> bytes | None:
        """The next line; None at the end, or where it is late."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._pipe], [], [], left)[0]:
                self.late = True
                return None
            block = os.read(self._pipe.fileno(), 2**16)
            if not block or len(self._buffer) > MAX_ANSWER:
                return None
            self._buffer += block
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line


@contextlib.contextmanager
def _process(home: Path, errors: IO[bytes]) -> "Iterator[subprocess.Popen[bytes]]":
    """Start the process with a home, a configuration and a cache that nobody else has."""
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ} | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "OPENML_CACHE_DIR": str(home / "openml"),
        # Parquet has no digest at OpenML, and loses the levels of nominal columns: `child` takes
        # it where there is nothing else.
        "OPENML_SKIP_PARQUET": "true",
    }
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "evaluator.plugins.openml.tasks.child"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment,
        start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        process.wait()


def _read_answer(line: dict[str, Any], server: str) -> Any | PullbenchError:
    if "error" not in line:
        return line["answer"]
    kind, message = line["error"]["kind"], line["error"]["message"]
    if kind == "unsupported":
        return PullbenchError(message, hint=line["error"]["hint"], actor=Actor.ORGANISER)
    if kind == "network":
        return PlatformError(
            f"{server} cannot be read: {message}", hint="Try again later; what came is kept."
        )
    if kind == "digest":
        return PullbenchError(
            f"a file of {server} is not what its description says: {message}",
            hint="It was truncated on the way or changed at the server. Try again.",
            actor=Actor.PLATFORM,
        )
    says = "says" if kind == "refused" else "has what cannot be used"
    hint = "" if kind == "refused" else "It may be truncated: try again, or tell its keepers."
    return PullbenchError(f"{server} {says}: {message}", hint=hint, actor=Actor.ORGANISER)
