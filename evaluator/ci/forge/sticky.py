"""One comment, or one issue, that is written once and then replaced."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from evaluator.ci.forge.client import Client, Text, User, read
from evaluator.ci.forge.connection import Call, ForgeError
from evaluator.core.log import complain

MARKER = "<!-- pullbench -->"
"""Begins what pullbench writes and later replaces."""
_OF_APP = "ghs_"
"""How GitHub's tokens of apps begin, those of workflows among them."""
MAX_BODY = 65_536
"""Characters of a comment or an issue, by GitHub's limit."""


@dataclass(frozen=True, kw_only=True)
class Sticky:
    """Finds the text with the marker that is ours: a stranger can write the marker, too."""

    client: Client
    bot: str
    """Login where the forge does not return it."""
    call: Call
    path: str
    list_all: Callable[[], Iterator[Text]]
    """Asks for all of them, the oldest first."""
    path_of: Callable[[Text], str]

    def write(
        self, data: Mapping[str, str], *, known: int | None = None, is_first: bool = False
    ) -> Text:
        """Update ours, else create it; what already says the same is left alone.

        Ours is not looked for if its number is ``known``, unless it was deleted meanwhile, or if
        this ``is_first``.
        """
        data = {**data, "body": self._marked(data["body"])}
        login = self.login()
        entry = None if known is None else Text(id=known, html_url="")
        if entry is None and not is_first:
            entry = self.find(login)
        try:
            return self._put(entry, data, login)
        except ForgeError as error:
            if entry is None or error.status != 404:
                raise
        return self._put(self.find(login), data, login)

    def _put(self, entry: Text | None, data: Mapping[str, str], login: str) -> Text:
        if entry is None:
            return self._create(data, login)
        if _same(entry, data):
            return entry
        answer = self.client.ask("PATCH", self.path_of(entry), self.call, data=data)
        return read(Text, answer, self.call)

    def find(self, login: str, marker: str = MARKER) -> Text | None:
        # The first, from the oldest on: what strangers add later cannot push ours out.
        for text in self.list_all():
            written = text.user is not None and text.user.login.lower() == login.lower()
            if written and _plain(text.body or "").startswith(_plain(marker)):
                return text
        return None

    def _create(self, data: Mapping[str, str], login: str) -> Text:
        def done() -> Text | None:
            left = self.find(login)
            return left and self._put(left, data, login)

        once = replace(self.call, done=done)
        comment = read(Text, self.client.ask("POST", self.path, once, data=data), once)
        if comment.user is not None and comment.user.login.lower() != login.lower():
            writer = comment.user.login
            complain(
                f"The forge says that {writer} wrote this, not {login}, so the next one would not "
                f"replace it. Set PULLBENCH_BOT={writer} for this job."
            )
        return comment

    def login(self) -> str:
        """Login under which the token writes; an app's may not ask for it, a workflow's neither."""
        if self.client.connection.token.startswith(_OF_APP):
            return self.bot
        call = Call(doing="ask whose token it is", needs=self.call.needs,
                    accepts=frozenset({403, 404}))  # fmt: skip
        answer = self.client.connection.ask("GET", f"{self.client.root}/user", call)
        return read(User, answer, call).login if answer.status == 200 else self.bot

    def _marked(self, body: str) -> str:
        body = body if body.startswith(MARKER) else f"{MARKER}\n{body}"
        if len(body) > MAX_BODY:
            # Cutting it could break a code span open, and free what a stranger wrote in it.
            raise ValueError(f"{len(body):,} characters; a forge takes {MAX_BODY:,}")
        return body


def _same(text: Text, data: Mapping[str, str]) -> bool:
    has = {"title": text.title, "body": text.body or ""}
    return all(_plain(has[key]) == _plain(value) for key, value in data.items())


def _plain(text: str) -> str:
    """Without what forges change: line ends, and blanks at the end."""
    return text.replace("\r\n", "\n").strip()
