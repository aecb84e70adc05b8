"""The Docker daemon that answers, and whose fault its errors are.

What each cell asks of it goes over its socket as plain HTTP: the package ``docker`` takes longer to
load than all of that to answer. It is loaded to pull and build images, for it knows credentials.
"""

import contextlib
import errno
import json
import os
import select
import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, urlencode, urlsplit

from evaluator.core.errors import PlatformError, error_name
from evaluator.core.log import complain

_DEFAULT = "unix:///var/run/docker.sock"
_FRAME = 8
"""Bytes before each piece of a log: the last four are its size."""
PATIENCE = 600
"""Seconds to wait for an answer about one container, from a daemon that has many."""
_QUIET = 30
"""Seconds of them after which people are told."""


class APIError(Exception):
    """The daemon's answer, where it refuses."""

    def __init__(self, status_code: int, explanation: str) -> None:
        super().__init__(status_code, explanation)
        self.status_code = status_code
        self.explanation = explanation


class NotFoundError(APIError):
    """It has nothing of that name."""


FAULTS = (APIError, HTTPException, OSError)
"""Errors of Docker, the network or the disk."""


@contextlib.contextmanager
def platform_faults(doing: str) -> Iterator[None]:
    try:
        yield
    except FAULTS as error:
        raise PlatformError(
            f"could not {doing} ({error_name(error)})",
            hint="Is the Docker engine well? `docker info` tells.",
        ) from error


class _Local(HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Stream:
    """Objects that the daemon sends as they come; ``close`` ends it from any thread."""

    def __init__(self, connection: HTTPConnection, answer: HTTPResponse) -> None:
        self._connection, self._answer = connection, answer

    def __iter__(self) -> Iterator[Any]:
        with contextlib.closing(self._connection), self._answer:
            yield from map(json.loads, self._answer)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            if self._connection.sock:
                self._connection.sock.shutdown(socket.SHUT_RDWR)


class DockerClient:
    """The daemon at DOCKER_HOST; serves all threads, for each request has its own connection."""

    def __init__(self, timeout: float = PATIENCE) -> None:
        self._timeout = timeout
        self._idle: list[HTTPConnection] = []
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._is_closed = True  # a thread that still reads an answer closes its connection itself
        while self._idle:
            self._idle.pop().close()
        if "package" in vars(self):
            self.package.close()

    @cached_property
    def is_podman(self) -> bool:
        # Its answer to "version" takes seconds on Debian: it looks for packages.
        with self._asked("GET", "/_ping") as answer:
            answer.read()
            return "Libpod-Api-Version" in answer.headers

    @cached_property
    def package(self) -> Any:
        """The package's client, which is slow to load."""
        import docker
        from docker.utils import kwargs_from_env

        return docker.APIClient(version="auto", timeout=PATIENCE, **kwargs_from_env())

    def info(self) -> dict[str, Any]:
        return self._json("GET", "/info")  # type: ignore[no-any-return]

    def inspect_image(self, name: str) -> dict[str, Any]:
        return self._json("GET", f"/images/{quote(name, safe='/:')}/json")  # type: ignore[no-any-return]

    def create_container(self, **config: Any) -> str:
        return str(self._json("POST", "/containers/create", body=json.dumps(config))["Id"])

    def start(self, container: str) -> None:
        self._json("POST", f"/containers/{container}/start")

    def wait(self, container: str, seconds: float | None = None) -> bool:
        """Wait for its end, for at most some seconds; whether it has come."""
        try:
            self._json("POST", f"/containers/{container}/wait", timeout=seconds)
        except TimeoutError:
            if seconds is None:
                raise
            return False
        return True

    def inspect_container(self, container: str) -> dict[str, Any]:
        return self._json("GET", f"/containers/{container}/json")  # type: ignore[no-any-return]

    def logs(self, container: str, **wanted: bool) -> Iterator[bytes]:
        """Yield what a container without a terminal wrote."""
        with self._asked("GET", f"/containers/{container}/logs", wanted) as answer:
            while len(head := answer.read(_FRAME)) == _FRAME:
                yield answer.read(int.from_bytes(head[4:], "big"))

    def kill(self, container: str) -> None:
        self._json("POST", f"/containers/{container}/kill", {"signal": "SIGKILL"})

    def remove_container(self, container: str) -> None:
        """Remove it with its own volumes; what stays is left to the end of its run, or later."""
        with contextlib.suppress(*FAULTS):
            self._json("DELETE", f"/containers/{container}", {"force": True, "v": True})

    def has_path(self, container: str, path: str) -> bool:
        try:
            self._json("HEAD", f"/containers/{container}/archive", {"path": path})
        except NotFoundError:
            return False
        return True

    def archive(self, container: str, path: str) -> contextlib.AbstractContextManager[HTTPResponse]:
        """Read a folder as an archive; leaving it ends that."""
        return self._asked("GET", f"/containers/{container}/archive", {"path": path})

    def put_archive(self, container: str, path: str, content: Iterable[bytes]) -> None:
        self._json("PUT", f"/containers/{container}/archive", {"path": path}, content)

    def containers(self, label: str) -> list[Any]:
        query = {"all": True, "filters": {"label": [label]}}
        return self._json("GET", "/containers/json", query)  # type: ignore[no-any-return]

    def create_volume(self, **config: Any) -> None:
        self._json("POST", "/volumes/create", body=json.dumps(config))

    def volumes(self, label: str) -> list[Any]:
        return self._json("GET", "/volumes", {"filters": {"label": [label]}})["Volumes"] or []

    def remove_volume(self, name: str) -> None:
        self._json("DELETE", f"/volumes/{name}")

    def events(self, filters: Mapping[str, list[str]]) -> Stream:
        return Stream(*self._send("GET", "/events", {"filters": filters}, timeout=None))

    def stats(self, container: str) -> Stream:
        return Stream(*self._send("GET", f"/containers/{container}/stats", {"stream": True}))

    def _json(self, *request: Any, **more: Any) -> Any:
        with self._asked(*request, **more) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    @contextlib.contextmanager
    def _asked(self, *request: Any, **more: Any) -> Iterator[HTTPResponse]:
        connection, answer = self._send(*request, **more)
        with answer:
            try:
                yield answer
            finally:
                is_read = answer.isclosed() and connection.sock
                if is_read and not self._is_closed:
                    self._idle.append(connection)
                else:
                    connection.close()

    def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: str | Iterable[bytes] | None = None,
        timeout: float | None = -1,
    ) -> tuple[HTTPConnection, HTTPResponse]:
        """Send a request; a ``timeout`` below 0 is the client's. Raises one of FAULTS."""
        values = {
            key: json.dumps(value) if isinstance(value, (dict, bool)) else value
            for key, value in (query or {}).items()
        }
        headers = {"Content-Type": "application/json"} if isinstance(body, str) else {}
        connection = self._connection(self._timeout if timeout and timeout < 0 else timeout)
        with contextlib.ExitStack() as stack:
            stack.callback(connection.close)
            address = f"{path}?{urlencode(values)}" if values else path
            connection.request(method, address, body, headers)
            if timeout == -1 and self._timeout > _QUIET and not _readable(connection, _QUIET):
                complain(
                    f"The Docker engine has not answered for {_QUIET} s; it is waited for, up to "
                    f"{self._timeout:.0f} s. `docker info` tells whether it is well."
                )
            answer = connection.getresponse()
            if answer.status >= HTTPStatus.BAD_REQUEST:
                text = answer.read().decode(errors="replace")
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    text = str(json.loads(text)["message"])
                is_absent = answer.status == HTTPStatus.NOT_FOUND
                raise (NotFoundError if is_absent else APIError)(answer.status, text)
            stack.pop_all()
        return connection, answer

    def _connection(self, timeout: float | None) -> HTTPConnection:
        while self._idle:
            with contextlib.suppress(IndexError):  # another thread was first
                connection = self._idle.pop()
                if not _readable(connection, 0):  # else it has ended
                    connection.sock.settimeout(timeout)
                    return connection
                connection.close()
        connection = _new_connection(os.environ.get("DOCKER_HOST") or _DEFAULT)
        connection.timeout = timeout
        return connection


def _readable(connection: HTTPConnection, seconds: float) -> bool:
    """Wait until there is something to read, for at most so long; whether there is."""
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    return bool(poll.poll(1000 * seconds))


def _new_connection(host: str) -> HTTPConnection:
    address = urlsplit(host)
    if address.scheme == "unix":
        return _Local(address.path)
    if address.scheme not in ("tcp", "http", "https"):
        raise OSError(errno.EPROTONOSUPPORT, "no way to this engine")
    folder, verify = os.environ.get("DOCKER_CERT_PATH"), os.environ.get("DOCKER_TLS_VERIFY")
    if not folder and not verify:
        return HTTPConnection(address.hostname or "", address.port or 2375)
    place = Path(folder) if folder else Path.home() / ".docker"
    context = ssl.create_default_context(cafile=str(place / "ca.pem"))
    context.load_cert_chain(place / "cert.pem", place / "key.pem")
    if not verify:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return HTTPSConnection(address.hostname or "", address.port or 2376, context=context)


def connect() -> DockerClient | None:
    client = DockerClient(timeout=30)
    try:
        _ = client.is_podman  # asks
    except (*FAULTS, ValueError):  # the last is of an address that is none
        return None
    return client
