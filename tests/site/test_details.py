"""Detailed results are strangers' pages: files that can do nothing, however they are opened."""

import functools
import http.server
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, expect

from evaluator.site.pages.security_policy import POLICY, harmless
from tests.site.conftest import Silent

PAGE = "benchmarks/adding/submissions/mallory/hostile/"
FILE = "details/main/one.html"
EVIL = """<!doctype html><html manifest=x><head>
<META HTTP-EQUIV=refresh content="0;url=/stolen">
<meta/http-equiv='refresh' content='1;url=/stolen'><meta\fhttp-equiv=refresh content=1;/stolen>
<base href="/stolen/"><link rel=stylesheet href=/stolen.css><link rel=preconnect href=/stolen>
<style>@import url(/stolen.css); body{background:url(/stolen.png)}</style></head>
<body onload="document.title='owned'"><p id=plain>The text</p><svg><metadata>kept</metadata></svg>
<!--><meta http-equiv=refresh content="0;url=/stolen"><title><base href=/stolen></title>
<textarea><meta http-equiv=refresh content="0;url=/stolen"></textarea>
<iframe srcdoc="&lt;meta http-equiv=refresh content='0;url=/stolen'>"></iframe>
<iframe src=/stolen></iframe><object data=/stolen></object><embed src=/stolen>
<img src=/stolen.png><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" id=inline>
<script>document.title='owned'; fetch('/stolen')</script><video src=/stolen autoplay></video>
<a href="javascript:document.title='owned'" id=link>link</a>
<form action=/stolen><button id=send>send</button></form>
<meta http-equiv=refresh content="0;url=/stolen\""""


class Listening(Silent):
    """Remembers what it is asked for: browsers report what a policy stopped as requests, too."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:  # noqa: N802 - the name that the library calls
        self.asked.append(self.path)
        super().do_GET()


@pytest.fixture
def evil(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path
    (folder / "page.html").write_bytes(harmless(EVIL))
    (folder / "frame.html").write_text("<iframe sandbox src=page.html></iframe>")
    (folder / "stolen").write_text("stolen")
    Listening.asked.clear()
    handler = functools.partial(Listening, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_policy_stands_before_anything_of_a_strangers() -> None:
    page = harmless("\ufeff<!doctype html>")
    head = f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    assert page.startswith(head.encode())


def test_elements_that_reload_rebase_connect_or_frame_are_gone() -> None:
    page = harmless(EVIL).decode().partition('content="no-referrer">')[2]
    assert not re.search(r"<(meta|base|link|iframe|object|embed)[\s/>]", page, re.IGNORECASE)
    assert "<metadata>kept</metadata>" in page
    assert "<style>" in page


@pytest.mark.slow
def test_a_page_of_eight_times_the_size_takes_about_eight_times_as_long() -> None:
    """And not 64 times: the time grows with the page, whatever stands in it."""

    def seconds(part: str, size: int) -> float:
        page = part * (size // len(part))
        taken = []
        for _ in range(3):
            start = time.process_time()
            harmless(page)
            taken.append(time.process_time() - start)
        return min(taken)

    for part in ("<div>", "<b a=1>", "<meta ", "<", "<meta"):
        assert seconds(part, 2**22) < 30 * max(seconds(part, 2**19), 0.001), part


def test_they_are_files_beside_the_page(site: Path) -> None:
    page = (site / PAGE / "index.html").read_text()
    assert f'loading="lazy" src="{FILE}">' in page
    assert '<iframe class="detailed" sandbox title="Detailed results of One"' in page
    assert "srcdoc" not in page
    assert (site / PAGE / FILE).read_bytes().startswith(b"<!doctype html><meta http-equiv")
    assert not (site / "benchmarks/adding/submissions/alice/right/details").exists()


def test_none_of_a_hidden_board(sealed_site: Path) -> None:
    assert list(sealed_site.glob("benchmarks/*/submissions/*/*/details")) == []


@pytest.mark.browser
@pytest.mark.parametrize("way", ["page.html", "frame.html"])
def test_a_hostile_page_does_nothing(browser: Browser, evil: str, way: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(evil + way)
    page.wait_for_timeout(1500)
    inside = page.frame_locator("iframe") if way == "frame.html" else page
    expect(inside.locator("#plain")).to_be_visible()
    for name in ("#link", "#send"):
        inside.locator(name).focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
    assert {path for path in Listening.asked if "favicon" not in path} <= {"/" + way, "/page.html"}
    assert page.url == evil + way
    assert "owned" not in page.title()
    context.close()
