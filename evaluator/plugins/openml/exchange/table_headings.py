"""Headings of a plain table -> what is below each: a method, a score, an answer, a source."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.plugins.openml.exchange.reporting import plain_name


class HeadingPlace(NamedTuple):
    """What is below a heading."""

    what: Literal["method", "task", "score", "deviation", "answer", "source", "url", "description"]
    key: str = ""
    """Of the column, or of the question."""
    task: str = ""
    """Slug; empty where another heading, or the phase's only task, says it."""


_NAMES: Mapping[str, HeadingPlace] = {
    **dict.fromkeys(("method", "model", "name", "title", "framework"), HeadingPlace("method")),
    **dict.fromkeys(("task", "dataset", "data-set"), HeadingPlace("task")),
    **dict.fromkeys(("source", "reference"), HeadingPlace("source")),
    **dict.fromkeys(("url", "source-url", "link"), HeadingPlace("url")),
    **dict.fromkeys(("description", "note", "notes"), HeadingPlace("description")),
}
_DEVIATIONS = ("deviation", "std", "sd", "stdev")


def place_headings(
    headings: Sequence[str], benchmark: Benchmark, phase: Phase, asked: Mapping[str, str]
) -> dict[str, HeadingPlace]:
    """Places of headings, as ``asked`` or by name. Raises UsageError."""
    all_places = _all_places(benchmark, phase)
    lost = sorted(set(asked) - set(headings))
    if lost:
        raise UsageError(f"the table has no column '{lost[0]}'",
                         hint=f"It has: {', '.join(headings)}.")  # fmt: skip
    places: dict[str, HeadingPlace] = {}
    for heading in headings:
        name = asked.get(heading, heading)
        place = all_places.get(plain_name(name))
        if place is None and heading in asked:
            message = f"'{name}' is no column, question or other place of {benchmark.name}"
            raise UsageError(message, hint=f"There are: {', '.join(sorted(all_places))}.")
        if place is not None:
            places[heading] = place
    methods = [heading for heading, place in places.items() if place.what == "method"]
    if not methods:
        first = next((heading for heading in headings if heading not in places), None)
        if first is not None:
            places = {first: HeadingPlace("method"), **places}
    elif "title" in map(plain_name, methods) and len(methods) > 1:
        places = {h: p for h, p in places.items() if p.what != "method" or plain_name(h) == "title"}
    _check(places, benchmark, phase)
    return places


def _all_places(benchmark: Benchmark, phase: Phase) -> dict[str, HeadingPlace]:
    """The place of every name; names of the benchmark's own go first."""
    places: dict[str, HeadingPlace] = {}
    for name, place in (
        *_scores(benchmark, phase),
        *(
            (f"fact-sheet-{q.key}", HeadingPlace("answer", q.key))
            for q in benchmark.fact_sheet.values()
        ),
        *((q.key, HeadingPlace("answer", q.key)) for q in benchmark.fact_sheet.values()),
        *((q.title, HeadingPlace("answer", q.key)) for q in benchmark.fact_sheet.values()),
        *_NAMES.items(),
    ):
        places.setdefault(plain_name(name), place)
    return places


def _scores(benchmark: Benchmark, phase: Phase) -> Iterator[tuple[str, HeadingPlace]]:
    rules = benchmark.boards[phase.slug]
    columns = [column for column in rules.columns if column.key in rules.score_keys]
    tasks = [(name, task.slug) for task in phase.tasks for name in (task.slug, task.name)]
    for column in columns:
        for name in (column.key, column.title):
            for before, task in (("", ""), *((f"{title} ", slug) for title, slug in tasks)):
                yield f"{before}{name}", HeadingPlace("score", column.key, task)
                for word in _DEVIATIONS:
                    yield f"{before}{name} {word}", HeadingPlace("deviation", column.key, task)
    compared = rules.ranked_by or rules.primary
    if compared.key in rules.score_keys:
        for title, slug in tasks:
            yield title, HeadingPlace("score", compared.key, slug)


def _check(places: Mapping[str, HeadingPlace], benchmark: Benchmark, phase: Phase) -> None:
    for place in set(places.values()):
        headings = [heading for heading, other in places.items() if other == place]
        if len(headings) > 1:
            raise UsageError(
                f"the columns '{headings[0]}' and '{headings[1]}' mean the same: {place.what} "
                f"{place.key}".rstrip(),
                hint=f"Say what another one is with --column '{headings[1]}=NAME', or rename it.",
            )
    if not any(place.what == "method" for place in places.values()):
        raise UsageError("no column of the table names the methods",
                         hint="Say which one does with --column 'HEADING=method'.")  # fmt: skip
    if not any(place.what == "score" for place in places.values()):
        keys = ", ".join(benchmark.boards[phase.slug].score_keys)
        raise UsageError(
            f"no column of the table is a column of {benchmark.name} in '{phase.name}'",
            hint=f"Its columns are {keys}; say which is which with --column 'HEADING=KEY'.",
        )
