"""Pictures of organisers' pages: those of the bundle are shown; others become links that say why.

A page asks no other server for anything, so that nobody learns who reads it.
"""

import base64
import binascii
import html
import posixpath
import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from evaluator.site.content.formulas import TAG

MAX_PICTURE = 2 * 2**20
"""Bytes of one in a page."""
ENDINGS = {
    "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp",
    "image/svg+xml": "svg",
}  # fmt: skip
_HEAD = 1024
"""Bytes in which SVG begins, after its declaration and comments."""
MAX_PICTURES = 8 * 2**20
"""Bytes of all pictures of a page, which stand within it."""
_ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
_DATA = re.compile(r"data:(image/[a-z+]+);base64,([A-Za-z0-9+/=%\s]*)", re.IGNORECASE)
_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0]+")

Read = Callable[[str], bytes | None]
"""Content of a file of the bundle, by its path in it."""


def picture_type(content: bytes) -> str:
    """Its media type or an empty text; a browser runs no script of SVG in an ``img``."""
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content[:6] in (b"GIF87a", b"GIF89a"):
        return "image/gif"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    text = content[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    is_svg = text.startswith((b"<svg", b"<?xml", b"<!--", b"<!doctype svg")) and b"<svg" in text
    return "image/svg+xml" if is_svg else ""


def keep_attribute(element: str, name: str, value: str) -> str | None:
    """Keep embedded data where they are a picture's source, and nowhere else."""
    if not _BLANKS.sub("", value).lower().startswith("data:"):
        return value
    return value if (element, name) == ("img", "src") else None


def with_pictures(page: str, file: str, read: Read) -> str:
    room = MAX_PICTURES

    def shown(tag: re.Match[str]) -> str:
        nonlocal room
        if tag[2] != "img":
            return tag[0]
        given = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(tag[3])}
        source = given.pop("src", "").strip()
        content, reason = _content(source, file, read)
        if content is not None and len(content) > min(room, MAX_PICTURE):
            content, reason = None, "too large for a page"
        media = picture_type(content) if content is not None else ""
        if content is None or not media:
            return _link(source, given.get("alt", ""), reason or "not a picture that browsers show")
        room -= len(content)
        data = f"data:{media};base64,{base64.b64encode(content).decode()}"
        rest = "".join(f' {name}="{html.escape(value)}"' for name, value in given.items())
        return f'<img src="{data}"{rest}>'

    return TAG.sub(shown, page)


def _content(source: str, file: str, read: Read) -> tuple[bytes | None, str]:
    data = _DATA.fullmatch(source)
    if data:
        try:
            return base64.b64decode(_BLANKS.sub("", unquote(data[2])), validate=True), ""
        except (binascii.Error, ValueError):
            return None, "damaged"
    try:
        parts = urlsplit(source)
    except ValueError:
        return None, "its address cannot be read"
    if parts.scheme == "data":
        return None, "embedded in a form that is not shown"
    if parts.scheme or parts.netloc:
        return None, "elsewhere, and pages here ask no other server"
    path = unquote(parts.path)
    for folder in (posixpath.dirname(file), ""):
        place = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
        content = None if place.startswith("..") else read(place)
        if content is not None:
            return content, ""
    return None, "not in the bundle"


def _link(source: str, alternative: str, reason: str) -> str:
    name = posixpath.basename(urlsplit(source).path) if "data:" not in source.lower() else ""
    text = html.escape(alternative.strip() or unquote(name) or "Picture")
    if source.lower().startswith(("https://", "http://")):
        text = f'<a href="{html.escape(source)}" rel="noopener noreferrer">{text}</a>'
    return f"<em>{text} (a picture that is not shown: {html.escape(reason)})</em>"
