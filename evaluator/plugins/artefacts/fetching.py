"""Fetches what pointers stand for, outside of containers, from servers that participants choose.

A server may do anything: lead elsewhere, have an address inside this network or another one a
moment later, send slowly, without end, or something else.
"""

import contextlib
import hashlib
import os
import shutil
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from urllib.parse import SplitResult, urljoin, urlsplit

from evaluator.core.compute.job import Job
from evaluator.core.compute.steps import fail
from evaluator.core.errors import PlatformError
from evaluator.core.formats.cell import digest
from evaluator.core.formats.content_cache import ContentCache, set_readable
from evaluator.core.formats.paths import shown
from evaluator.core.formats.pinned_files import UNLOCKED
from evaluator.core.formats.record import Reason
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.artefacts.keys import KEY, Artefact, is_below, origins_of, pointed_in

_FILE = "artefact"
_CHUNK = 2**20
_QUIET = 30
"""Seconds without a byte."""
_GRACE = 60
"""Seconds for an artefact of any size, redirects included."""
_SLOWEST = 2**18
"""Bytes a second beyond these; a slower server holds a runner for too long."""
_REDIRECTS = 5
_AGAIN = (
    "Put the file there again, or write another address of it into submission.yaml; then comment "
    "/retry."
)


@dataclass(frozen=True, kw_only=True)
class Artefacts:
    """All of one entry, and where runners may fetch from."""

    files: tuple[Artefact, ...]
    origins: tuple[str, ...]

    def complete(self, job: Job, folder: Path, cache: ContentCache) -> Path:
        """A submission's folder with its artefacts. Raises PlatformError, CellFailedError."""
        # In a workflow some stages may have no part of the folder.
        present = [one for one in self.files if (folder / one.path).is_file()]
        if present and UNLOCKED in os.environ:
            raise PlatformError(
                "a job that has private data open fetches nothing from outside",
                hint="Evaluate it on machines of your own that have the key, without `unlock`.",
            )
        # Before the folder is locked: names of a cache share locks.
        files = {
            one.path: cache.folder(digest([_FILE, one.sha256]), partial(_fill, one, self.origins))
            for one in present
        }

        def lay_out(target: Path) -> None:
            shutil.copytree(folder, target, dirs_exist_ok=True)
            for path, place in files.items():
                (target / path).unlink()
                try:
                    os.link(place / _FILE, target / path)
                except OSError:  # some file systems have no hard links
                    shutil.copyfile(place / _FILE, target / path)
            set_readable(target)

        return cache.folder(digest([KEY, job.contents.submission]), lay_out)


def artefacts_of(snapshot: Snapshot, submission: Submission) -> Artefacts | None:
    """What a runner fetches for a submission; None for one that has no artefacts."""
    files = tuple(pointed_in(snapshot, submission).values())
    return Artefacts(files=files, origins=origins_of(snapshot)) if files else None


def _fill(artefact: Artefact, origins: Sequence[str], target: Path) -> None:
    """Write an artefact below ``target``; its digest decides, whatever the server says."""
    hasher, size = hashlib.sha256(), 0
    with (
        (target / _FILE).open("wb") as file,
        _answer(artefact, origins) as answer,
        contextlib.suppress(ConnectionError, TimeoutError, ssl.SSLError, HTTPException),
    ):  # what breaks off is too short
        while (chunk := answer.read1(_CHUNK)) and size <= artefact.size:
            size += len(chunk)
            hasher.update(chunk)
            file.write(chunk)
    if size < artefact.size:
        raise _absent(artefact, f"{size:,} of {artefact.size:,} bytes came, or came too slowly")
    if size > artefact.size or hasher.hexdigest() != artefact.sha256:
        raise fail(
            Reason.BAD_INPUT,
            f"{shown(artefact.address)} is not the artefact '{shown(artefact.path)}': it is "
            "longer, or has another SHA-256 than the pointer says",
            step=None, hint="Make the pointer anew: `pullbench point FILE --at ADDRESS`.",
        )  # fmt: skip
    set_readable(target, programs=False)


@contextlib.contextmanager
def _answer(artefact: Artefact, origins: Sequence[str]) -> Iterator[HTTPResponse]:
    """What the last of some redirects answers. Raises PlatformError."""
    end = time.monotonic() + _GRACE + artefact.size / _SLOWEST
    address = artefact.address
    for _ in range(_REDIRECTS + 1):
        if not any(is_below(address, origin) for origin in origins):
            raise _absent(artefact, f"nothing is fetched from {shown(address)}, where it leads")
        with contextlib.ExitStack() as stack:
            try:
                answer = _get(urlsplit(address), end, stack)
            except (OSError, HTTPException, ValueError) as error:
                raise _absent(artefact, _cause(error)) from None
            if answer.status == HTTPStatus.OK:
                yield answer
                return
            leads_to = answer.headers.get("Location")
            if not 300 <= answer.status < 400 or not leads_to:
                raise _absent(artefact, f"its server answers {answer.status}")
            try:
                address = urljoin(address, leads_to)
                _ = urlsplit(address).port  # raises ValueError
            except ValueError:
                raise _absent(artefact, "it leads to no address") from None
    raise _absent(artefact, f"it leads on more than {_REDIRECTS} times")


def _get(url: SplitResult, end: float, stack: contextlib.ExitStack) -> HTTPResponse:
    host, port = url.hostname or "", url.port or (443 if url.scheme == "https" else 80)
    # Looked up once: a second look could find another machine.
    place = str(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][4][0])
    if place != host and not _is_public(place):
        raise OSError("its server is in a private network")
    sock = stack.enter_context(socket.create_connection((place, port), timeout=_QUIET))
    if url.scheme == "https":
        sock = stack.enter_context(
            ssl.create_default_context().wrap_socket(
                sock, server_hostname=host, do_handshake_on_connect=False
            )
        )
    # Ends whatever still waits: a handshake, headers, or a byte now and then.
    watchdog = threading.Timer(max(end - time.monotonic(), 0), _shut, [sock])
    watchdog.daemon = True
    watchdog.start()
    stack.callback(watchdog.cancel)
    if isinstance(sock, ssl.SSLSocket):
        sock.do_handshake()
    connection = HTTPConnection(host, port)
    connection.sock = sock
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    connection.request("GET", path, headers={"Accept-Encoding": "identity"})
    return stack.enter_context(connection.getresponse())


def _shut(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)  # that of TLS is not for two threads


def _is_public(place: str) -> bool:
    address = ip_address(place)
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    return address.is_global


def _cause(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "its server does not answer in time"
    return str(error) if type(error) is OSError else "its server cannot be reached"


def _absent(artefact: Artefact, why: str) -> PlatformError:
    return PlatformError(
        f"the artefact '{shown(artefact.path)}' cannot be fetched from "
        f"{shown(artefact.address)}: {why}",
        hint=_AGAIN,
    )
