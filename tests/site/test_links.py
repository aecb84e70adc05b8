"""The project's own site, every benchmark with it: no address in it leads nowhere."""

import html
import os
import re
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

_ADDRESS = re.compile(r"<(?:a|link|img|script|iframe)\b[^>]*?\b(?:href|src)=\"([^\"#?]+)")


def test_every_address_of_the_site_leads_somewhere(own_site: Path) -> None:
    site = own_site
    pages = list(site.rglob("*.html"))
    assert len(pages) > 100
    found = [(page, address) for page in pages for address in addresses(page)]
    assert len(found) > 1000
    # The menu of each page leads to the same places: each is looked for once.
    folders = {page: page.parent.relative_to(site).as_posix() for page in pages}
    targets: dict[str, set[Path]] = {}
    for page, address in found:
        inside = address.lstrip("/") if address[:1] == "/" else f"{folders[page]}/{address}"
        target = os.path.normpath(inside)
        targets.setdefault(target, set()).add(page)
    nowhere = {
        f"{page.relative_to(site)} -> {target}"
        for target, those in targets.items()
        if not is_there(site / target)
        for page in those
    }
    assert not nowhere


def test_every_anchor_of_the_site_leads_somewhere(own_site: Path) -> None:
    """Pages of reported results led to tasks below, which they do not have."""
    texts = {page: page.read_text(encoding="utf-8") for page in own_site.rglob("*.html")}
    names = {page: set(re.findall(r"\s(?:id|name)=\"([^\"]+)\"", text))
             for page, text in texts.items()}  # fmt: skip
    nowhere, count = set(), 0
    for page, text in texts.items():
        for address, anchor in re.findall(r"<a\b[^>]*?\bhref=\"([^\"#?:]*)#([^\"]+)\"", text):
            count += 1
            target = page
            if address:
                start = own_site if address[0] == "/" else page.parent
                target = start / urllib.parse.unquote(html.unescape(address)).lstrip("/")
                target = Path(os.path.normpath(target))
                target = target if target.is_file() else target / "index.html"
            if html.unescape(urllib.parse.unquote(anchor)) not in names.get(target, ()):
                nowhere.add(f"{page.relative_to(own_site)} -> {address}#{anchor}")
    assert count > 1000
    assert not nowhere


def addresses(page: Path) -> Iterator[str]:
    """Yield the addresses of a page that are of this site."""
    for match in _ADDRESS.finditer(page.read_text(encoding="utf-8")):
        address = html.unescape(match[1])
        if not re.match(r"[a-z]+:|//", address):
            yield urllib.parse.unquote(address)


def is_there(target: Path) -> bool:
    return target.is_file() or (target / "index.html").is_file()
