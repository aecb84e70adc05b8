"""Pointers in ``archives/``: where submissions lie that were moved out of the repository."""

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from evaluator.core.formats.json_reader import form_reader

FOLDER = "archives"
_Id = Annotated[str, Meta(pattern="^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
_PART = r"(?!\.{1,2}(?:/|$))[^/\\\x00-\x1f\x7f]+"
_Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
_Entered = Annotated[str, Meta(pattern=rf"^{_PART}/{_PART}$")]
_File = Annotated[
    str, Meta(pattern=rf"^(?!scores(?:/|$))(?!submission\.yaml$){_PART}(?:/{_PART})*$")
]
_Entry = Annotated[str, Meta(pattern="^100(?:644|755) (?:[0-9a-f]{40}|[0-9a-f]{64})$")]
_SCP = re.compile(r"[A-Za-z0-9._][A-Za-z0-9._-]*@[A-Za-z0-9][A-Za-z0-9.-]*:[^-:][^:]*")
_URL = re.compile(r"(https://|ssh://(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?)[A-Za-z0-9][A-Za-z0-9.-]*"
                  r"(?::[0-9]+)?/[^-].*")  # fmt: skip


class Pointer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True,
              omit_defaults=True):  # fmt: skip
    """Some submissions of one phase, as they were archived together.

    It names every file by git's id, so that their keys stay what they were, and what comes from
    there is what was evaluated or is refused.
    """

    benchmark: _Name
    phase: _Name
    at: str
    """Address of the repository or, with ``sha256``, of the bundle."""
    branch: str = ""
    """At the repository."""
    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None
    size: Annotated[int, Meta(ge=1)] = 1
    """Bytes of the bundle."""
    commit: _Id
    """Holds the folders of the submissions, and has no parents."""
    submissions: dict[_Entered, dict[_File, _Entry]]
    """``participant/name`` -> file -> mode and blob id."""


class ArchivedSubmission(msgspec.Struct, frozen=True):
    """Where one submission lies."""

    file: str
    """Path of the pointer."""
    pointer: Pointer


_read = form_reader(Pointer, max_bytes=2**26)


def read_pointer(content: bytes, path: str) -> Pointer:
    pointer = _read(content)
    if path.split("/")[1:-1] != [pointer.benchmark, pointer.phase]:
        raise ValueError(f"is of {pointer.benchmark}/{pointer.phase}, whose folder is another")
    if fault := address_fault(pointer.at, bundle=pointer.sha256 is not None):
        raise ValueError(f"`at` {fault}")
    return pointer


def address_fault(address: str, *, bundle: bool = False) -> str:
    """Why nothing is fetched from an address; empty for one that is well.

    Git runs programs for some addresses, such as ``ext::``; those of ``https``, ``ssh`` and paths
    pass, and of bundles ``https`` and paths.
    """
    if not address or address.startswith("-") or not address.isprintable() or " " in address:
        return "is no address"
    is_url = _URL.fullmatch(address) or (not bundle and _SCP.fullmatch(address))
    if ":" in address and (not is_url or (bundle and address.startswith("ssh"))):
        return "is neither https://, nor a path" if bundle else (
            "is neither https://, nor ssh, nor a path"
        )  # fmt: skip
    return ""
