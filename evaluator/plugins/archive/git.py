"""Archives: commits that are kept at another repository or in a bundle, and what comes back."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, cast

from evaluator.ci.git.advice import what_to_do
from evaluator.ci.git.partial_clone import exchange, missing
from evaluator.ci.git.remote import last_line
from evaluator.core.errors import PlatformError, printable
from evaluator.core.git.repository import GitFailedError, Repo

_PROTOCOLS = ("-c", "protocol.allow=never",
              *(part for name in ("https", "ssh", "file")
                for part in ("-c", f"protocol.{name}.allow=always")))  # fmt: skip
_FETCH = (
    "-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", "--no-tags",
    "--no-write-fetch-head", "--recurse-submodules=no", "--no-auto-maintenance",
)  # fmt: skip
"""As ``lacking`` fetches."""


def keep_at(repo: Repo, address: str, commit: str, branch: str) -> None:
    """Push to a branch that is new or there already; another host never gets our token."""
    try:
        exchange(repo, address, *_PROTOCOLS, "push", "--quiet", "--no-verify", address,
                 f"{commit}:refs/heads/{branch}", token=False)  # fmt: skip
    except GitFailedError as error:
        raise PlatformError(
            f"'{printable(address)}' does not take the archive: {last_line(error)}",
            hint=(what_to_do(error.said) or "Make the repository, and see that you may push to it.")
            + " Nothing was changed here.",
        ) from None


def keep_as_bundle(repo: Repo, file: Path, commit: str) -> None:
    """Write a bundle, whole or not at all; one with the commit stays. Raises PlatformError."""
    reference = f"refs/pullbench/archives/{commit}"
    try:
        if file.exists():
            if str(repo.git.bundle("list-heads", str(file))).split(" ")[0] != commit:
                raise PlatformError(f"{file} is there, and is another archive",
                                    hint="Name another file.")  # fmt: skip
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".archive-", dir=file.parent) as folder:
            draft = Path(folder, "bundle")
            repo.git.update_ref(reference, commit)
            try:
                repo.git.bundle("create", "--quiet", str(draft), reference)
            finally:
                repo.git.update_ref("-d", reference)
            draft.rename(file)
    except GitFailedError as error:
        raise PlatformError(
            f"git cannot write {file}: {last_line(error)}", hint=what_to_do(error.said)
        ) from None


def bring_archived(
    repo: Repo, address: str, ids: Sequence[str], *, branch: str = "", bundle: bool = False
) -> list[str]:
    """Fetch objects, or the branch that has them; return those that are not there."""
    try:
        if bundle:
            repo.git.bundle("unbundle", address)
            return missing(repo, ids)
        try:
            with tempfile.TemporaryFile() as stream:
                stream.write("".join(f"{name}\n" for name in ids).encode())
                stream.seek(0)
                exchange(repo, address, *_PROTOCOLS, *_FETCH, "--stdin", "--end-of-options",
                         address, stdin=cast("BinaryIO", stream), token=False)  # fmt: skip
        except GitFailedError:
            exchange(repo, address, *_PROTOCOLS, *_FETCH, "--depth=1", "--end-of-options", address,
                     f"refs/heads/{branch}", token=False)  # fmt: skip
    except GitFailedError as error:
        raise PlatformError(
            f"the archive '{printable(address)}' cannot be read: {last_line(error)}",
            hint=what_to_do(error.said)
            or "Does it answer, and may this account read it? Its pointer is in archives/.",
        ) from None
    return missing(repo, ids)
