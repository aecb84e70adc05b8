"""The archive with scores, logs and detailed results, which age encrypts to SSH keys."""

import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyrage

from evaluator.core.errors import UsageError
from evaluator.core.formats.archive import ArchiveError, members

TEXT = "feedback.txt"
"""File of the archive with scores and logs; the others are detailed results."""
_BLOCK = 4096
"""Bytes to which an archive is padded, for each cell: the length of a log may tell a score."""
_MAX_BYTES = 64 * 2**20
"""Most bytes of all files of an archive together."""


def encrypted(files: Mapping[str, bytes], keys: Iterable[str], *, cells: int) -> bytes:
    """A zip, encrypted to SSH keys; its size is a multiple of a block for each cell."""

    def pack(padding: int) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
            archive.writestr(zipfile.ZipInfo("padding"), bytes(padding), zipfile.ZIP_STORED)
        return buffer.getvalue()

    recipients = [pyrage.ssh.Recipient.from_str(key) for key in keys]
    padded = pack(-len(pack(0)) % (_BLOCK * cells))
    return bytes(pyrage.encrypt(padded, recipients, armored=True))


def open_feedback(content: bytes, key: Path) -> dict[str, bytes]:
    """The files of feedback, by name. Raises UsageError.

    Anybody can encrypt to a public key: what is inside is data of a stranger.
    """
    if not content.startswith(b"PK"):  # else `age` has opened it
        try:
            content = pyrage.decrypt(content, [pyrage.ssh.Identity.from_buffer(key.read_bytes())])
        except (OSError, pyrage.IdentityError) as error:
            raise UsageError(
                f"the key {key} cannot be used: {error}",
                hint="Name a secret SSH key with --identity. If it has a passphrase: "
                f"`age --decrypt --identity {key} FILE | pullbench feedback -`.",
            ) from None
        except pyrage.DecryptError:
            raise UsageError(
                f"this is not encrypted to {key}, or it is damaged",
                hint="It is encrypted to the keys that the forge had when the commit arrived: name "
                "one of them with --identity.",
            ) from None
    try:
        return dict(members(content, max_bytes=_MAX_BYTES))
    except ArchiveError as error:
        raise UsageError(f"this is no feedback: {error}", hint="Is it the whole file?") from None
