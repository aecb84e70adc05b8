"""One page of the site: rendered at once, or only where it has to be."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from evaluator.site.content.left_out import NOTICE, attempt
from evaluator.site.pages.templating import render

_LOOK_ALIKES = {"<": "\u2039", ">": "\u203a", "&": "+", '"': "'"}


@dataclass(frozen=True, kw_only=True)
class PageContent:
    """One page of the site."""

    path: str
    """Folder of its index.html, such as ``benchmarks/iris/tasks``."""
    title: str
    html: str
    searched: str = ""
    """HTML that search goes through: what is on the page whatever the records say."""


class LazyPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that is rendered only where it has to be, with what it is a function of."""

    path: str
    facts: str | None
    """All that it shows of boards beside the files of ``sources`` and the bundle; None where that
    is not known, and then it is rendered each time."""
    sources: Sequence[str] = ()
    """Ids of the submissions whose files, records among them, it shows."""
    render: Callable[[], PageContent]


def plain(text: str) -> str:
    """Text for places that MkDocs' templates do not escape: titles."""
    return "".join(_LOOK_ALIKES.get(character, character) for character in text)


def make_page(
    path: str,
    title: str,
    template: str,
    further: Callable[[], Mapping[str, Any]] = dict,
    *,
    links: str = "",
    **values: Any,
) -> PageContent:
    """Render a page; ``further`` computes more values, ``links`` go above it."""
    html = attempt(path, lambda: render(template, **values, **further()), NOTICE)
    return PageContent(path=path, title=title, html=links + html)
