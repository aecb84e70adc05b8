"""Files of a definition that are addresses: each has a digest, or gets one on request."""

import hashlib
import re
import shutil
import urllib.parse
import urllib.request
from pathlib import Path

from evaluator.core.errors import Actor, PlatformError, PullbenchError, UsageError
from evaluator.core.formats.paths import shown

MAX_BYTES = 4 * 2**30
_SECONDS = 60
_LINE = re.compile(r"([0-9a-fA-F]{64})[ \t]+\*?(\S+)")


def is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


class Downloads:
    """Fetches each address once.

    ``digests`` is a file of lines ``SHA-256  ADDRESS``, as sha256sum writes them. With ``pin``,
    an address that has none is fetched all the same, and its line is added to the file.
    """

    def __init__(self, cache: Path, digests: Path | None, *, pin: bool = False) -> None:
        self._cache = cache
        self._file = digests
        self._pin = pin
        self._known: dict[str, str] = {}
        if pin and digests is None:
            raise UsageError("--pin needs a file to write to", hint="Give --digests FILE.")
        if digests is not None and (digests.exists() or not pin):
            self._read(digests)

    def _read(self, digests: Path) -> None:
        try:
            lines = digests.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            raise UsageError(f"{shown(str(digests))} cannot be read") from None
        for number, line in enumerate(lines, start=1):
            match = _LINE.fullmatch(line.strip())
            if match:
                self._known[match[2]] = match[1].lower()
            elif line.strip() and not line.lstrip().startswith("#"):
                raise UsageError(f"{digests.name}, line {number}: not 'SHA-256  ADDRESS'")

    def fetch(self, address: str, folder: str, sha256: str | None = None) -> Path:
        """Return the file. Raises UsageError without a digest, PullbenchError for a wrong one."""
        wanted = sha256 or self._known.get(address)
        if wanted is None and not self._pin:
            raise UsageError(
                f"{shown(address)} has no digest, so that nobody could notice a change",
                hint="--digests FILE --pin fetches it once and writes its digest into FILE.",
            )
        name = Path(urllib.parse.unquote(urllib.parse.urlsplit(address).path)).name or "file"
        target = self._cache / folder / name
        if target.exists():  # two addresses may end alike
            target = self._cache / folder / hashlib.sha256(address.encode()).hexdigest()[:12] / name
        if target.exists():
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        digest = _download(address, target)
        if wanted is not None and digest != wanted.lower():
            target.unlink()
            raise PullbenchError(
                f"{shown(address)} has the SHA-256 {digest}, not {shown(wanted)}; it was not read",
                hint="It was changed, or cut short. Ask its author which one holds.",
                actor=Actor.ORGANISER,
            )
        if wanted is None and self._file is not None:
            self._known[address] = digest
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(f"{digest}  {address}\n")
        return target


def _download(address: str, target: Path) -> str:
    digest = hashlib.sha256()
    size = 0
    try:
        with (
            urllib.request.urlopen(address, timeout=_SECONDS) as answer,  # noqa: S310 is_address asked
            target.open("wb") as file,
        ):
            while block := answer.read(2**20):
                size += len(block)
                if size > MAX_BYTES:
                    raise PullbenchError(f"{shown(address)} is more than {MAX_BYTES:,} bytes")
                digest.update(block)
                file.write(block)
    except (OSError, ValueError) as error:
        shutil.rmtree(target, ignore_errors=True)
        target.unlink(missing_ok=True)
        raise PlatformError(
            f"{shown(address)} cannot be read: {error}", hint="Check the address."
        ) from None
    return digest.hexdigest()
