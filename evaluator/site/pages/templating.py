"""Templates of this package, and what they may call.

Everything that a stranger wrote is text here: autoescaped.
"""

import os
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import jinja2

from evaluator.core.formats import fact_sheet, plain_text, quantities
from evaluator.core.leaderboard import facts
from evaluator.site.boards import (
    ablation,
    board_columns,
    comparison,
    difficulty,
    drift,
    facets,
    ranking_note,
    timeline,
    usage,
    view_numbers,
    wording,
)
from evaluator.site.boards.exports import badges, picture
from evaluator.site.content.forge import NO_CODE
from evaluator.site.content.insight import Missing, insight
from evaluator.site.pages import navigation, security_policy, sharing, submit, task_lines


def compiled_templates() -> jinja2.BytecodeCache | None:
    """Where compiled templates are kept: beside them, as compiled modules are."""
    folder = Path(__file__).parent / "templates/__pycache__"
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return jinja2.FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


class _Environment(jinja2.Environment):
    def make_globals(self, _: Any) -> MutableMapping[str, Any]:
        """The same names for each template: each import compares them, a chain slowly."""
        return self.globals


_ENVIRONMENT = _Environment(
    loader=jinja2.PackageLoader("evaluator.site.pages"),
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
    """What stands for a link in a table: without the scheme, and not too long."""
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
_ENVIRONMENT.tests["missing"] = lambda value: isinstance(value, Missing)
# Templates may call every public function of these modules, by its name.
for _module in (
    facts, facets, navigation, security_policy, sharing, task_lines, view_numbers, badges, picture,
    ablation, board_columns, comparison, difficulty, drift, ranking_note, timeline, usage, wording,
):  # fmt: skip
    _ENVIRONMENT.globals.update(
        (name, value)
        for name, value in vars(_module).items()
        if callable(value) and getattr(value, "__module__", "") == _module.__name__
    )
_ENVIRONMENT.globals.update(
    no_code=NO_CODE,
    slug=quantities.slug,
    participant=submit.PARTICIPANT,
    name=submit.NAME,
    takes=submit.takes,
    rank_spans=insight().rank_spans,
    **insight().template_functions,
)
