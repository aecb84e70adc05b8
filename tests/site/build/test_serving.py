"""The built site as a browser asks for it."""

import functools
import http.client
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.site.build.serving import SiteHandler

TEXT = b"<p>many rows</p>\n"


class Silent(SiteHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    for path, content in {
        "index.html": TEXT, "page/index.html": TEXT, "api/v1/b.json": TEXT,
        "folder/other.txt": TEXT,
    }.items():  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    handler = functools.partial(Silent, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def ask(port: int, path: str) -> tuple[int, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders())
    connection.close()
    return found


def test_what_is_for_programs_is_for_any_origin(port: int) -> None:
    assert ask(port, "/api/v1/b.json")[1]["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in ask(port, "/")[1]


def test_what_is_not_there_is_said_so(port: int) -> None:
    assert ask(port, "/nowhere/")[0] == 404
    assert ask(port, "/page")[0] == 301
    assert ask(port, "/../../etc/passwd")[0] == 404
    assert ask(port, "/folder/")[0] == 200
