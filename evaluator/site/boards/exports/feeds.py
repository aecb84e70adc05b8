"""Events -> Atom (RFC 4287), one feed for each benchmark and one for the site."""

import datetime as dt
import posixpath
import re
import urllib.parse
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from evaluator.core.formats.plain_text import one_line
from evaluator.site.content.events import MAX_ENTRIES, Event, newest

if TYPE_CHECKING:
    from evaluator.site.content.content import Deployment

NAME = "feed.xml"
_SINCE = "2026"
"""Year of the tag URIs (RFC 4151): names stay the same whatever year it is."""
_NOBODY = "pullbench.invalid"
_ADDRESS = re.compile(r"https?://(?:[^/@]*@)?([A-Za-z0-9.-]+)(?::[0-9]+)?(/[^?#]*)?")


def feed(
    path: str,
    title: str,
    page: str,
    chosen: Sequence[Event],
    site: "Deployment",
    begun: dt.datetime,
) -> bytes:
    """The feed at ``path`` about ``page``, of ``begun`` while nothing has happened."""
    entries = newest(chosen, MAX_ENTRIES)
    root = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": "en"})
    _text(root, "title", one_line(title))
    _text(root, "id", _tag(site, path))
    _link(root, "self", path, path, site, "application/atom+xml")
    _link(root, "alternate", page, path, site, "text/html")
    _text(root, "updated", _time(max((event.at for event in entries), default=begun)))
    _text(SubElement(root, "author"), "name", one_line(site.name) or "pullbench")
    for event in entries:
        entry = SubElement(root, "entry")
        _text(entry, "title", event.title)
        _text(entry, "id", _tag(site, event.name))
        _link(entry, "alternate", event.page, path, site, "text/html")
        _text(entry, "published", _time(event.at))
        _text(entry, "updated", _time(event.at))
        if event.author:
            _text(SubElement(entry, "author"), "name", event.author)
        SubElement(entry, "category", {"term": event.category})
        _text(entry, "summary", event.text)
    indent(root)
    text: str = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def _tag(site: "Deployment", name: str) -> str:
    """The id of a thing of the repository, or where none is named, of the site."""
    match = _ADDRESS.fullmatch(site.forge or site.address)
    host, folder = (match[1].lower(), match[2] or "") if match else (_NOBODY, "")
    path = f"{folder.strip('/').removesuffix('.git')}/{name}".lstrip("/")
    return f"tag:{host},{_SINCE}:{urllib.parse.quote(path)}"


def _text(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = text


def _link(parent: Element, rel: str, to: str, path: str, site: "Deployment", kind: str) -> None:
    if site.address:
        href = f"{site.address}{to}"
    else:
        href = posixpath.relpath(to or ".", posixpath.dirname(path) or ".")
        href += "/" if to.endswith("/") or not to else ""
    SubElement(parent, "link", {"rel": rel, "type": kind, "href": href})


def _time(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
