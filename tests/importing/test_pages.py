"""1.6: pictures of other servers come into the bundle on request; else it is said."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from evaluator.site.content.organisers_pages import clean_page
from tests.importing.sources import Desk, said

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)


@pytest.fixture
def server() -> Iterator[str]:
    class Pictures(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = {"/a.png?raw=1&b=2": PNG, "/page.png": b"<html>Sign in</html>"}
            content = known.get(self.path)
            self.send_response(404 if content is None else 200)
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Pictures) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def overview(server: str) -> str:
    return (
        f"![one]({server}/a.png?raw=1&b=2 'Title') and {server}/a.png?raw=1&b=2\n\n"
        f'<img alt="two" src="{server}/a.png?raw=1&amp;b=2">\n'
        f"![gone]({server}/gone.png) ![no picture]({server}/page.png)\n"
    )


def test_pictures_come_along_on_request(desk: Desk, server: str) -> None:
    files = {"pages/overview.md": overview(server)}
    pages = [{"title": "Overview", "file": "pages/overview.md"}]
    source = desk.zip({**desk.v2_files(pages=pages), **files})
    done = desk.take(source, pictures=True)
    assert not done.refused, said(done)
    (picture,) = [path for path in done.files if path.startswith("pages/pictures/")]
    text = desk.read("pages/overview.md")
    assert text.count(f"({picture.removeprefix('pages/')}") == 1
    assert text.count(f'src="{picture.removeprefix("pages/")}"') == 1
    assert f" and {server}/a.png?raw=1&b=2" in text, "a link stays one"
    warnings = said(done, "warning")
    assert "gone.png becomes a link: its server answers 404" in warnings
    assert "page.png becomes a link: it is no picture that browsers show" in warnings
    folder = desk.repo.path / "benchmarks/new"
    html = clean_page(text.encode(), "pages/overview.md", lambda path: (folder / path).read_bytes())
    assert html.count("data:image/png;base64,") == 2


def test_without_being_asked_nothing_is_fetched(desk: Desk) -> None:
    files = {"pages/overview.md": overview("http://127.0.0.1:1")}
    pages = [{"title": "Overview", "file": "pages/overview.md"}]
    done = desk.take(desk.zip({**desk.v2_files(pages=pages), **files}))
    assert "shows pictures of other servers, which become links here: http://127.0.0.1:1/a" in said(
        done, "warning"
    )
    assert desk.read("pages/overview.md") == files["pages/overview.md"]
