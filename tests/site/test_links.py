"""The project's own site, every benchmark with it: no address in it leads nowhere."""

import html
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
    nowhere = {
        f"{page.relative_to(site)} -> {address}"
        for page, address in found
        if not leads_somewhere(site, page, address)
    }
    assert not nowhere


def addresses(page: Path) -> Iterator[str]:
    """Yield the addresses of a page that are of this site."""
    for match in _ADDRESS.finditer(page.read_text(encoding="utf-8")):
        address = html.unescape(match[1])
        if not re.match(r"[a-z]+:|//", address):
            yield urllib.parse.unquote(address)


def leads_somewhere(site: Path, page: Path, address: str) -> bool:
    target = site / address.lstrip("/") if address.startswith("/") else page.parent / address
    return target.is_file() or (target / "index.html").is_file()
