"""Builds the site: everything is read, then analysed, then rendered, then written."""

import datetime as dt
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from evaluator.core.clock import utc_now
from evaluator.core.errors import UsageError
from evaluator.core.formats.cache import Cache
from evaluator.core.formats.content_cache import locked_file
from evaluator.core.formats.repository_status import read_report
from evaluator.core.git.tree import Tree, begin_reading
from evaluator.core.processes import Tasks
from evaluator.site.boards.wording import bests
from evaluator.site.build.inputs import CONFIGURATION, digest_of_inputs
from evaluator.site.build.mkdocs_plugin import (
    configured,
    load_site_config,
    mkdocs_errors,
    render_frames,
    sources_of,
)
from evaluator.site.build.output import CACHE, COMPUTED, Inputs, Output
from evaluator.site.build.scheduler import Scheduler
from evaluator.site.build.search import FOLDER as SEARCH
from evaluator.site.build.search import write_search
from evaluator.site.build.writing import PageFiller, board_files, other_files, write_pages
from evaluator.site.content.content import BenchmarkContent
from evaluator.site.content.left_out import attempt, listing
from evaluator.site.content.reading import read_site
from evaluator.site.pages.templating import load_templates


class BuiltSite(NamedTuple):
    """A site, and what it shows."""

    folder: Path
    contents: list[BenchmarkContent]
    left_out: Mapping[str, str]
    """Path of what could not be made -> why; everything else is there."""


def build_site(root: Path, tree: Tree | None = None, queue: bytes = b"") -> BuiltSite:
    """Build the site as ``mkdocs build --strict`` does, and write only what changed.

    ``tree`` is the working tree, where somebody has read it, and ``queue`` what ``pullbench pr
    list --json`` said. Raises UsageError.
    """
    with mkdocs_errors(), _lock(root), listing() as left_out:
        cache = Cache(root / COMPUTED)
        config = load_site_config(root)
        folder = Path(config.site_dir)
        previous = Tasks([partial(Output, folder, cache)])  # in another process
        load_templates()
        tree, now = tree or begin_reading(root)(), utc_now()
        sources = sources_of(config)
        inputs = "" if sources is None else digest_of_inputs(root, tree, sources, queue)
        contents, deployment = read_site(root, now, cache, tree)
        deployment = replace(configured(deployment, config), queue=read_report(queue))
        (output,) = previous.results()
        scheduler = Scheduler(output)
        _analyse(contents, output, scheduler)
        scheduler.start(other_files(contents, deployment, output))
        filler = PageFiller(contents, deployment)
        frames = render_frames(config, filler, root / CACHE / "frames")
        search = partial(write_search, contents, frames, output)
        scheduler.start([partial(attempt, SEARCH, search, None)])
        write_pages(frames, filler, output, scheduler)
        scheduler.finish()
        output.make_again(left_out)
        made_of = None
        if sources is not None and not left_out:
            phases = [phase for item in contents for phase in item.benchmark.phases]
            since, until = steady_time(now, [at for one in phases for at in (one.start, one.end)])
            made_of = Inputs(digest=inputs, sources=sources, since=since, until=until)
        output.finish(cache, made_of)
        if not left_out:
            cache.tidy()
    return BuiltSite(folder, contents, left_out)


def _analyse(contents: list[BenchmarkContent], output: Output, scheduler: Scheduler) -> None:
    shares = [
        partial(attempt, f"{item.benchmark.path}/confidence", item.compute, None)
        for item in contents
    ]
    scheduler.start([*shares, *board_files(contents, output)])
    for item in contents:
        attempt(f"{item.benchmark.path}/analysis", partial(_analyse_boards, item), None)
    results = scheduler.finish()[: len(contents)]
    for item, computed in zip(contents, results, strict=True):
        if computed is not None:
            certain = partial(item.set_computed, computed)
            attempt(f"{item.benchmark.path}/confidence", certain, None)


def _analyse_boards(content: BenchmarkContent) -> None:
    content.analyse()
    for board in content.boards:
        bests(board)


def _lock(root: Path) -> AbstractContextManager[None]:
    """Let one build at a time use what others left."""
    if not (root / CONFIGURATION).exists():
        raise UsageError(
            f"{root} has no mkdocs.yml", hint="Run this at the root of a benchmark repository."
        )
    return locked_file(root / CACHE / "lock")


def steady_time(
    now: dt.datetime, boundaries: Iterable[dt.datetime | None]
) -> tuple[dt.datetime, dt.datetime]:
    """The time around ``now`` within which no boundary lies."""
    times = [one for one in boundaries if one is not None]
    past, future = dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)
    return (
        max((one for one in times if one <= now), default=past),
        min((one for one in times if one > now), default=future),
    )
