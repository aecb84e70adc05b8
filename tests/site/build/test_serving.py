"""The built site as a browser asks for it."""

import functools
import gzip
import http.client
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.site.build.serving import SiteHandler

TEXT = b"<p>many rows</p>\n" * 1000


class Silent(SiteHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    for path, content in {
        "index.html": TEXT, "page/index.html": TEXT, "small.html": b"<p>", "api/v1/b.json": TEXT,
        "picture.png": TEXT, "folder/other.txt": TEXT,
    }.items():  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    handler = functools.partial(Silent, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def ask(
    port: int, path: str, method: str = "GET", coding: str = "br, gzip;q=0.8", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    sent = {"Accept-Encoding": coding, **{k.replace("_", "-"): v for k, v in headers.items()}}
    connection.request(method, path, headers=sent)
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


@pytest.mark.parametrize(
    "path", ["/", "/page/", "/index.html", "/page/?view=1#x", "/api/v1/b.json"]
)
def test_text_is_compressed(port: int, path: str) -> None:
    status, headers, body = ask(port, path)
    assert status == 200
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Vary"] == "Accept-Encoding"
    assert int(headers["Content-Length"]) == len(body) < len(TEXT) / 10
    assert gzip.decompress(body) == TEXT
    assert headers["Content-Type"] == ("application/json" if "api" in path else "text/html")


@pytest.mark.parametrize("coding", ["", "identity", "br", "gzip;q=0", "gzip; q=0.0"])
def test_who_takes_no_gzip_gets_the_file(port: int, coding: str) -> None:
    status, headers, body = ask(port, "/", coding=coding)
    assert (status, body) == (200, TEXT)
    assert "Content-Encoding" not in headers
    assert headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/small.html", "/picture.png"])
def test_what_would_not_get_smaller_is_not_compressed(port: int, path: str) -> None:
    status, headers, _ = ask(port, path)
    assert status == 200
    assert "Content-Encoding" not in headers


def test_head_says_what_get_would(port: int) -> None:
    _, expected, _ = ask(port, "/page/")
    status, headers, body = ask(port, "/page/", "HEAD")
    assert (status, body) == (200, b"")
    assert headers.keys() == expected.keys()
    assert headers["Content-Length"] == expected["Content-Length"]


def test_a_copy_that_is_no_older_is_not_sent_again(port: int) -> None:
    _, headers, _ = ask(port, "/")
    again = ask(port, "/", If_Modified_Since=headers["Last-Modified"])
    assert (again[0], again[2]) == (304, b"")
    old = "Mon, 01 Jan 2001 00:00:00 GMT"
    assert ask(port, "/", If_Modified_Since=old)[0] == 200
    assert ask(port, "/", If_Modified_Since="yesterday")[0] == 200


def test_what_is_for_programs_is_for_any_origin(port: int) -> None:
    assert ask(port, "/api/v1/b.json")[1]["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Origin" not in ask(port, "/")[1]


def test_what_is_not_there_is_said_so(port: int) -> None:
    assert ask(port, "/nowhere/")[0] == 404
    assert ask(port, "/page")[0] == 301
    assert ask(port, "/../../etc/passwd")[0] == 404
    assert ask(port, "/folder/")[0] == 200
