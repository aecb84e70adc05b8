"""The gateway of one cell: what comes out of its socket -> a model, within budget, on record.

Which cell asks is known by the socket, and by nothing that it says. Of a request its path, its
body and three headers are read; what goes on is made anew. A connection has one request.
"""

import os
import queue
import re
import socket
import socketserver
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from evaluator.core.log import complain
from evaluator.plugins.models.journal import Journal, Reservation, exchange_of
from evaluator.plugins.models.keys import Model
from evaluator.plugins.models.relay import SOCKET
from evaluator.plugins.models.requests import (
    MAX_BODY,
    MESSAGES,
    Request,
    RequestRefusedError,
    read_request,
)
from evaluator.plugins.models.transcript import Exchange
from evaluator.plugins.models.usage import read_usage

AT_ONCE = 64
"""Connections of one cell; others wait."""
_SECONDS = 60
"""That a program may be silent in its request."""
_ANSWER_SECONDS = 600
_VERSION = re.compile(r"[\w.-]{1,32}\Z")
_TYPES = ("application/json", "text/event-stream")


class Models:
    """Where the models of a bundle are, for one cell."""

    def __init__(self, models: Mapping[str, Model]) -> None:
        self.models = models
        self.programs: dict[str, queue.Queue[socket.socket]] = {}
        """Connections that programs of the bundle offer, by model."""

    def send(self, request: Request, version: str) -> tuple[HTTPConnection, HTTPResponse]:
        """Raises OSError, HTTPException."""
        model = self.models[request.model]
        headers = {
            "Content-Type": "application/json",
            "Accept-Encoding": "identity",
            "Connection": "close",
        }
        if request.path == MESSAGES:
            headers["anthropic-version"] = version
        key = os.environ.get(model.key, "") if model.key else ""
        if key and request.path == MESSAGES:
            headers["x-api-key"] = key
        elif key:
            headers["Authorization"] = f"Bearer {key}"
        url = urlsplit(model.address)
        kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
        connection = kind(url.hostname or "localhost", url.port, timeout=_ANSWER_SECONDS)
        if model.program:
            connection.sock = self.programs[request.model].get(timeout=_ANSWER_SECONDS)
            connection.sock.settimeout(_ANSWER_SECONDS)
        connection.request("POST", url.path.rstrip("/") + request.path, request.body, headers)
        return connection, connection.getresponse()


class _Handler(BaseHTTPRequestHandler):
    server: "GatewayServer"
    timeout = _SECONDS
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pullbench", ""

    def log_message(self, *_: object) -> None:
        """Say nothing: a program's request is no line of a log."""

    def handle(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.handle_one_request()
        self.close_connection = True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self._refuse_method
        raise AttributeError(name)

    def _refuse_method(self) -> None:
        self._refuse(RequestRefusedError("only POST is passed on", status=405))

    def do_POST(self) -> None:
        try:
            request = read_request(self.path, self._read_body(), self.server.models.models)
            answered = self.server.journal.begin(request)
        except RequestRefusedError as refusal:
            self._refuse(refusal)
            return
        if isinstance(answered, Exchange):
            self._answer(answered.status, answered.content_type, answered.content)
        else:
            self._ask(request, answered)

    def _read_body(self) -> bytes:
        headers = self.headers
        if headers.get_all("transfer-encoding") or headers.get("content-encoding", "identity") != (
            "identity"
        ):
            raise RequestRefusedError("send the body plain, with its content-length")
        if headers.get("anthropic-beta"):
            raise RequestRefusedError("the header anthropic-beta is not passed on")
        lengths = headers.get_all("content-length", [])
        if len(lengths) != 1 or not re.fullmatch(r"[0-9]{1,9}", lengths[0]):
            raise RequestRefusedError("say the body's content-length, once", status=411)
        if int(lengths[0]) > MAX_BODY:
            raise RequestRefusedError(f"a body has at most {MAX_BODY:,} bytes", status=413)
        body = self.rfile.read(int(lengths[0]))
        if len(body) < int(lengths[0]):
            raise RequestRefusedError("the body is shorter than its content-length")
        return body

    def _refuse(self, refusal: RequestRefusedError) -> None:
        self._answer(refusal.status, "application/json", refusal.body(self.path))

    def _answer(self, status: int, kind: str, content: bytes) -> None:
        self._begin(status, kind, len(content))
        self.wfile.write(content)

    def _begin(self, status: int, kind: str, length: int | None = None) -> None:
        self.send_response_only(status)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        if status >= HTTPStatus.BAD_REQUEST:
            self.send_header("x-should-retry", "false")
        self.send_header("Connection", "close")
        self.end_headers()

    def _ask(self, request: Request, reserved: Reservation) -> None:
        """Ask the model, whatever becomes of who asked: the answer is paid for."""
        status, kind, content, used = HTTPStatus.BAD_GATEWAY, _TYPES[0], b"", None
        fault = "the model did not answer"
        is_begun = False
        try:
            version = self.headers.get("anthropic-version", "")
            connection, answer = self.server.models.send(
                request, version if _VERSION.match(version) else "2023-06-01"
            )
            with closing(connection), answer:
                kind = next((one for one in _TYPES if one in answer.headers.get_content_type()), "")
                if answer.status != HTTPStatus.OK or not kind:
                    # What it says may name the account, and a redirect another place.
                    fault = f"the model answered with status {answer.status}"
                    status = HTTPStatus(answer.status if answer.status in _ERRORS else 502)
                    used = (0, 0)
                else:
                    for piece in _pieces(answer, reserved.answer_size):
                        content += piece
                        if kind == _TYPES[1]:
                            with suppress(OSError):
                                if not is_begun:
                                    self._begin(HTTPStatus.OK, kind)
                                self.wfile.write(piece)
                            is_begun = True
                    status, fault = HTTPStatus.OK, ""
                    used = read_usage(content, streams=kind == _TYPES[1])
        except (OSError, HTTPException, queue.Empty, ValueError) as error:
            complain(f"model {request.model}: {type(error).__name__}")
        if fault and not is_begun:
            kind = _TYPES[0]
            content = RequestRefusedError(fault, status=status).body(request.path)
        elif fault:
            status = HTTPStatus.OK  # that is what was said before it was cut off
        self.server.journal.settle(
            reserved,
            exchange_of(reserved, request, status=status, kind=kind, content=content, used=used),
        )
        if not is_begun:
            self._answer(status, kind, content)


_ERRORS = range(400, 600)


def _pieces(answer: HTTPResponse, most: int) -> Iterator[bytes]:
    """Yield what comes, as it comes. Raises ValueError for too much or too long."""
    end, size = time.monotonic() + _ANSWER_SECONDS, 0
    while piece := answer.read1(65536):
        size += len(piece)
        if size > most or time.monotonic() > end:
            raise ValueError
        yield piece


@contextmanager
def socket_place(folder: Path) -> Iterator[Path]:
    """Make a folder that one container mounts, and yield a short path in it, as sockets need.

    The user of that container is nobody of this machine, and may only use the socket. The folder
    above is this user's alone.
    """
    folder.mkdir()
    folder.chmod(0o711)
    descriptor = os.open(folder, os.O_PATH)
    try:
        yield Path(f"/proc/self/fd/{descriptor}", Path(SOCKET).name)
    finally:
        os.close(descriptor)


class GatewayServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Serves the socket of one cell until it is closed."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = AT_ONCE

    def __init__(self, folder: Path, models: Models, journal: Journal) -> None:
        self.models, self.journal = models, journal
        self.is_ready = threading.Event()
        """Set by the first connection: the relay's, which then listens."""
        self._places = threading.BoundedSemaphore(AT_ONCE)
        with socket_place(folder) as path:
            super().__init__(str(path), _Handler)
            path.chmod(0o666)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._places.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        self.is_ready.set()
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, *_: object) -> None:
        """Let a defect end the connection alone; its reservation counts as spent."""
        complain("a request to a model could not be handled")

    def close(self) -> None:
        self.shutdown()
        self.server_close()


class Offers:
    """Connections that a program of the bundle offers through a socket."""

    def __init__(self, folder: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        with socket_place(folder) as path:
            self._listener.bind(str(path))
            path.chmod(0o666)
        self._listener.listen()
        self.offered: queue.Queue[socket.socket] = queue.Queue()
        self.is_ready = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):  # it is closed
            while True:
                self.offered.put(self._listener.accept()[0])
                self.is_ready.set()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        while not self.offered.empty():
            self.offered.get().close()
