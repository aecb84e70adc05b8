"""Answers of a fact sheet that must have a form: numbers, addresses of pages and of people."""

import math
import re
import urllib.parse
from typing import Literal

AnswerForm = Literal["url", "email", "number"]
_RESERVED = re.compile(r"(^|\.)(example\.(com|net|org)|example|invalid|test|localhost)$")
"""Names that RFC 2606 keeps for examples: an address there is a placeholder."""
_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}")
_BLANK = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff<>\"\\]")
_NUMBER = re.compile(
    r"([+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?) ?([kKMGBT]?)"
)
_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9, "t": 10**12}
"""Papers write 6.7M and 17.4B."""


def answer_number(text: str) -> float | None:
    """Return the number that an answer states; None where it is none."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    value = float(match[1].replace(",", "")) * _SIZES[match[2].lower()]
    return value if math.isfinite(value) else None


def form_fault(form: AnswerForm, text: str) -> str | None:
    """Return why a text is not of a form, and what to write instead; None where it is."""
    if form == "number":
        return None if answer_number(text) is not None else "is no number"
    return _no_url(text) if form == "url" else _no_email(text)


def _no_url(text: str) -> str | None:
    if _BLANK.search(text):
        return "holds a blank or another character that no address has"
    try:
        parts = urllib.parse.urlsplit(text)
        host = parts.hostname or ""
        _ = parts.port  # checks it
    except ValueError:
        return "cannot be read as an address"
    if parts.scheme not in {"http", "https"}:
        return "is no address of a page: it must begin with https:// or http://"
    if not host:
        return "names no host"
    if parts.username is not None or parts.password is not None:
        return "holds a user name, which would be published"
    if _RESERVED.search(host.lower().rstrip(".")):
        return f"is a placeholder: {host} is a name for examples"
    return None


def _no_email(text: str) -> str | None:
    if _EMAIL.fullmatch(text) is None:
        return "is no e-mail address such as name@university.edu"
    return None


def link_text(url: str, length: int = 40) -> str:
    """Return what stands for a link in a table: without the scheme, and not too long."""
    text = url.partition("://")[2].removeprefix("www.").rstrip("/")
    return text if len(text) <= length else f"{text[: length - 1]}…"
