"""Other deployments on the list of benchmarks: 3.6 of issue 19. Over real HTTP, from real sites."""

import hashlib
import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.clock import utc_now
from evaluator.core.errors import InvalidInputError
from evaluator.core.formats.cache import Cache
from evaluator.core.formats.settings import parse_settings
from evaluator.core.git.tree import begin_reading
from evaluator.site import build, hub, update
from tests.repository import Repository
from tests.site.conftest import ROOT, serving

Answer = Callable[[str], tuple[int, bytes]]
"""Path -> status and content."""
INDEX: dict[str, Any] = {
    "benchmarks": [
        {"name": "one", "title": "One", "phases": [
            {"slug": "main", "name": "Main", "current": True, "results": "one/main.json"}]}
    ]
}  # fmt: skip
BOARD: dict[str, Any] = {
    "benchmark": "one", "title": "One", "phase": "main", "commit": None, "tasks": [],
    "columns": [], "fact_sheet": [], "facts": [], "goals": [], "rows": [], "difficulty": [],
    "stages": [], "ablation": [],
}  # fmt: skip


@contextmanager
def answering(answer: Answer) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing: tests do not log requests."""

        def do_GET(self) -> None:
            status, content = answer(self.path)
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/elsewhere.json")
            self.end_headers()
            self.wfile.write(content)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def files(index: object, board: object) -> Answer:
    """Serve these two and nothing else."""
    answers = {"/api/v1/index.json": index, "/api/v1/one/main.json": board}

    def answer(path: str) -> tuple[int, bytes]:
        if path not in answers:
            return 404, b""
        found = answers[path]
        return 200, found if isinstance(found, bytes) else json.dumps(found).encode()

    return answer


def with_hub(folder: Path, address: str) -> Repository:
    made = Repository(folder / "front").with_bundle("small")
    made.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    made.write("site/index.md", "# Home\n")
    made.write("pyproject.toml", f'[tool.pullbench.hub]\nelsewhere = "{address}"\n')
    made.commit()
    return made


def page(repo: Repository) -> str:
    build.build_site(repo.path)
    return (repo.path / "build/site/benchmarks/index.html").read_text()


def test_boards_of_others_stand_with_their_origin(site: Path, tmp_path: Path) -> None:
    with serving(site) as address:
        repo = with_hub(tmp_path, address)
        text = page(repo)
    _, _, there = text.partition('id="hub"')
    assert f'href="{address}"' in there
    assert f'href="{address}benchmarks/adding/">' in there
    assert re.search(r"read on <time", there)
    for path in ("index.json", "adding/main.top.json"):
        digest = hashlib.sha256((site / "api/v1" / path).read_bytes()).hexdigest()
        assert digest[:16] in there
    entered = json.loads((site / "api/v1/index.json").read_text())["benchmarks"][0]["phases"][0]
    assert f'<td class="num">{entered["entered"]}</td>' in there
    assert "mallory" in there  # its name is made of what would be markup
    assert "<script>evil" not in text
    assert "<img src=x" not in text
    assert update.unchanged_site(repo.path, begin_reading(repo.path)(), utc_now()) is None
    again = page(repo)  # nobody answers any more
    assert "could not be read when this page was built" in again
    assert "as they were last read" in again
    assert f'href="{address}benchmarks/adding/">' in again


def test_one_that_never_answered_is_named(tmp_path: Path) -> None:
    with answering(files({}, {})) as address:
        pass
    there = page(with_hub(tmp_path, address)).partition('id="hub"')[2]
    assert "does not answer" in there
    assert "<table" not in there


LARGE = b'{"benchmarks": [' + b" " * hub.MAX_BYTES + b"]}"
DEEP = b"[" * 100_000
NAMED = {**INDEX["benchmarks"][0], "name": "../<b>"}
CLIMBING = {**INDEX["benchmarks"][0], "phases": [
    {**INDEX["benchmarks"][0]["phases"][0], "results": "../../secret.json"}]}  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (files(b"<html>", BOARD), "is not valid JSON"),
        (files(DEEP, BOARD), "nested too deeply"),
        (files(b"\xff", BOARD), "is not UTF-8"),
        (files(LARGE, BOARD), "larger than 8 MiB"),
        (files({"benchmarks": 3}, BOARD), "not of its schema: benchmarks"),
        (files({"benchmarks": [NAMED]}, BOARD), "its list names"),
        (files({"benchmarks": [CLIMBING]}, BOARD), "its list names"),
        (files(INDEX, {**BOARD, "rows": [{"rank": "<b>"}]}), "not of its schema: rows.0"),
        (files(INDEX, {"<script>": 1}), "not of its schema"),
        (files(INDEX, b'{"benchmark": "one", "benchmark": "two"}'), "twice"),
        (files({"benchmarks": [{**INDEX["benchmarks"][0], "name": "two"}], "x": 1}, None),
         "not of its schema"),
        (lambda _: (302, b""), "answers 302"),
        (lambda _: (500, b"<b>"), "answers 500"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_not_shown(tmp_path: Path, answer: Answer, says: str) -> None:
    good = files(INDEX, {**BOARD, "title": "A good copy\ud800<b>"})
    current = good
    with answering(lambda path: current(path)) as address:
        (first,) = hub.read_hub({"x": address}, Cache(tmp_path), utc_now())
        current = answer
        (second,) = hub.read_hub({"x": address}, Cache(tmp_path), utc_now())
        (other,) = hub.read_hub({"y": address}, Cache(tmp_path), utc_now())
    assert not first.fault
    assert first.boards[0].title == "A good copy<b>"
    assert says in second.fault
    assert "<script>" not in second.fault
    assert (second.at, second.boards) == (first.at, first.boards)
    assert other.fault == second.fault
    assert not other.boards


def test_a_server_that_trickles_holds_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MAX_SECONDS", 0.5)
    monkeypatch.setattr(hub, "_SILENCE", 1)
    waiting = threading.Event()

    def answer(_: str) -> tuple[int, bytes]:
        waiting.wait(20)
        return 200, b""

    with answering(answer) as address:
        (one,) = hub.read_hub({"x": address}, Cache(tmp_path), utc_now())
        waiting.set()
    assert one.fault


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "http://example.org", "file:///etc", "https://", "ftp://example.org",
     "https://user:secret@example.org", "https://example.org/?x=<b>", "https://example.org/../x#y"],
)  # fmt: skip
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InvalidInputError, match=r"tool\.pullbench\.hub"):
        parse_settings(f'[tool.pullbench.hub]\nx = "{address}"\n'.encode())
