"""Content that a bundle pins and has an address: fetched once for each machine, and unpacked."""

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
from evaluator.core.formats.content_cache import locked_file
from evaluator.core.formats.record import Reason
from evaluator.importing.pinned import content_digest, lay_out

_CHUNK = 2**20
_TIMEOUT = (10, 60)
"""Seconds to connect, and between two pieces."""
_REDIRECTS = 5
_TRANSIENT = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
"""Answers below 500 after which another try may do better."""
_STAYS = "After it is put right, `pullbench run --fresh --failed` or `pullbench rerun --failed`."


def fetch(url: str, sha256: str, cache: Path, limit: int) -> Path:
    """What has a digest, fetched within ``limit``. Raises PlatformError, CellFailedError."""
    place = cache / sha256
    with locked_file(cache / f"{sha256}.lock"):
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
