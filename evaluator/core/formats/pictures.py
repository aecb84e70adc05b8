"""Pictures that browsers show, told by their first bytes and by no name."""

MAX_PICTURE = 2 * 2**20
"""Bytes of one in a page."""
ENDINGS = {
    "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp",
    "image/svg+xml": "svg",
}  # fmt: skip
_HEAD = 1024
"""Bytes in which SVG begins, after its declaration and comments."""


def picture_type(content: bytes) -> str:
    """Return the media type of a picture; empty for all else.

    SVG may hold scripts: a browser runs none of them where it stands in an ``img`` alone.
    """
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
