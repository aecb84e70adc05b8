"""What MkDocs puts around a page: head, navigation, footer; with a hole for the content.

MkDocs renders each frame once. Thousands of pages of one depth share theirs, and a frame stays
when the content of its page changes.
"""

import html
import re
from dataclasses import dataclass
from pathlib import Path

TITLE = "pullbench-title-of-the-page"
BEGIN, END = '<div data-pullbench="begin"></div>', '<div data-pullbench="end"></div>'
HOME = '<div data-pullbench="home"></div>'
"""Where the home page lists the benchmarks."""
DEPTHS = range(2, 7)
"""Folders that a page may lie in, its own included; each depth has a frame, for pages lead to
others by relative addresses."""
_HOLE = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
_SKIP = re.compile(r'(<div data-md-component="skip">)\s*(</div>)')
_IDLE = re.compile(
    r'<meta name="generator".*?>|<script>(?:__md_scope|var target)=.*?</script>'
    r'|<input class="md-toggle".*?>|<label class="md-overlay".*?</label>'
    r'|<button type="button" class="md-top.*?</button>'
    r'|<div class="md-dialog".*?</div>\s*</div>|<div data-md-component="announce">\s*</div>',
    re.DOTALL,
)
"""What the theme's scripts alone use, and its note of itself."""
_CONTENT = "content"
_NOTE, _END_OF_NOTE = '<meta name="pullbench-title" content="', '">'


def frame_path(depth: int) -> str:
    """Folder of the frame of a depth. No benchmark, participant or page is called so."""
    return "/".join("_" * depth)


def hole(searched: str) -> str:
    """What stands in a frame for the content; search goes through ``searched``."""
    return f"{BEGIN}{searched}{END}"


def fill(page: str, content: str) -> str:
    return _HOLE.sub(lambda _: _with_anchor(content), page, count=1)


def with_skip_link(page: str) -> str:
    """A page with a link to the content; the theme has one below headings."""
    return _SKIP.sub(rf'\1<a href="#{_CONTENT}" class="md-skip">Skip to content</a>\2', page)


def _with_anchor(content: str) -> str:
    return content.replace("<h1>", f'<h1 id="{_CONTENT}">', 1)


def without_indents(page: str) -> str:
    return re.sub(r"\s*\n\s*", "\n", page)


def without_idle(page: str) -> str:
    return _IDLE.sub("", page)


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A page without title and content."""

    parts: tuple[str, str]
    """Before the content, and after it."""

    def filled(self, title: str, content: str) -> str:
        before, after = (part.replace(TITLE, html.escape(title)) for part in self.parts)
        return "".join((before, _with_anchor(content), after))


def read_frames(site: Path) -> dict[int, Frame]:
    frames = {}
    for depth in DEPTHS:
        text = (site / frame_path(depth) / "index.html").read_text(encoding="utf-8")
        before, after = _HOLE.split(text)
        frames[depth] = Frame(parts=(before, after))
    return frames


def is_frame(path: str) -> bool:
    folders, _, name = path.rpartition("/")
    return name == "index.html" and set(folders.split("/")) == {"_"}


def remove_frames(site: Path) -> None:
    for depth in reversed(DEPTHS):
        (site / frame_path(depth) / "index.html").unlink()
    for depth in range(max(DEPTHS), 0, -1):
        (site / frame_path(depth)).rmdir()


def titled(page: str, title: str) -> str:
    """Note a page's title in it, for who fills it later."""
    return page.replace("</head>", f"{_NOTE}{html.escape(title)}{_END_OF_NOTE}</head>", 1)


def take_title(page: str) -> tuple[str, str] | None:
    before, note, rest = page.partition(_NOTE)
    title, _, after = rest.partition(_END_OF_NOTE)
    return (before + after, html.unescape(title)) if note else None
