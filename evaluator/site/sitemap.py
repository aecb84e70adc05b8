"""The addresses of a site, for search engines: sitemaps.org's protocol, and robots.txt."""

import gzip
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

MAX_ADDRESSES = 50_000
"""Of one file, by the protocol."""
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap_files(
    root: str, paths: Sequence[str], limit: int = MAX_ADDRESSES
) -> Iterator[tuple[str, bytes]]:
    """Yield the files that name the pages at ``paths`` of the site at ``root``, in their order.

    No dates: what would be said of a page is when it was built. Where the site's address is empty
    no page is named, for the protocol knows no relative address; the theme asks for the file.
    """
    if not root:
        yield "robots.txt", b"User-agent: *\nAllow: /\n"
        yield from _both("sitemap.xml", _urls(root, ()))
        return
    yield "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {root}sitemap.xml\n".encode()
    parts = [paths[start : start + limit] for start in range(0, len(paths), limit)] or [[]]
    if len(parts) == 1:
        yield from _both("sitemap.xml", _urls(root, parts[0]))
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        yield name, _urls(root, part)
    listed = "".join(f"<sitemap><loc>{escape(root)}{name}</loc></sitemap>\n" for name in names)
    text = f'{_HEAD}<sitemapindex xmlns="{_SPACE}">\n{listed}</sitemapindex>\n'
    yield from _both("sitemap.xml", text.encode())


def _urls(root: str, paths: Sequence[str]) -> bytes:
    lines = "".join(f"<url><loc>{escape(root + path)}</loc></url>\n" for path in paths)
    return f'{_HEAD}<urlset xmlns="{_SPACE}">\n{lines}</urlset>\n'.encode()


def _both(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file, and what the site's generator wrote beside it, without a time in it."""
    yield name, content
    yield f"{name}.gz", gzip.compress(content, mtime=0)
