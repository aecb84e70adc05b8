"""The Content-Security-Policy of every page: nothing from elsewhere, and no script but the site's.

The theme has a few inline scripts; the policy names their digests. They are taken from frames,
which hold nothing that a stranger wrote: what stands between a frame's marks counts for nothing.
"""

import base64
import hashlib
import re

from evaluator.site.frames import fill

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_IS_ELSEWHERE = re.compile(r"\bsrc\s*=", re.IGNORECASE)
_IS_DATA = re.compile(r"\btype\s*=\s*[\"']?application/", re.IGNORECASE)


def inline_scripts(frame: str) -> tuple[str, ...]:
    """Return the inline scripts of a rendered page, but for those of its content."""
    scripts = _SCRIPT.findall(fill(frame, ""))
    kept = [
        text
        for given, text in scripts
        if not (_IS_ELSEWHERE.search(given) or _IS_DATA.search(given))
    ]
    return tuple(dict.fromkeys(kept))


def policy(frame: str) -> str:
    digests = [hashlib.sha256(text.encode()).digest() for text in inline_scripts(frame)]
    named = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {named}".strip(),
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "frame-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
        )
    )


def with_policy(frame: str) -> str:
    """Put the policy first into a page's head: it binds what comes after it."""
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy(frame)}">'
    return re.sub(r"<head\b[^>]*>", lambda head: head[0] + tag, frame, count=1)
