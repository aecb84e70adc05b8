"""pullbench itself, as what a generated repository installs: pinned, and from a place that exists.

By default that is a wheel of the very installation that writes the repository. The name is not on a
package index; its owner there could run code in every workflow.
"""

import base64
import csv
import hashlib
import importlib.metadata
import io
import re
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import evaluator
from evaluator import __version__
from evaluator.core.errors import UsageError

FOLDER = ".github/packages"
_COMMIT = re.compile(r"git\+(https|file)://[^\s@]+@[0-9a-f]{40}")
_WHEEL = re.compile(r"pullbench-[0-9A-Za-z.+!_]+-py3-none-any\.whl")
_ABOUT = ("METADATA", "entry_points.txt", "licenses/LICENSE")
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first time that a zip can hold: equal files make equal wheels."""


@dataclass(frozen=True, kw_only=True)
class Package:
    """A line of requirements.txt, and the files that it needs."""

    requirement: str
    files: Mapping[str, bytes]
    """Path from the repository's root -> content."""


def package_of(source: str | None) -> Package:
    """A wheel, ``git+https`` at a full commit, or what runs. Raises UsageError."""
    if source is None:
        return _vendored(f"pullbench-{__version__}-py3-none-any.whl", running_wheel())
    if _COMMIT.fullmatch(source):
        return Package(requirement=f"pullbench @ {source}", files={})
    file = Path(source)
    if not file.is_file() or not _WHEEL.fullmatch(file.name):
        raise UsageError(
            f"--package: '{source}' is neither a wheel of pullbench nor an address with a commit",
            hint="Such as pullbench-1.0-py3-none-any.whl, or git+https://HOST/OWNER/NAME@ and the "
            "40 digits of a commit: a tag or a branch may move.",
        )
    return _vendored(file.name, file.read_bytes())


def _vendored(name: str, content: bytes) -> Package:
    path = f"{FOLDER}/{name}"
    digest = hashlib.sha256(content).hexdigest()
    return Package(requirement=f"./{path} --hash=sha256:{digest}", files={path: content})


def running_wheel() -> bytes:
    root = Path(evaluator.__file__).parent
    files = {
        path.relative_to(root.parent).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    about = f"pullbench-{__version__}.dist-info"
    distribution = importlib.metadata.distribution("pullbench")
    for name in _ABOUT:
        text = distribution.read_text(name)
        if text is not None:
            files[f"{about}/{name}"] = text.encode()
    files[f"{about}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: pullbench\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{about}/RECORD"] = _record(files, f"{about}/RECORD")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(member, content)
    return packed.getvalue()


def _record(files: Mapping[str, bytes], record_path: str) -> bytes:
    """List each file with its digest, as the wheel format wants it; the list itself has none."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.writerow([name, f"sha256={digest}", len(content)])
    lines.writerow([record_path, "", ""])
    return text.getvalue().encode()
