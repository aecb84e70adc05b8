"""Content that a bundle pins by its digest: fetched once for each machine, and unpacked."""

import fcntl
import hashlib
import shutil
import tempfile
from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import requests

from evaluator.core.compute.steps import fail
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.archive import ArchiveError, entries
from evaluator.core.formats.cell import digest
from evaluator.core.formats.content_cache import set_readable
from evaluator.core.formats.record import Reason
from evaluator.core.formats.verified import StatMemo

_CHUNK = 2**20
_TIMEOUT = (10, 60)
"""Seconds to connect, and between two pieces."""
_REDIRECTS = 5
_TRANSIENT = {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
}
"""Answers below 500 after which another try may do better."""
_STAYS = "After it is put right, `pullbench run --fresh --failed` or `pullbench rerun --failed`."
_REPIN = "Restore the data, or pin the new digest in competition.yaml."


def fetch(url: str, sha256: str, cache: Path, limit: int) -> Path:
    """Return the file or folder with a digest; it is fetched if this machine does not have it.

    ``limit`` bounds the bytes that are fetched, and those that a zip holds. Raises PlatformError
    if another try may help, CellFailedError if the organiser must act.
    """
    cache.mkdir(parents=True, exist_ok=True)
    place = cache / sha256
    with (cache / f"{sha256}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        cached = _find_cached(place, sha256)
        if cached is not None:
            return cached
        shutil.rmtree(place, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=".part-", dir=cache) as folder:
            download = Path(folder, "download")
            with download.open("w+b") as file:
                _copy(url, file, limit)
                file.seek(0)
                path = lay_out(file, _file_name(url), sha256, Path(folder, "made"), limit, url)
            Path(folder, "made").rename(place)
            return place / path.relative_to(Path(folder, "made"))


def _find_cached(place: Path, sha256: str) -> Path | None:
    if not place.is_dir():
        return None
    files = list(place.iterdir())
    candidates = [place, *files] if len(files) == 1 and files[0].is_file() else [place]
    try:
        return next((path for path in candidates if content_digest(path) == sha256), None)
    except (UsageError, OSError):  # a link, which pullbench never writes
        return None


def _file_name(url: str) -> str:
    last = PurePosixPath(unquote(urlsplit(url).path)).name
    return last if last.isprintable() and 0 < len(last) <= 200 else "data"


def _copy(url: str, file: BinaryIO, limit: int) -> None:
    parts = urlsplit(url)
    if parts.scheme == "file":
        _copy_local(Path(url2pathname(parts.path)), url, file, limit)
        return
    with requests.Session() as session:
        session.max_redirects = _REDIRECTS
        try:
            with session.get(url, stream=True, timeout=_TIMEOUT) as answer:
                _check(answer, url, limit)
                # Counted as it comes: a server need not say how long it is, or say the truth.
                _write(answer.iter_content(_CHUNK), url, file, limit)
        except requests.TooManyRedirects:
            raise _bad_data(f"'{url}' leads on more than {_REDIRECTS} times") from None
        except (requests.exceptions.InvalidSchema, requests.exceptions.InvalidURL):
            raise _bad_data(f"'{url}' leads to an address that is not fetched from") from None
        except requests.RequestException as error:
            raise PlatformError(
                f"cannot fetch '{url}': {_cause(error)}",
                hint="It is tried again; a machine without a network needs the data in its cache.",
            ) from None


def _copy_local(path: Path, url: str, file: BinaryIO, limit: int) -> None:
    if not path.is_file():
        raise PlatformError(
            f"this machine has no file '{url}'",
            hint="Copy it there, or send the cell to a queue whose runners have it.",
        )
    with path.open("rb") as source:
        _write(iter(lambda: source.read(_CHUNK), b""), url, file, limit)


def _check(answer: requests.Response, url: str, limit: int) -> None:
    status = answer.status_code
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _TRANSIENT:
        raise PlatformError(f"cannot fetch '{url}': its server answers {status}")
    if status != HTTPStatus.OK:
        raise _bad_data(f"cannot fetch '{url}': its server answers {status} {answer.reason}")
    length = answer.headers.get("Content-Length", "")
    if length.isascii() and length.isdigit() and int(length) > limit:
        raise _too_large(url, limit)


def _write(chunks: Iterable[bytes], url: str, file: BinaryIO, limit: int) -> None:
    left = limit
    for chunk in chunks:
        left -= len(chunk)
        if left < 0:
            raise _too_large(url, limit)
        file.write(chunk)
    file.flush()


def _too_large(url: str, limit: int) -> Exception:
    return _bad_data(
        f"'{url}' is larger than {limit:,} bytes, the most that is fetched",
        "Make it smaller, or raise [tool.pullbench] max_data.",
    )


def _bad_data(message: str, hint: str = "Correct the address in competition.yaml.") -> Exception:
    return fail(Reason.BAD_DATA, message, step=None, hint=f"{hint} {_STAYS}")


def _cause(error: BaseException) -> str:
    if isinstance(error, requests.Timeout):
        return "its server does not answer in time"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the answer breaks off"
    return "its server cannot be reached"


def lay_out(file: BinaryIO, name: str, sha256: str, target: Path, limit: int, source: str) -> Path:
    """Write what a file holds below ``target``, readable for all, and return its file or folder.

    The digest decides: a file with that digest is stored as ``name``, else it must be a zip with
    such content. ``limit`` bounds the bytes. Raises CellFailedError, naming ``source``, if the
    file is neither.
    """
    target.mkdir(parents=True)
    digest = stream_digest(file)
    file.seek(0)
    if digest == sha256:
        with (target / name).open("wb") as copy:
            shutil.copyfileobj(file, copy, _CHUNK)
        set_readable(target)
        return target / name
    try:
        # Not one file is passed over: the digest is of all.
        for member in entries(file, max_bytes=limit, skip=lambda _: False):
            path = target / member.name
            if member.name.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(member.content)
            if member.executable:
                path.chmod(0o755)
        set_readable(target)
        digest = content_digest(target)
    except ArchiveError as error:
        raise fail(
            Reason.BAD_DATA,
            f"the private data '{source}' are not the file that the bundle pins, nor a zip of the "
            f"folder: it {error}",
            step=None,
            hint=_REPIN,
        ) from None
    check_digest(source, digest, sha256)
    return target


def check_digest(source: str, digest: str, sha256: str) -> None:
    if digest != sha256:
        raise fail(
            Reason.BAD_DATA,
            f"the private data '{source}' has the digest {digest}; the bundle pins {sha256}",
            step=None,
            hint=_REPIN,
        )


_digests: StatMemo[str] = StatMemo()


def content_digest(path: Path) -> str:
    """SHA-256 of a file, or of the names and digests of a folder's files. Follows no link.

    Unchanged content is read once: it is verified whenever a cell uses it.
    """
    return _digests.read(path, _digest)


def _digest(path: Path) -> str:
    if path.is_symlink():
        raise UsageError(f"{path} is a link; private data must be plain files")
    if path.is_file():
        with path.open("rb") as file:
            return stream_digest(file)
    files = sorted(file for file in path.rglob("*") if not file.is_dir())
    return digest([[file.relative_to(path).as_posix(), _digest(file)] for file in files])


def stream_digest(file: BinaryIO) -> str:
    hasher = hashlib.sha256()
    while chunk := file.read(_CHUNK):
        hasher.update(chunk)
    return hasher.hexdigest()
