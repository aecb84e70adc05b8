"""git's own server over loopback HTTP, in front of a bare repository; it counts what it sends."""

import http.server
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(kw_only=True)
class GitServer:
    """What was asked of it."""

    url: str = ""
    sent: int = 0
    """Bytes of its answers."""
    received: int = 0
    requests: int = 0


@contextmanager
def serve(origin: Path) -> Iterator[GitServer]:
    """Serve a repository as forges do: everybody may fetch parts, and push."""
    for key, value in (
        ("http.receivepack", "true"), ("uploadpack.allowFilter", "true"),
        ("uploadpack.allowAnySHA1InWant", "true"), ("gc.auto", "0"), ("receive.autogc", "false"),
    ):  # fmt: skip
        subprocess.run(["git", "-C", str(origin), "config", key, value], check=True)
    state, lock = GitServer(), threading.Lock()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing: tests do not log requests."""

        def _any(self) -> None:
            path, _, query = self.path.partition("?")
            body = self._body()
            done = subprocess.run(
                ["git", "http-backend"], input=body, capture_output=True, check=True,
                env={
                    **{key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ},
                    "GIT_PROJECT_ROOT": str(origin.parent), "GIT_HTTP_EXPORT_ALL": "1",
                    "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command,
                    "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                    "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                    "CONTENT_LENGTH": str(len(body)), "REMOTE_ADDR": "127.0.0.1",
                    "REMOTE_USER": "somebody",
                },
            ).stdout  # fmt: skip
            head, _, content = done.partition(b"\r\n\r\n")
            fields = [line.split(": ", 1) for line in head.decode().split("\r\n")]
            status = next((value for key, value in fields if key == "Status"), "200 OK")
            self.send_response(int(status.split()[0]))
            for key, value in fields:
                if key != "Status":
                    self.send_header(key, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            with lock:
                state.requests += 1
                state.received += len(body)
                state.sent += len(done)

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = b""
            while size := int(self.rfile.readline().strip() or b"0", 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        do_GET = do_POST = _any  # noqa: N815 - the library's names

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_port}/{origin.name}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield state
        server.shutdown()
