"""Pages of a bundle: they become UTF-8, and pictures from elsewhere come along on request."""

import codecs
import hashlib
import html
import posixpath
import re
import urllib.error
import urllib.request
from typing import Any

from evaluator.core.errors import some_of
from evaluator.core.formats.paths import shown
from evaluator.importing.folder import SourceFolder
from evaluator.plugins.codalab.keys import entries
from evaluator.site.content.pictures import ENDINGS, MAX_PICTURE, picture_type

_TEXTS = (".md", ".html", ".htm", ".txt")
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?([\w:.-]+)", re.IGNORECASE)
_HEAD = 2**12
"""Bytes in which a page of HTML may name its encoding."""
_PICTURE = re.compile(
    r"!\[[^\]\n]{0,1000}\]\(\s{0,9}<?(?P<markdown>https?://[^\s)<>]{1,2000})"
    r"|<img\b[^>]{0,1000}?\bsrc\s{0,9}=\s{0,9}[\"']?(?P<html>https?://[^\"'\s>]{1,2000})",
    re.IGNORECASE,
)
_MAX_PICTURES = 100
_SECONDS = 20
_Pictures = dict[str, tuple[bytes, str]]
"""Address -> content, or why there is none: each is fetched once."""


def convert_pages(data: dict[str, Any], folder: SourceFolder, *, fetch: bool) -> None:
    """Rewrite pages and terms that readers here could not read, and ``fetch`` their pictures."""
    pictures: _Pictures = {}
    paths = [*(page.get("file") for _, page in entries(data, "pages")), data.get("terms")]
    for path in dict.fromkeys(path for path in paths if isinstance(path, str)):
        if path.lower().endswith(_TEXTS) and folder.is_file(path):
            text, encoding = decode_page(folder.read(path))
            if encoding != "UTF-8":
                folder.write(path, text.encode())
                folder.notes.note(path, f"was {encoding}; it is written as UTF-8")
            addresses = list(dict.fromkeys(_address(match) for match in _PICTURE.finditer(text)))
            if fetch and addresses:
                folder.write(path, _bring_pictures(folder, path, text, pictures).encode())
            elif addresses:
                folder.notes.warn(
                    path,
                    "shows pictures of other servers, which become links here: "
                    f"{some_of(list(map(shown, addresses)), 3)}",
                    "--pictures fetches them into the bundle.",
                )


def _address(picture: re.Match[str]) -> str:
    return picture["markdown"] or html.unescape(picture["html"])


def _bring_pictures(folder: SourceFolder, path: str, text: str, known: _Pictures) -> str:
    """A page with the addresses of pictures replaced by those of files beside it."""
    brought: set[str] = set()

    def replaced(picture: re.Match[str]) -> str:
        address = _address(picture)
        if address not in known and len(known) < _MAX_PICTURES:
            known[address] = _fetch_picture(address)
        content, fault = known.get(address, (b"", "there are too many"))
        if fault:
            folder.notes.warn(path, f"the picture {shown(address)} becomes a link: {fault}")
            return picture[0]
        name = f"{hashlib.sha256(content).hexdigest()[:16]}.{ENDINGS[picture_type(content)]}"
        folder.write(posixpath.join(posixpath.dirname(path), "pictures", name), content)
        brought.add(name)
        return picture[0][: -len(picture["markdown"] or picture["html"])] + f"pictures/{name}"

    text = _PICTURE.sub(replaced, text)
    if brought:
        message = f"its pictures of other servers are now in the bundle: {len(brought)}"
        folder.notes.note(path, message)
    return text


def _fetch_picture(address: str) -> tuple[bytes, str]:
    request = urllib.request.Request(address, headers={"User-Agent": "pullbench"})  # noqa: S310 the pattern asks for http
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
            content = answer.read(MAX_PICTURE + 1)
    except urllib.error.HTTPError as error:
        return b"", f"its server answers {error.code}"
    except (OSError, ValueError) as error:
        return b"", f"it cannot be fetched ({type(error).__name__})"
    if len(content) > MAX_PICTURE:
        return b"", f"it has more than {MAX_PICTURE:,} bytes"
    return content, "" if picture_type(content) else "it is no picture that browsers show"


def decode_page(content: bytes) -> tuple[str, str]:
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
