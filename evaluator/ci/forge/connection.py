"""One request to a forge: bounded in bytes, in time and in tries.

A fault that passes is no answer: how long to wait is said by GitHub's documentation, "Rate limits
for the REST API" and "Best practices for using the REST API".
"""

import math
import re
import time
import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, PlatformError, PullbenchError, printable
from evaluator.core.formats.json_reader import read_json

MAX_BYTES = 8 * 2**20
"""Of one answer. A page of 20 comments of 65,536 characters of four bytes each is smaller."""
MAX_SECONDS = 60
"""For one answer, however slowly it trickles."""
MAX_TRIES = 4
MAX_WAIT = 3660
"""Seconds, of all pauses of a process together. A limit on requests is renewed within the hour; a
forge that asks for a longer pause is not asked again at all."""
_NO_ANSWER = 0
"""In place of a status."""
_PASSING = frozenset({_NO_ANSWER, 500, 502, 503, 504})
"""After these nobody knows whether the deed was done."""
_PAUSE, _LIMITED_PAUSE = 2, 60
"""Seconds before the second try, unless the forge says how many; each further pause is doubled."""
_LIMIT = re.compile(rb"rate limit|abuse detection", re.IGNORECASE)
"""GitHub's words for a limit, where no header says so."""
_SILENCE = 30
"""Seconds without a byte."""
_CHUNK = 2**16
# Unpacking could make gigabytes of a few bytes.
_HEADERS = {"Accept": "application/vnd.github+json", "Accept-Encoding": "identity"}


class ForgeError(PullbenchError):
    """The forge refused; its own words are in the message."""

    def __init__(self, message: str, *, hint: str, actor: Actor, status: int = 0) -> None:
        super().__init__(message, hint=hint, actor=actor)
        self.status = status
        """Of the answer; 0 where it could not be understood."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """What one request is for; the words of a failure's message."""

    doing: str
    """Completes "could not ..."."""
    needs: str
    """Permission of the token, as a workflow writes it."""
    actor: Actor = Actor.ORGANISER
    accepts: frozenset[int] = frozenset()
    """Statuses beside success that the caller deals with."""
    done: Callable[[], object] | None = lambda: None
    """Looks for what the request left, before it is repeated after an answer that was lost: what is
    found is the answer. By default doing it twice is doing it once; with None nobody can look, and
    it is not repeated."""
    hint: str = ""
    """What to do where the token may not, if more is known than in a workflow."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The forge's message."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    content: bytes = b""
    data: Any = None
    """Parsed JSON; None where there was nothing to parse."""
    message: str = ""

    @property
    def following(self) -> Mapping[str, str] | None:
        """Query of the next page: nothing else of that address gets the token."""
        url = self.links.get("next", {}).get("url", "")
        query = url.partition("?")[2].partition("#")[0]
        return dict(urllib.parse.parse_qsl(query)) or None

    @property
    def limited(self) -> bool:
        """Whether a limit on requests is the reason; GitHub says so with 403, too."""
        spent = "retry-after" in self.headers or self.headers.get("x-ratelimit-remaining") == "0"
        is_forbidden = self.status == 403 and (spent or _LIMIT.search(self.content) is not None)
        return self.status == 429 or is_forbidden


@dataclass(frozen=True, kw_only=True)
class Connection:
    """Sends requests with a token."""

    token: str = field(repr=False)
    clock: Callable[[], float] = time.monotonic
    pauses: ClassVar[list[float]] = []
    """Of all connections: a command that asks with two tokens ends with one job."""

    def ask(
        self, method: str, url: str, call: Call, *,
        data: Mapping[str, Any] | None = None, query: Mapping[str, str] | None = None,
    ) -> Answer:  # fmt: skip
        """Send one request, again after what passes. Raises ForgeError, PlatformError."""
        tries = 0
        while True:
            tries += 1
            raw = self._once(method, url, data, query)
            is_lost = raw.status in _PASSING or (method != "GET" and _is_garbled(raw))
            pause = _pause(raw, tries) if raw.limited or (is_lost and call.done) else math.inf
            if tries == MAX_TRIES or sum(self.pauses) + pause > MAX_WAIT:
                return self._judge(raw, call)
            self.pauses.append(pause)
            time.sleep(pause)
            if not raw.limited and call.done and (done := call.done()) is not None:
                return Answer(status=200, data=done)

    def _once(
        self, method: str, url: str, data: Mapping[str, Any] | None, query: Mapping[str, str] | None
    ) -> Answer:
        import requests
        import urllib3.exceptions

        from evaluator.ci.forge.session import Bearer, Session

        deadline = self.clock() + MAX_SECONDS
        try:
            with (
                Session() as session,
                session.request(
                    method, url, params=query, json=data, headers=_HEADERS,
                    auth=Bearer(self.token), timeout=_SILENCE, stream=True,
                    # A redirect would carry the token to an address that nobody chose.
                    allow_redirects=False,
                ) as answer,
            ):  # fmt: skip
                content = bytearray()
                while chunk := answer.raw.read1(_CHUNK):
                    content += chunk
                    if len(content) > MAX_BYTES:
                        raise PlatformError(
                            f"the forge answered with more than {MAX_BYTES // 2**20} MiB",
                            hint="Is this address that of a forge's interface?",
                        )
                    if self.clock() > deadline:
                        raise PlatformError(
                            f"the forge took longer than {MAX_SECONDS} s for one answer",
                            hint="Try again later.",
                        )
                return Answer(
                    status=answer.status_code,
                    headers={key.lower(): value for key, value in answer.headers.items()},
                    links=answer.links,
                    content=bytes(content),
                )
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            # The error's own text may hold the request's headers.
            return Answer(status=_NO_ANSWER, message=type(error).__name__)

    def _judge(self, raw: Answer, call: Call) -> Answer:
        if raw.status == _NO_ANSWER:
            message = f"could not {call.doing}: the forge does not answer: {raw.message}"
            raise PlatformError(message, hint="Try again later.")
        fine = raw.status in range(200, 300)
        try:
            data = read_json(raw.content, max_bytes=MAX_BYTES) if raw.content else None
        except (ValueError, RecursionError):
            if fine:
                raise ForgeError(
                    f"could not {call.doing}: the forge answered {raw.status}, and what followed "
                    "is not JSON",
                    hint=f"Is this the address of a forge's interface? The token needs "
                    f"`{call.needs}`.",
                    actor=call.actor,
                ) from None
            data = None
        answer = replace(raw, data=data, message=_message(data, self.token))
        if fine or (raw.status in call.accepts and not raw.limited):
            return answer
        error = refusal(answer, call, _hint(raw, call))
        if raw.limited or raw.status >= 500:
            asked = _asked(raw)
            later = f"in {asked:.0f} s" if asked else "later"
            hint = f"Try again {later}. The token needs `{call.needs}`."
            raise PlatformError(error.message, hint=hint)
        raise error


def refusal(answer: Answer, call: Call, hint: str) -> ForgeError:
    reason = answer.message or "no reason given"
    message = f"could not {call.doing}: the forge answered {answer.status}, {reason}"
    return ForgeError(message, hint=hint, actor=call.actor, status=answer.status)


def _is_garbled(raw: Answer) -> bool:
    """Whether an answer that brings what was made cannot be read, as one cut by a proxy."""
    try:
        is_full = raw.status in (200, 201)  # others may be empty
        return is_full and read_json(raw.content, max_bytes=MAX_BYTES) is None
    except ValueError:
        return True


def _message(data: Any, token: str) -> str:
    if not isinstance(data, dict):
        return ""
    words = [str(data.get("message") or "")]
    errors = data.get("errors")
    for error in errors if isinstance(errors, list) else []:
        text = error.get("message") if isinstance(error, dict) else error
        words += [text] if isinstance(text, str) else []
    return printable("; ".join(filter(None, words)).replace(token, "***"))[:300]


def _pause(raw: Answer, tries: int) -> float:
    """Seconds to wait before the next try."""
    asked = _asked(raw)
    doubled = (_LIMITED_PAUSE if raw.limited else _PAUSE) * 2 ** (tries - 1)
    return doubled if asked is None else asked


def _asked(raw: Answer) -> float | None:
    """Seconds that a forge asks to wait; a spent limit says when it is renewed."""
    # Forges send seconds; a date, which HTTP allows, too, gets the usual pause.
    seconds = _number(raw, "retry-after")
    renewed = _number(raw, "x-ratelimit-reset")
    is_spent = raw.headers.get("x-ratelimit-remaining") == "0"
    if seconds is None and renewed is not None and is_spent:
        return max(1.0, renewed - utc_now().timestamp() + 1)
    return seconds


def _number(raw: Answer, header: str) -> float | None:
    text = raw.headers.get(header, "").strip()
    return float(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None


def _hint(raw: Answer, call: Call) -> str:
    if raw.status in range(300, 400):
        return (
            "It leads elsewhere, and the token is not sent there. Was the repository renamed? "
            f"Correct `forge` in [tool.pullbench]. The token needs `{call.needs}`."
        )
    if raw.status == 401:
        return f"The token is wrong or has expired; make another, with `{call.needs}`."
    if call.hint:
        return call.hint if raw.status in (403, 404) else ""
    return f"May the token do this? In a workflow the job needs `{call.needs}`."
