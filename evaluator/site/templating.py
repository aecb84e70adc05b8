"""Templates of this package, and what they may call.

Everything that a stranger wrote is text here: autoescaped.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from evaluator.core.formats import fact_sheet, plain_text, quantities
from evaluator.core.leaderboard import facts
from evaluator.site import facets, navigation, security_policy, sharing, submit, view
from evaluator.site.exports import picture
from evaluator.site.insight import insight
from evaluator.site.leaderboard import (
    ablation,
    comparison,
    difficulty,
    ranking_note,
    timeline,
    usage,
    wording,
)

_ITEM = re.compile(r"<li>.*?</li>", re.DOTALL)


class SharedItems(NamedTuple):
    """Items of lists as HTML: those of all lists, and the others of each."""

    shared: Markup
    others: list[Markup]


def shared_items(lists: Sequence[str]) -> SharedItems:
    items = [_ITEM.findall(one) for one in lists]
    shared = [item for item in items[0] if all(item in other for other in items)]
    # Both are what this package's templates wrote.
    return SharedItems(
        Markup("\n".join(shared)),  # noqa: S704
        [Markup("\n".join(one for one in own if one not in shared)) for own in items],  # noqa: S704
    )


def compiled_templates() -> jinja2.BytecodeCache | None:
    """Return where compiled templates are kept: beside them, as compiled modules are."""
    folder = Path(__file__).parent / "templates/__pycache__"
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return jinja2.FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("evaluator.site"),
    bytecode_cache=compiled_templates(),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def load_templates() -> None:
    """Load all templates now, while there is time, instead of each when it is first filled in."""
    for name in _ENVIRONMENT.list_templates(extensions=["html"]):
        _ENVIRONMENT.get_template(name)


def render(template: str, **values: Any) -> str:
    return _ENVIRONMENT.get_template(template).render(**values)


def link_text(url: str, length: int = 40) -> str:
    """Return what stands for a link in a table: without the scheme, and not too long."""
    text = url.partition("://")[2].removeprefix("www.").rstrip("/")
    return text if len(text) <= length else f"{text[: length - 1]}…"


_ENVIRONMENT.filters.update(
    size=wording.size,
    seconds=wording.seconds,
    moment=wording.moment,
    answer=fact_sheet.answer_text,
    fact_text=facts.fact_text,
    link_text=link_text,
    line=plain_text.value_line,
)
# Templates may call every public function of these modules, by its name.
for _module in (
    facts,
    wording,
    facets,
    navigation,
    security_policy,
    sharing,
    view,
    picture,
    ablation,
    comparison,
    difficulty,
    ranking_note,
    timeline,
    usage,
    wording,
):
    _ENVIRONMENT.globals.update(
        (name, value)
        for name, value in vars(_module).items()
        if callable(value) and getattr(value, "__module__", "") == _module.__name__
    )
_ENVIRONMENT.globals.update(
    shared_items=shared_items,
    no_code=navigation.NO_CODE,
    slug=quantities.slug,
    participant=submit.PARTICIPANT,
    name=submit.NAME,
    takes=submit.takes,
    rank_spans=insight().rank_spans,
    **insight().template_functions,
)
