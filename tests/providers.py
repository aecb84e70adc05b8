"""A provider of models on loopback, and a gateway in front of it, with its socket."""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from evaluator.plugins.models.gateway import GatewayServer, Models
from evaluator.plugins.models.journal import Journal
from evaluator.plugins.models.keys import Model
from evaluator.plugins.models.transcript import Exchange

KEY = "sk-CANARY-5d1e77"
VARIABLE = "PULLBENCH_MODEL_KEY"
HEAD = "Host: x\r\nContent-Type: application/json\r\n"
CHAT, MESSAGES, RESPONSES = "/v1/chat/completions", "/v1/messages", "/v1/responses"


def body(**more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": "hello"}
    return {"model": "m", "max_tokens": 10, "messages": [message], **more}


def body_for(path: str, **more: Any) -> dict[str, Any]:
    if path != RESPONSES:
        return body(**more)
    return {"model": "m", "input": "hello", "max_output_tokens": 10, **more}


def usage(input_: int = 5, output: int = 7) -> dict[str, int]:
    return {"prompt_tokens": input_, "completion_tokens": output}


@dataclass
class Provider:
    """Answers what it is told to, and keeps what it was asked."""

    address: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    content: bytes = json.dumps({"choices": [], "usage": usage()}).encode()
    by_path: dict[str, bytes] = field(default_factory=dict)
    """What is answered there in place of ``content``."""
    asked: list[tuple[str, Message, bytes]] = field(default_factory=list)
    wait: threading.Event | None = None
    """An answer waits for it."""


@contextmanager
def provider() -> Iterator[Provider]:
    told = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            told.asked.append((self.path, self.headers, content))
            if told.wait:
                told.wait.wait(60)
            self.send_response(told.status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(told.by_path.get(self.path, told.content))

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.request_queue_size = 128
        told.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield told
        finally:
            server.shutdown()
            thread.join()


def model(address: str, **limits: float) -> Model:
    wanted = {"calls": 100, "tokens": 100_000, "money": 1.0, **limits}
    return Model.model_validate({
        "address": address, "key": VARIABLE, "prices": {"input": 1, "output": 10}, "limits": wanted,
    })  # fmt: skip


class _OfSocket(HTTPConnection):
    def __init__(self, folder: Path) -> None:
        super().__init__("127.0.0.1", timeout=60)
        self._folder = folder

    def connect(self) -> None:
        self.sock = connect(self._folder)


def connect(folder: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(60)
    connection.connect(str(folder / "socket"))
    return connection


@dataclass
class Door:
    """A gateway, as a program's relay sees it."""

    folder: Path
    journal: Journal

    def ask(
        self, content: Any = None, path: str = CHAT, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        connection = _OfSocket(self.folder)
        try:
            text = (
                content
                if isinstance(content, bytes)
                else json.dumps(content or body_for(path)).encode()
            )
            connection.request("POST", path, text, headers or {})
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
        finally:
            connection.close()

    def send(self, raw: bytes) -> bytes:
        """Send bytes, and read to the end; also where nobody reads all of them."""
        answer = b""
        with connect(self.folder) as connection, suppress(ConnectionResetError, BrokenPipeError):
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                answer += piece
        return answer


@contextmanager
def door(
    folder: Path,
    models: Mapping[str, Model],
    recorded: list[Exchange] | None = None,
    journal: str = "journal",
) -> Iterator[Door]:
    kept = Journal(folder / journal, models, recorded)
    place = folder / "s"
    gateway = GatewayServer(place, Models(models), kept)
    try:
        yield Door(place, kept)
    finally:
        gateway.close()
        kept.close(ended=False)
