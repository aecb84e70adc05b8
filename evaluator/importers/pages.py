"""Pages of a bundle: whatever encoding they come in, they are UTF-8 afterwards."""

import codecs
import re
from collections.abc import Iterator
from typing import Any

from evaluator.importers.folder import Folder

_TEXTS = (".md", ".html", ".htm", ".txt")
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?([\w:.-]+)", re.IGNORECASE)
_HEAD = 2**12
"""Bytes in which a page of HTML may name its encoding."""


def settle_pages(data: dict[str, Any], folder: Folder) -> None:
    """Rewrite the texts of pages and terms where readers here could not read them."""
    for path in dict.fromkeys(_files(data)):
        if path.lower().endswith(_TEXTS) and folder.is_file(path):
            _settle(path, folder)


def _files(data: dict[str, Any]) -> Iterator[str]:
    pages = data.get("pages")
    for page in pages if isinstance(pages, list) else []:
        if isinstance(page, dict) and isinstance(page.get("file"), str):
            yield page["file"]
    if isinstance(data.get("terms"), str):
        yield data["terms"]


def _settle(path: str, folder: Folder) -> None:
    content = folder.read(path)
    text, encoding = decoded(content)
    if encoding != "UTF-8":
        folder.write(path, text.encode())
        folder.notes.note(path, f"was {encoding}; it is written as UTF-8")


def decoded(content: bytes) -> tuple[str, str]:
    """Text of a page, and the encoding that it is read as."""
    try:
        return content.decode("utf-8-sig"), "UTF-8"
    except UnicodeDecodeError:
        pass
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace"), "UTF-16"
    named = _CHARSET.search(content[:_HEAD])
    try:
        if named and named[1].lower() not in {b"utf-8", b"utf8"}:
            return content.decode(named[1].decode()), named[1].decode()
    except (LookupError, UnicodeDecodeError, ValueError):
        pass
    return content.decode("cp1252", "replace"), "Windows-1252"
