"""Servers of participants that attack the runner which fetches from them, and pointers that lie."""

import gzip
import hashlib
import itertools
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from evaluator.core.compute.job import Job
from evaluator.core.compute.steps import CellFailedError
from evaluator.core.errors import PlatformError
from evaluator.core.formats.content_cache import ContentCache
from evaluator.core.formats.pinned_files import UNLOCKED
from evaluator.core.formats.record import Reason
from evaluator.plugins.artefacts import fetching
from evaluator.plugins.artefacts.fetching import Artefacts
from evaluator.plugins.artefacts.keys import Artefact
from tests.plugins.artefacts.servers import Reply, leads_to, ok, serving

CONTENT = b"weights" * 1000
SHA = hashlib.sha256(CONTENT).hexdigest()
FILE = "weights.bin"


def fetch(
    cache: Path, address: str, *origins: str, sha256: str = SHA, size: int = len(CONTENT)
) -> bytes:
    """What programs would see of an entry with one artefact."""
    folder = cache / "entry"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text("the pointer")
    files = (Artefact(path=FILE, address=address, sha256=sha256, size=size),)
    job = cast("Job", SimpleNamespace(contents=SimpleNamespace(submission=sha256)))
    artefacts = Artefacts(files=files, origins=origins)
    made = artefacts.complete(job, folder, ContentCache(cache / "contents"))
    return (made / FILE).read_bytes()


def endlessly(head: bytes, part: bytes, pause: float = 0) -> Callable[[socket.socket], None]:
    def send(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:  # until the other side hangs up
            connection.sendall(part)
            time.sleep(pause)

    return send


def silence(connection: socket.socket) -> None:
    connection.recv(1)


HEAD = b"HTTP/1.1 200 OK\r\n"
ATTACKS: dict[str, Reply] = {
    "longer": ok(CONTENT + b"!"),
    "other content": ok(CONTENT[::-1]),
    "shorter": ok(CONTENT[:-1]),
    "breaks off": ok(CONTENT[:-1], length=len(CONTENT)),
    "less than its length says": ok(CONTENT, length=len(CONTENT) - 1),
    "packed, as a bomb is": ok(gzip.compress(CONTENT), "Content-Encoding: gzip"),
    "negative length": ok(CONTENT, length=-1)[:-1],
    "only a part": b"HTTP/1.1 206 Partial Content\r\n" + ok(CONTENT)[len(HEAD) :],
    "without end": endlessly(HEAD + b"\r\n", bytes(2**16)),
    "a byte now and then": endlessly(HEAD + b"\r\n", b"w", 0.1),
    "headers now and then": endlessly(HEAD, b"X: y\r\n", 0.1),
    "one header without end": endlessly(HEAD + b"X: ", b"y" * 2**12),
    "nothing": silence,
    "no HTTP": endlessly(b"", b"\0\n"),
    "chunks that lie": HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n" + CONTENT[1:],
    "chunks without a number": HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + CONTENT,
    "a page that asks for a name": b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n",
    "leads to itself": leads_to("/attack"),
    "leads to a file": leads_to("file:///etc/passwd"),
    "leads to another host": leads_to("http://example.org/files/x"),
    "leads to a machine of the network": leads_to("http://10.0.0.1/files/x"),
    "leads to a name of this machine": leads_to("http://localhost/files/x"),
    "leads to another port": leads_to("http://127.0.0.1:1/files/x"),
    "leads out of the folder": leads_to("/secret"),
    "leads out of the folder by dots": leads_to("/files/%2e%2e/secret"),
    "leads to no port": leads_to("http://127.0.0.1:x/files/x"),
    "leads nowhere": b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
    "leads to a broken address": leads_to("http://[::1/files/x"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_server_gets_something_else_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    monkeypatch.setattr(fetching, "_GRACE", 1)
    monkeypatch.setattr(fetching, "_QUIET", 0.5)
    replies = {
        "/files/attack": ATTACKS[attack],
        "/secret": ok(CONTENT),
        "/attack": leads_to("/attack"),
    }
    with serving(replies) as server:
        address, origin = f"{server.url}/files/attack", f"{server.url}/files/"
        with pytest.raises((PlatformError, CellFailedError)) as caught:
            fetch(tmp_path, address, origin)
        assert "/secret" not in server.asked
        assert len(server.asked) <= 6
        # Nothing of it stays, and the file itself is taken afterwards.
        server.replies["/files/attack"] = ok(CONTENT)
        assert fetch(tmp_path, address, origin) == CONTENT
    error = caught.value
    if isinstance(error, CellFailedError):
        assert error.error.reason == Reason.BAD_INPUT


def test_a_pointer_to_the_beginning_of_a_file(tmp_path: Path) -> None:
    with serving({"/x": ok(CONTENT)}) as server, pytest.raises(CellFailedError, match="longer"):
        sha256 = hashlib.sha256(CONTENT[:100]).hexdigest()
        fetch(tmp_path, f"{server.url}/x", server.url, sha256=sha256, size=100)


def test_what_was_fetched_cannot_be_swapped(tmp_path: Path) -> None:
    with serving({"/x": ok(CONTENT)}) as server:
        assert fetch(tmp_path / "one", f"{server.url}/x", server.url) == CONTENT
        server.replies["/x"] = ok(CONTENT[::-1])
        assert fetch(tmp_path / "one", f"{server.url}/x", server.url) == CONTENT
        assert server.asked == ["/x"]
        with pytest.raises(CellFailedError, match="another SHA-256"):
            fetch(tmp_path / "another", f"{server.url}/x", server.url)


@pytest.mark.parametrize(
    "place",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fe80::1", "fd00::1",  # noqa: S104
    ],
)  # fmt: skip
def test_a_name_for_a_machine_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """An allowed host's own name server says where it is, and may name any machine."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", (place, 443))])

    def connect(*_: Any, **__: Any) -> socket.socket:
        raise AssertionError("it was asked")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(PlatformError, match="private network"):
        fetch(tmp_path, "https://files.example.org/x", "https://files.example.org/")


def test_a_name_is_looked_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server may name a public machine first and this one a moment later."""
    answers = itertools.chain(["93.184.216.34"], itertools.repeat("127.0.0.1"))
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", (next(answers), 443))]
    )
    places: list[str] = []

    def connect(address: tuple[str, int], **_: Any) -> socket.socket:
        places.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(PlatformError, match="cannot be reached"):
        fetch(tmp_path, "https://files.example.org/x", "https://files.example.org/")
    assert places == ["93.184.216.34"]


def test_no_password_of_this_machine_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    heads: list[bytes] = []

    def answer(connection: socket.socket) -> None:
        connection.sendall(ok(CONTENT))

    with serving({"/x": answer}) as server:
        original = server._answer

        def recorded(connection: socket.socket) -> None:
            heads.append(connection.recv(2**16, socket.MSG_PEEK))
            original(connection)

        monkeypatch.setattr(server, "_answer", recorded)
        assert fetch(tmp_path, f"{server.url}/x", server.url) == CONTENT
    assert heads
    assert all(b"uthorization" not in head and b"ookie" not in head for head in heads)


def test_a_job_with_open_data_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(UNLOCKED, str(tmp_path))
    with serving({"/x": ok(CONTENT)}) as server:
        with pytest.raises(PlatformError, match="private data open"):
            fetch(tmp_path, f"{server.url}/x", server.url)
        assert server.asked == []


@pytest.mark.slow
def test_five_gigabytes_need_little_memory(tmp_path: Path) -> None:
    size, part = 5 * 2**30, bytes(2**20)
    hasher = hashlib.sha256()
    for _ in range(size // len(part)):
        hasher.update(part)

    def send(connection: socket.socket) -> None:
        connection.sendall(HEAD + f"Content-Length: {size}\r\n\r\n".encode())
        for _ in range(size // len(part)):
            connection.sendall(part)

    with serving({"/x": send}) as server:
        child = os.fork()
        if child == 0:
            made = tmp_path / "contents"
            artefact = Artefact(
                path=FILE, address=f"{server.url}/x", sha256=hasher.hexdigest(), size=size
            )
            made.mkdir()
            try:
                fetching._fill(artefact, [server.url], made)
                os._exit(0)
            except BaseException:
                os._exit(1)
        _, status, usage = os.wait4(child, 0)
    assert status == 0
    assert (tmp_path / "contents" / "artefact").stat().st_size == size
    assert usage.ru_maxrss < 200 * 1024  # KiB
