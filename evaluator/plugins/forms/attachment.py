"""The one file of an issue: where it may be, how it is fetched, and what is in it.

It was dropped into the field; or the field has its text, since no workflow can fetch what was
dropped into an issue of a private repository.

GitHub answers with a redirect to a signed address of its storage. pullbench follows that one
alone, to the hosts below, and sends no token to either.
"""

import gzip
import io
import os
import re
import time
import urllib.parse
import zlib

import requests
import urllib3

from evaluator.ci.forge.inert_markdown import prose, quoted
from evaluator.ci.forge.session import Session
from evaluator.ci.steps.submit import MAX_BYTES, MAX_FILES
from evaluator.core.errors import PlatformError
from evaluator.core.formats.archive import ArchiveError, members
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.paths import path_fault
from evaluator.plugins.forms.answers import FormRefusedError
from evaluator.plugins.forms.issue_form import MAX_MIB, text_file

STORAGE = (
    "github-production-repository-file-5c1aeb.s3.amazonaws.com",
    "github-production-user-asset-6210df.s3.amazonaws.com",
    "objects.githubusercontent.com",
)
"""Hosts to which GitHub's redirect may lead, beside its own."""
_MAX_DOWNLOAD = MAX_MIB * 2**20
_SECONDS = 120
"""For the whole download, however slowly it trickles."""
_SILENCE = 30
_CHUNK = 2**16
_FILE = "user-attachments/files"
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}"
_DROP = f"Drag one file into the field, of at most {MAX_MIB} MB, and write nothing else there."


def file_in(text: str, benchmark: Benchmark) -> str | bytes:
    """Address of the file that was dropped into a field, or its text. Raises FormRefusedError."""
    server = os.environ.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
    address = rf"{re.escape(server)}/{_FILE}/[0-9]{{1,20}}/{_NAME}"
    # GitHub writes [predictions.csv](ADDRESS).
    match = re.fullmatch(rf"(?:\[[^\[\]\n]*\]\(({address})\)|({address}))", text, re.ASCII)
    lines = text.split("\n")
    if match is None and text_file(benchmark) and len(lines) > 1 and "://" not in text:
        if lines[0].startswith("```") and lines[-1] == "```":
            lines = lines[1:-1]
        return "".join(f"{line}\n" for line in lines).encode()
    if match is None:
        raise FormRefusedError(
            f"*Your file* has to hold one file that you dropped there, and holds {quoted(text)}. "
            + _DROP
        )
    return match[1] or match[2]


def fetch(address: str) -> bytes:
    """The bytes at an address of ``file_in``. Raises FormRefusedError, PlatformError."""
    deadline = time.monotonic() + _SECONDS
    status, content = _get(address, deadline)
    if status in (301, 302, 303, 307, 308):
        target = content.decode()
        if not _is_storage(target, address):
            raise FormRefusedError(
                f"GitHub leads to {quoted(target)} for your file, where pullbench fetches nothing."
            )
        status, content = _get(target, deadline)
    if status >= 500 or status == 429:
        raise PlatformError(f"the attachment cannot be fetched: its server answers {status}",
                            hint="Run the job again later.")  # fmt: skip
    if status != 200:
        raise FormRefusedError(
            f"Your file cannot be fetched: its server answers {status}. Drop it into a new form."
        )
    return content


def _is_storage(target: str, address: str) -> bool:
    try:
        to, here = urllib.parse.urlsplit(target), urllib.parse.urlsplit(address)
    except ValueError:
        return False
    return to.scheme == here.scheme and to.netloc in (here.netloc, *STORAGE)


def _get(address: str, deadline: float) -> tuple[int, bytes]:
    """Status, and the content; of a redirect its target."""
    try:
        with Session() as session:
            session.trust_env = False  # what ~/.netrc says is sent to nobody
            with session.get(
                address, headers={"Accept-Encoding": "identity"}, timeout=_SILENCE, stream=True,
                allow_redirects=False,
            ) as answer:  # fmt: skip
                if answer.status_code in range(300, 400):
                    return answer.status_code, answer.headers.get("Location", "").encode()
                content = bytearray()
                while chunk := answer.raw.read1(_CHUNK):
                    content += chunk
                    if len(content) > _MAX_DOWNLOAD:
                        raise FormRefusedError(f"Your file has more than {MAX_MIB} MB.")
                    if time.monotonic() > deadline:
                        raise PlatformError("the attachment takes too long",
                                            hint="Run the job again later.")  # fmt: skip
                return answer.status_code, bytes(content)
    except (requests.RequestException, urllib3.exceptions.HTTPError, ValueError) as error:
        raise PlatformError(f"the attachment cannot be fetched: {type(error).__name__}",
                            hint="Run the job again later.") from None  # fmt: skip


def unpack(address: str, content: bytes, benchmark: Benchmark) -> dict[str, bytes]:
    """Files of a submission in an attachment, by path. Raises FormRefusedError."""
    name = address.rpartition("/")[2]
    if name.casefold().endswith(".zip"):
        try:
            files = dict(members(content, max_bytes=MAX_BYTES))
        except ArchiveError as error:
            raise FormRefusedError(f"Your file {quoted(name)} {prose(str(error))}.") from None
        return _checked(_without_folder(files, benchmark))
    if name.casefold().endswith(".gz"):
        name = name[:-3]
        try:
            with gzip.open(io.BytesIO(content)) as packed:
                content = packed.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error):
            raise FormRefusedError("Your file is no readable .gz file.") from None
        if len(content) > MAX_BYTES:
            raise FormRefusedError(f"Your file unpacks to more than {MAX_BYTES // 2**20} MB.")
    declared = [item.file for item in benchmark.predictions]
    ending = name.rpartition(".")[2].casefold()
    if len(declared) == 1 and declared[0].endswith(f".{ending}"):
        name = declared[0]  # people name their files as they like
    return _checked({name: content})


def _without_folder(files: dict[str, bytes], benchmark: Benchmark) -> dict[str, bytes]:
    """Files of a zipped folder, as if they had been zipped themselves."""
    tops = {path.partition("/")[0] for path in files if "/" in path}
    keep = {stage.key for stage in benchmark.stages}
    if len(tops) != 1 or tops & keep or any("/" not in path for path in files):
        return files
    return {path.partition("/")[2]: content for path, content in files.items()}


def _checked(files: dict[str, bytes]) -> dict[str, bytes]:
    fault = next((f"{quoted(path)} {why}" for path in files if (why := path_fault(path))), None)
    if fault is None and not files:
        fault = "there is no file in it"
    if fault is None and len(files) > MAX_FILES:
        fault = f"it holds more than {MAX_FILES} files"
    if fault is not None:
        raise FormRefusedError(f"Your file is refused: {fault}.")
    return files
