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

from evaluator.core.formats.answer_forms import link_text
from evaluator.core.formats.fact_sheet import answer_text
from evaluator.core.formats.plain_text import value_line
from evaluator.core.formats.quantities import slug
from evaluator.core.leaderboard.facts import check_claim, fact, fact_columns, fact_text, goal_lines
from evaluator.core.leaderboard.wording import (
    best_method,
    bests,
    entered,
    moment,
    seconds,
    size,
    time_limit,
)
from evaluator.site.code_links import NO_CODE, code_links, code_text
from evaluator.site.detail_pages import detail_file
from evaluator.site.exports.logo import logo_name
from evaluator.site.facets import board_facets, dataset_facets
from evaluator.site.insight import insight
from evaluator.site.leaderboard.ablation import ablations
from evaluator.site.leaderboard.duplicates import same_predictions
from evaluator.site.leaderboard.ranking_note import ranked_by, ranking_note
from evaluator.site.leaderboard.timeline import story
from evaluator.site.leaderboard.versus import board_folder, shown_number, states_ranks
from evaluator.site.navigation import group_of, page_groups
from evaluator.site.resources import near_column, resource_columns
from evaluator.site.sharing import reproduction, submission_citation
from evaluator.site.statistics.difficulty import difficulties
from evaluator.site.submit import NAME, PARTICIPANT, takes
from evaluator.site.view import detailed_task, row_marks, span_title, static_rows

_ITEM = re.compile(r"<li>.*?</li>", re.DOTALL)


class SharedItems(NamedTuple):
    """Items of lists as HTML: those of all lists, and the others of each."""

    shared: Markup
    others: list[Markup]


def shared_items(lists: Sequence[str]) -> SharedItems:
    """Split lists of HTML by what is the same in all of them."""
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
    """Fill in a template of this package."""
    return _ENVIRONMENT.get_template(template).render(**values)


_ENVIRONMENT.filters.update(
    size=size,
    seconds=seconds,
    moment=moment,
    answer=answer_text,
    fact_text=fact_text,
    link_text=link_text,
    line=value_line,
)
_ENVIRONMENT.globals.update(
    ablations=ablations,
    board_folder=board_folder,
    detail_file=detail_file,
    shared_items=shared_items,
    story=story,
    reproduction=reproduction,
    shown_number=shown_number,
    states_ranks=states_ranks,
    bests=bests,
    board_facets=board_facets,
    dataset_facets=dataset_facets,
    best_method=best_method,
    ranked_by=ranked_by,
    entered=entered,
    page_groups=page_groups,
    group_of=group_of,
    difficulties=difficulties,
    fact=fact,
    fact_columns=fact_columns,
    resource_columns=resource_columns,
    code_links=code_links,
    code_text=code_text,
    no_code=NO_CODE,
    near_column=near_column,
    goal_lines=goal_lines,
    submission_citation=submission_citation,
    detailed_task=detailed_task,
    ranking_note=ranking_note,
    row_marks=row_marks,
    span_title=span_title,
    rank_spans=insight().rank_spans,
    static_rows=static_rows,
    time_limit=time_limit,
    check_claim=check_claim,
    same_predictions=same_predictions,
    logo_name=logo_name,
    slug=slug,
    participant=PARTICIPANT,
    name=NAME,
    takes=takes,
)
_ENVIRONMENT.globals.update(insight().template_functions)
