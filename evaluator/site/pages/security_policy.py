"""The Content-Security-Policies: of the site's own pages, and of detailed results.

On the site's pages nothing is from elsewhere, and no script runs but the site's. The theme has a
few inline scripts; the policy names their digests. They are taken from frames, which hold nothing
that a stranger wrote: what stands between a frame's marks counts for nothing.

Detailed results are pages of strangers, as files that can do nothing. They are shown in sandboxed
frames, and anybody may open them by their address. A policy in front of all that a stranger wrote
lets nothing run and nothing be fetched. What a policy does not govern is taken out of the text:
elements that reload, rebase, connect or frame.

No library that builds a tree does this: 500 kB of nested tags keep such a one busy for minutes.
Browsers begin an element nowhere but at ``<`` and its name, so renaming there is enough, whatever
stands around it.
"""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping

from evaluator.core.formats.cell import CellId
from evaluator.site.pages.frames import fill

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_IS_ELSEWHERE = re.compile(r"\bsrc\s*=", re.IGNORECASE)
_IS_DATA = re.compile(r"\btype\s*=\s*[\"']?application/", re.IGNORECASE)
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'"
)
_HEAD = (
    f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    '<meta charset="utf-8"><meta name="robots" content="noindex, nofollow">'
    '<meta name="referrer" content="no-referrer">'
)
_TAKEN_OUT = re.compile(
    r"<(?=(?:meta|base|link|iframe|frame|frameset|object|embed|applet|portal|fencedframe)"
    r"(?:[\t\n\f\r />]|$))",
    re.IGNORECASE,
)
"""A start tag's ``<``, where the whole name is one of these: ``<metadata>`` of SVG stays."""


def inline_scripts(frame: str) -> tuple[str, ...]:
    scripts = _SCRIPT.findall(fill(frame, ""))
    run = [text for tag, text in scripts if not (_IS_ELSEWHERE.search(tag) or _IS_DATA.search(tag))]
    return tuple(dict.fromkeys(run))


def policy(frame: str) -> str:
    digests = [hashlib.sha256(text.encode()).digest() for text in inline_scripts(frame)]
    named = "".join(f" 'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src 'self'{named}; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; "
        "manifest-src 'self'; form-action 'self'; base-uri 'none'"
    )


def with_policy(frame: str) -> str:
    """Put the policy first into a page's head: it binds what comes after it."""
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy(frame)}">'
    return re.sub(r"<head\b[^>]*>", lambda head: head[0] + tag, frame, count=1)


def detail_file(cell: CellId) -> str:
    """Where a cell's detailed results stand, from the page of its submission."""
    return f"details/{cell.phase}/{cell.file_stem}.html"


def harmless(page: str) -> bytes:
    return (_HEAD + _TAKEN_OUT.sub("<x-", page)).encode("utf-8", "replace")


def detail_files(details: Mapping[CellId, str]) -> Iterator[tuple[str, bytes]]:
    for cell, page in details.items():
        folder = f"benchmarks/{cell.benchmark}/submissions/{cell.participant}/{cell.submission}"
        yield f"{folder}/{detail_file(cell)}", harmless(page)
