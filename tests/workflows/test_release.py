"""A tag becomes a release: the workflow, run by act in front of an index on this machine."""

import base64
import json
import os
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evaluator import __version__
from tests.repository import Repository
from tests.workflows import events
from tests.workflows.act import Act
from tests.workflows.forge import REPOSITORY

ROOT = Path(__file__).parents[2]
PARTS = ("evaluator", ".github", "pyproject.toml", "README.md", "LICENSE")


class Index(ThreadingHTTPServer):
    """A package index that trusts one workflow, and the forge that says which one asks."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.address = f"https://127.0.0.1:{self.server_address[1]}"
        self._certificate = folder / "index.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-subj", "/CN=index", "-addext", "subjectAltName=IP:127.0.0.1",
             "-addext", "basicConstraints=critical,CA:FALSE",
             "-keyout", folder / "index.key", "-out", self._certificate],
            check=True, capture_output=True,
        )  # fmt: skip
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._certificate, folder / "index.key")
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.uploads: list[tuple[str, bytes]] = []
        """What stood in ``Authorization``, and what was sent."""
        self.burnt = 0

    @property
    def environment(self) -> dict[str, str]:
        return {
            "ACTIONS_ID_TOKEN_REQUEST_URL": f"{self.address}/identity?of=job",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "the-job",
            "SSL_CERT_FILE": str(self._certificate),
            "UV_PUBLISH_URL": f"{self.address}/legacy/",
        }


class _Answers(BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        job = self.headers.get("Authorization", "").lower() == "bearer the-job"
        if self.path.startswith("/_/oidc/audience"):
            self._say({"audience": "index"})
        elif self.path.startswith("/identity") and job and "audience=index" in self.path:
            self._say({"value": "workflow release of acme"})
        else:
            self.send_error(403)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.startswith("/_/oidc/mint-token"):
            assert json.loads(body)["token"] == "workflow release of acme"
            self._say({"success": True, "token": "pypi-for-minutes"})
        elif self.path.startswith("/_/oidc/burn-token"):
            self.server.burnt += 1
            self._say({})
        else:
            self.server.uploads.append((self.headers["Authorization"], body))
            self._say({})

    def _say(self, answer: object) -> None:
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index(tmp_path) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def sources(tmp_path: Path) -> Repository:
    """What is here, as a repository of its own."""
    repository = Repository(tmp_path / "sources")
    for part in PARTS:
        if (ROOT / part).is_dir():
            kept = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, repository.path / part, ignore=kept)
        else:
            shutil.copy(ROOT / part, repository.path / part)
    repository.commit("All of it")
    return repository


@pytest.mark.slow
@pytest.mark.parametrize(
    "tag", [pytest.param(f"v{__version__}", marks=pytest.mark.slow), "v99.0.0"]
)
def test_a_tag_is_built_and_published_by_trusted_publishing(
    tmp_path: Path, sources: Repository, empty: Path, index: Index, tag: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Without a password; and not where the tag says another version than the package."""
    note, programs = tmp_path / "note.txt", tmp_path / "programs"
    programs.mkdir()
    (programs / "gh").write_text(f'#!/bin/sh\necho "$@" > {note}\ncat build/note.txt >> {note}\n')
    (programs / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    sources.git("tag", tag)
    origin = tmp_path / "origin.git"
    subprocess.run(
        ["git", "clone", "--quiet", "--bare", str(sources.path), str(origin)], check=True
    )
    act = Act(tmp_path, origin, forge="", repository=REPOSITORY, python=empty)
    payload = events.tag(tag, sources.git("rev-parse", "HEAD"), sender="olga")
    ran = act.run("push", payload, "release", environment=index.environment)
    if tag == "v99.0.0":
        assert ran.results["build"] == "failure"
        assert index.uploads == []
        return
    assert ran.results == dict.fromkeys(("build", "publish", "note"), "success"), ran.log
    assert note.read_text().startswith(f"release create {tag} --verify-tag")
    assert "numbers at" in note.read_text()
    names = {path.name for path in (ran.artifacts / "dist").iterdir()}
    assert names == {
        f"pullbench-{__version__}-py3-none-any.whl", f"pullbench-{__version__}.tar.gz",
    }  # fmt: skip
    password = base64.b64encode(b"__token__:pypi-for-minutes").decode()
    assert [by for by, _ in index.uploads] == [f"Basic {password}"] * 2
    assert index.burnt == 1
    for name in names:
        sent = [body for _, body in index.uploads if f'filename="{name}"'.encode() in body]
        assert len(sent) == 1
        assert (ran.artifacts / "dist" / name).read_bytes() in sent[0]
