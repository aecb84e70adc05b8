"""Private data, not in git in the clear: located by path, key or address, verified by digest.

Data that is encrypted in the bundle (age) is made with public keys and opened with one.
"""

import io
import os
import shutil
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from evaluator.core.compute.steps import fail
from evaluator.core.errors import GUIDES, PlatformError, UsageError
from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED, PrivateData, SealedFile
from evaluator.core.formats.record import Reason
from evaluator.importing.pinned import check_digest, content_digest, lay_out

Pin = PrivateData | SealedFile


@dataclass(kw_only=True, eq=False)
class LocalPrivateParts:
    """The private data of one run. Each is made ready once, whichever thread asks first."""

    data: Path | None
    """This machine's folder of private data."""
    cache: Path
    """Where fetched data go if there is no such folder."""
    memory: Callable[[], Path]
    """Returns a folder in memory, which goes with the run."""
    limit: int
    """Bytes."""
    isolated: bool
    _locks: dict[tuple[str, str], threading.Lock] = field(default_factory=dict, init=False)
    _decrypted: dict[tuple[str, str], Path] = field(default_factory=dict, init=False)

    def find(self, item: Pin, encrypted: Callable[[], Path | None]) -> Path:
        """What is pinned, ``encrypted`` laid out. Raises as ``find_private``."""
        key = (item.source, item.sha256)
        with self._locks.setdefault(key, threading.Lock()):
            if item.path is not None:
                return find_private(item, self.data)
            if item.url is not None:
                # Loaded here, for hardly any run fetches.
                from evaluator.importing.fetching import fetch

                cache = self.data / ".fetched" if self.data else self.cache
                return fetch(item.url, item.sha256, cache, self.limit)
            if key not in self._decrypted:  # once for a run, into memory
                self._decrypted[key] = self._decrypt(item, encrypted)
            return self._decrypted[key]

    def _decrypt(self, item: Pin, encrypted: Callable[[], Path | None]) -> Path:
        name = item.source
        if not self.isolated:
            raise PlatformError(
                f"'{name}' is encrypted, and is not opened where programs run without isolation",
                hint="Use `--engine docker`.",
            )
        if unlocked := os.environ.get(UNLOCKED):
            return _unlocked(item, Path(unlocked))
        folder = encrypted()
        last = PurePosixPath(name).name
        if folder is None or not (folder / last).is_file():  # bundle_checks refuses such a bundle
            raise PlatformError(f"the bundle holds no file '{name}'")
        return open_private(item, (folder / last).read_bytes(), self.memory(), self.limit)


def open_private(item: Pin, encrypted: bytes, folder: Path, limit: int) -> Path:
    """Decrypt what is pinned into a folder. Raises PlatformError, CellFailedError."""
    name, recipient = item.source, ""
    if isinstance(item, SealedFile):
        limit, recipient = min(limit, item.max_bytes), item.recipient
    content = decrypt(encrypted, name, recipient)
    if len(content) > limit:
        raise fail(
            Reason.BAD_DATA, f"'{name}' holds more than {limit:,} bytes", step=None,
            hint="Make it smaller, or raise [tool.pullbench] max_data.",
        )  # fmt: skip
    target = folder / item.sha256
    shutil.rmtree(target, ignore_errors=True)  # what an earlier try left
    try:
        return lay_out(io.BytesIO(content), _file_name(item), item.sha256, target, limit, name)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise


def _file_name(item: Pin) -> str:
    """What programs call the data if they are a single file."""
    return PurePosixPath(item.source).name.removesuffix(".age") or "data"


def fault_file(item: Pin, folder: Path) -> Path:
    """Where `unlock` says why it could not open the data: the run's records say it on.

    An empty first line means that the content is at fault, and not this machine.
    """
    return folder / f"{item.sha256}.fault"


def _unlocked(item: Pin, folder: Path) -> Path:
    path, fault = folder / item.sha256, fault_file(item, folder)
    if fault.is_file():
        message, _, hint = fault.read_text().partition("\n")
        if not message:
            raise fail(Reason.BAD_DATA, hint, step=None)
        raise PlatformError(message, hint=hint)
    if not path.is_dir():
        raise PlatformError(f"'{item.source}' was not unlocked for this run")
    file = path / _file_name(item)
    if file.is_file() and content_digest(file) == item.sha256:
        return file
    check_digest(item.source, content_digest(path), item.sha256)
    return path


def find_private(item: Pin, data: Path | None) -> Path:
    """What is pinned below the data folder. Raises PlatformError, CellFailedError."""
    if data is None:
        raise PlatformError(
            f"this runner holds no private data; '{item.source}' is needed",
            hint="Set [tool.pullbench] data on a runner that has it.",
        )
    path = data / item.source
    if not path.exists():
        raise PlatformError(
            f"this runner has no '{item.source}' in its data folder",
            hint="Copy the data there, or send the cell to a queue whose runners have it.",
        )
    try:
        digest = content_digest(path)
    except UsageError as error:
        raise fail(Reason.BAD_DATA, error.message, step=None, hint=error.hint) from None
    check_digest(item.source, digest, item.sha256)
    return path


def make_keys() -> tuple[str, str]:
    """A public recipient and its secret identity."""
    import pyrage  # every run asks for private data, and hardly any are encrypted

    identity = pyrage.x25519.Identity.generate()
    return str(identity.to_public()), str(identity)


def encrypt(content: bytes, recipients: Iterable[str]) -> bytes:
    """Encrypt to public keys, ``age1…``. Raises UsageError."""
    import pyrage

    try:
        keys = [pyrage.x25519.Recipient.from_str(text.strip()) for text in recipients]
    except pyrage.RecipientError:
        raise UsageError(
            "a recipient is the public key of an age pair, and begins with age1",
            hint="`pullbench keygen --data` makes a pair.",
        ) from None
    return bytes(pyrage.encrypt(content, keys))


def decrypt(content: bytes, name: str, recipient: str = "") -> bytes:
    """Decrypt a file by its ``name``. Raises PlatformError without a key, CellFailedError.

    If ``recipient`` is known, its key has to be there, and then a file that no key opens is at
    fault itself.
    """
    import pyrage

    try:
        identities = [
            pyrage.x25519.Identity.from_str(text)
            for text in os.environ.get(DATA_IDENTITY, "").split()
        ]
    except pyrage.IdentityError:
        raise PlatformError(
            f"{DATA_IDENTITY} holds something that is no age identity",
            hint="It begins with AGE-SECRET-KEY-1; `pullbench keygen --data` makes one.",
        ) from None
    if not identities:
        raise PlatformError(
            f"this runner has no {DATA_IDENTITY} in its environment, and '{name}' is encrypted",
            hint=f"An organiser sets the secret, see {GUIDES}/organisers/private-data.md; then "
            "comment /retry.",
        )
    try:
        return bytes(pyrage.decrypt(content, identities))
    except pyrage.DecryptError as error:
        held = [str(identity.to_public()) for identity in identities]
        if "matching keys" in str(error) and recipient not in held:
            raise PlatformError(
                f"{DATA_IDENTITY} of this runner does not open '{name}'",
                hint="Give the runner the key that the file was encrypted to. "
                "A file with a damaged head reads the same.",
            ) from None
        raise fail(
            Reason.BAD_DATA, f"the encrypted data '{name}' are damaged", step=None,
            hint="Restore the file, or make it again with `pullbench pin --encrypt`.",
        ) from None  # fmt: skip
