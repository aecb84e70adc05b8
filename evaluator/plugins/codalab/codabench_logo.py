"""The logo of a bundle as Codabench takes it: PNG, where it is something else."""

import io
import re
from pathlib import PurePosixPath

from evaluator.core.errors import UsageError
from evaluator.core.plugins import need

_ALLOWED = frozenset({"jpeg", "jpg", "png", "gif", "webp"})
"""drf_extra_fields 3.7.0, fields.py: Base64ImageField.ALLOWED_TYPES."""
_ICON = 100
"""Pixels of the icon that Codabench makes of it."""
_SVG_SIZE = 256
_ELSEWHERE = re.compile(rb"""(?:href\s*=\s*["']|url\(\s*["']?)\s*(?!data:|#|\s)""")


def logo_fault(path: str, content: bytes) -> str:
    """Say why Codabench would refuse a logo; empty where it takes it."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content)) as picture:
            kind = (picture.format or "").lower()
            if kind not in _ALLOWED:
                return f"is {kind or 'no picture'}"
            width, height = picture.size
            if _ICON * height < width:
                return f"is {width} pixels wide and {height} high, of which no icon can be made"
            picture.resize((_ICON, int(_ICON / width * height))).save(io.BytesIO(), "PNG")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return "is svg" if _is_svg(path, content) else "cannot be read as a picture"
    return ""


def _is_svg(path: str, content: bytes) -> bool:
    return PurePosixPath(path).suffix.lower() == ".svg" or b"<svg" in content[:2000]


def logo_png(path: str, content: bytes) -> bytes:
    """Draw a logo again, as PNG. Raises UsageError where that cannot be done."""
    from PIL import Image

    if _is_svg(path, content):
        return _draw_svg(content)
    try:
        with Image.open(io.BytesIO(content)) as picture:
            colours = picture.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise UsageError("it cannot be drawn anew", hint="Give a logo as PNG.") from None
    width, height = colours.size
    if _ICON * height < width:
        side = Image.new("RGBA", (width, width // 4), (0, 0, 0, 0))
        side.paste(colours, (0, (width // 4 - height) // 2))
        colours = side
    file = io.BytesIO()
    colours.save(file, "PNG")
    return file.getvalue()


def _draw_svg(content: bytes) -> bytes:
    if _ELSEWHERE.search(content):
        raise UsageError("it draws files from elsewhere", hint="Give a logo as PNG.")
    need("resvg_py")
    import resvg_py

    try:
        text = content.decode("utf-8-sig")
        return bytes(resvg_py.svg_to_bytes(svg_string=text, width=_SVG_SIZE))
    except ValueError as error:
        raise UsageError(f"it cannot be drawn: {error}", hint="Give a logo as PNG.") from None
