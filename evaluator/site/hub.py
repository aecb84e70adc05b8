"""Other deployments, whose published boards stand on this site's list of benchmarks.

What they publish is a stranger's: bounded in bytes and time, checked against the schemas that every
site publishes, and shown as text. What cannot be read is what it was at the last time.
"""

import contextlib
import datetime as dt
import hashlib
import time
import urllib.parse
from collections.abc import Iterator, Mapping
from threading import Thread
from typing import Any, TypeVar

import msgspec
import requests
import urllib3.exceptions
from msgspec.structs import replace
from pydantic import TypeAdapter, ValidationError

from evaluator.core.errors import error_name
from evaluator.core.formats.cache import Cache, cache_key
from evaluator.core.formats.json_reader import UnreadableError, form_reader, read_json
from evaluator.core.formats.names import NAME
from evaluator.core.formats.paths import path_fault
from evaluator.core.formats.plain_text import one_line
from evaluator.core.log import complain
from evaluator.site.data_files import IndexData
from evaluator.site.exports.board_schema import BoardData

MAX_BYTES = 8 * 2**20
"""Of one file."""
MAX_SECONDS = 30
"""For all of one deployment."""
MAX_BENCHMARKS = 200
"""Of one deployment."""
SHOWN = 3
"""Rows of each board."""
_SILENCE = 10
"""Seconds without a byte."""
_LATE = f"it takes longer than {MAX_SECONDS} s"
_Form = TypeVar("_Form")
_INDEX: TypeAdapter[IndexData] = TypeAdapter(IndexData)
_BOARD: TypeAdapter[BoardData] = TypeAdapter(BoardData)


class HubBoard(msgspec.Struct, frozen=True, kw_only=True):
    """The board of a benchmark's present phase, as another deployment published it."""

    title: str
    address: str
    """Of the benchmark's page there."""
    phase: str
    entered: int
    tasks: int
    leaders: list[str]
    sha256: str
    """Of the board's JSON."""


class HubDeployment(msgspec.Struct, frozen=True, kw_only=True):
    """A deployment, and what was last read of it."""

    name: str
    address: str
    at: str = ""
    """When its boards were read, ISO time; empty where they never were."""
    sha256: str = ""
    """Of its list of boards."""
    boards: list[HubBoard] = []
    fault: str = ""
    """Why they could not be read this time; empty where they were."""


_read_deployment = form_reader(HubDeployment, max_bytes=MAX_BYTES)


class _UnreadableError(Exception):
    """What a deployment publishes cannot be read; says why, in our own words."""


def read_hub(hub: Mapping[str, str], cache: Cache, now: dt.datetime) -> list[HubDeployment]:
    """Read what other deployments publish, by name; what each was last time where it fails now."""
    addresses = {name: f"{address.rstrip('/')}/" for name, address in sorted(hub.items())}
    results: dict[str, HubDeployment] = {}

    def read(name: str, address: str) -> None:
        try:
            # Of what cannot be kept, such as a count beyond 64 bits, nothing is shown.
            results[name] = _read_deployment(msgspec.json.encode(_read(name, address, now)))
        except _UnreadableError as error:
            results[name] = HubDeployment(name=name, address=address, fault=str(error))
        except Exception as error:  # a stranger's file holds up no site
            fault = f"its boards cannot be read ({error_name(error)})"
            results[name] = HubDeployment(name=name, address=address, fault=fault)

    # A server that trickles the head of its answer holds up a thread for hours, and nothing else.
    threads = [Thread(target=read, args=item, daemon=True) for item in addresses.items()]
    end = time.monotonic() + MAX_SECONDS + _SILENCE
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0, end - time.monotonic()))
    late = HubDeployment(name="", address="", fault=_LATE)
    return [
        _current(cache, replace(results.get(name, late), name=name, address=address))
        for name, address in addresses.items()
    ]


def _current(cache: Cache, deployment: HubDeployment) -> HubDeployment:
    """Store what was read, or return what was read the last time with why nothing was now."""
    name, address = deployment.name, deployment.address
    key = cache_key("hub", name, address)
    if not deployment.fault:
        cache.put(key, msgspec.json.encode(deployment))
        return deployment
    complain(f"hub: {name}, {address}: {deployment.fault}")
    last = HubDeployment(name=name, address=address)
    if (content := cache.get(key)) is not None:
        with contextlib.suppress(UnreadableError):  # another version stored it
            last = _read_deployment(bytes(content))
    return replace(last, fault=deployment.fault)


def _read(name: str, address: str, now: dt.datetime) -> HubDeployment:
    deadline = time.monotonic() + MAX_SECONDS
    with requests.Session() as session:
        session.trust_env = False  # no password of ~/.netrc goes to others
        api = f"{address}api/v1/"
        content, index = _fetched(session, f"{api}index.json", _INDEX, deadline)
        boards = [
            _board(session, address, api, benchmark["name"], phase, deadline)
            for benchmark in index["benchmarks"][:MAX_BENCHMARKS]
            for phase in benchmark["phases"]
            if phase["current"]
        ]
    return HubDeployment(
        name=name, address=address, at=now.isoformat(timespec="seconds"),
        sha256=hashlib.sha256(content).hexdigest(), boards=boards,
    )  # fmt: skip


def _board(
    session: requests.Session, address: str, api: str, name: str, phase: Mapping[str, Any],
    deadline: float,
) -> HubBoard:  # fmt: skip
    path = phase.get("top") or phase["results"]
    if not NAME.fullmatch(name) or path_fault(path):
        raise _UnreadableError(f"its list names '{one_line(f'{name}, {path}')}'")
    content, board = _fetched(session, api + urllib.parse.quote(path), _BOARD, deadline)
    return HubBoard(
        title=one_line(board["title"]) or name, address=f"{address}benchmarks/{name}/",
        phase=one_line(str(phase["name"])), entered=phase.get("entered", len(board["rows"])),
        tasks=len(board["tasks"]), leaders=list(_leaders(board)),
        sha256=hashlib.sha256(content).hexdigest(),
    )  # fmt: skip


def _leaders(board: BoardData) -> Iterator[str]:
    primary = next((column for column in board["columns"] if column["primary"]), None)
    for row in board["rows"][:SHOWN]:
        value = row["overall"].get(primary["key"]) if primary else None
        scored = "" if value is None or primary is None else (
            f", {one_line(primary['title'])} {value:.6g}"
        )  # fmt: skip
        rank = "" if row["rank"] is None else f"{row['rank']}. "
        title = one_line(row["title"]) or one_line(row["submission"])
        yield f"{rank}{title} ({one_line(row['participant'])}){scored}"


def _fetched(
    session: requests.Session, url: str, form: "TypeAdapter[_Form]", deadline: float
) -> "tuple[bytes, _Form]":
    what = urllib.parse.urlsplit(url).path
    content = bytearray()
    try:
        # A redirect may lead to addresses that only this machine can reach; unpacking could make
        # gigabytes of a few bytes.
        with session.get(url, stream=True, timeout=_SILENCE, allow_redirects=False,
                         headers={"Accept-Encoding": "identity"}) as answer:  # fmt: skip
            if answer.status_code != requests.codes.ok:
                raise _UnreadableError(f"{what}: its server answers {answer.status_code}")
            while chunk := answer.raw.read1(2**16):
                content += chunk
                if len(content) > MAX_BYTES:
                    raise _UnreadableError(f"{what} is larger than {MAX_BYTES // 2**20} MiB")
                if time.monotonic() > deadline:
                    raise _UnreadableError(_LATE)
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        raise _UnreadableError(f"{what}: it does not answer ({type(error).__name__})") from None
    try:
        return bytes(content), form.validate_python(read_json(bytes(content), max_bytes=MAX_BYTES))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise _UnreadableError(
            one_line(f"{what} is not of its schema: {where}: {first['msg']}")
        ) from None
    except ValueError as error:
        raise _UnreadableError(one_line(f"{what} {error}")) from None
