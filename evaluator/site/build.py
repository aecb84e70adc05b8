"""Builds the site: everything is read, then analysed, then rendered, then written."""

import contextlib
import fcntl
import logging
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from evaluator.core.clock import utc_now
from evaluator.core.errors import UsageError
from evaluator.core.formats.cache_files import cache_key
from evaluator.core.git.tree import Tree, begin_reading
from evaluator.core.processes import in_background
from evaluator.site.content import BenchmarkContent
from evaluator.site.frames import read_frames
from evaluator.site.left_out import attempt, listing
from evaluator.site.mkdocs_run import render_frames, sources_of
from evaluator.site.output import Output
from evaluator.site.reading import read_site
from evaluator.site.scheduler import Scheduler
from evaluator.site.search import FOLDER as SEARCH
from evaluator.site.search import write_search
from evaluator.site.templating import load_templates
from evaluator.site.unchanged import (
    CACHE,
    CONFIGURATION,
    LastBuild,
    forget,
    inputs_of,
    note_build,
    steady_time,
)
from evaluator.site.writing import (
    PageFiller,
    board_files,
    other_files,
    write_framed_pages,
    write_lazy_pages,
    write_sitemap,
)


class BuiltSite(NamedTuple):
    """A site, and what it shows."""

    folder: Path
    contents: list[BenchmarkContent]
    left_out: Mapping[str, str]
    """Path of what could not be made -> why; everything else is there."""


def build_site(root: Path, tree: Tree | None = None) -> BuiltSite:
    """Build the site as ``mkdocs build --strict`` does, and write only what changed.

    ``tree`` is the working tree, where somebody has read it. Raises UsageError.
    """
    with _mkdocs_errors(), _locked_cache(root) as cache, listing() as left_out:
        forget(root)
        config = _load_config(root)
        folder = Path(config.site_dir)
        previous = in_background(partial(Output, folder, cache / f"{cache_key(str(folder))}.json"))
        load_templates()
        tree, now = tree or begin_reading(root)(), utc_now()
        sources = sources_of(config)
        inputs = "" if sources is None else inputs_of(root, tree, sources)
        contents, deployment = read_site(root, now, tree)
        deployment = replace(deployment, name=config.site_name, address=config.site_url or "")
        output = previous()
        scheduler = Scheduler(output)
        _analyse(contents, output, scheduler)
        scheduler.start(other_files(contents, deployment, output))
        filler = PageFiller(contents, deployment)
        frames = render_frames(config, filler, cache)
        search = partial(write_search, contents, frames, output)
        scheduler.start([partial(attempt, SEARCH, search, None)])
        paths = write_framed_pages(frames, filler, output)
        paths += write_lazy_pages(read_frames(frames), filler, output, scheduler)
        write_sitemap(deployment.address, paths, {"robots.txt"} & {*output.entries}, output)
        scheduler.finish()
        output.make_again(left_out)
        output.finish()
        if sources is not None and not left_out:
            phases = [phase for item in contents for phase in item.benchmark.phases]
            since, until = steady_time(now, [at for one in phases for at in (one.start, one.end)])
            note = LastBuild(
                inputs=inputs, sources=sources, site=str(folder),
                files=output.listing_digest(), since=since, until=until,
            )  # fmt: skip
            note_build(root, note)
    return BuiltSite(folder, contents, left_out)


def _load_config(root: Path) -> MkDocsConfig:
    file = root / CONFIGURATION
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    config = load_config(str(file), strict=True)
    if "pullbench" not in config.plugins:
        raise UsageError(f"{file} lacks the plugin `pullbench`", hint="Add it below `plugins:`.")
    return config


def _analyse(contents: list[BenchmarkContent], output: Output, scheduler: Scheduler) -> None:
    """Compute all statistics and plots, while another process does its share and writes boards."""
    shares = [
        partial(attempt, f"{item.benchmark.path}/confidence", item.compute, None)
        for item in contents
    ]
    scheduler.start([*shares, *board_files(contents, output)])
    for item in contents:
        attempt(f"{item.benchmark.path}/analysis", item.analyse, None)
    results = scheduler.finish()[: len(contents)]
    for item, computed in zip(contents, results, strict=True):
        if computed is not None:
            item.set_computed(computed)


@contextlib.contextmanager
def _mkdocs_errors() -> Iterator[None]:
    try:
        yield
    except MkDocsException as error:
        raise UsageError(f"the site cannot be built: {error}") from None


@contextlib.contextmanager
def _locked_cache(root: Path) -> Iterator[Path]:
    """Yield the folder of what the next build may use; one build at a time uses it."""
    if not (root / CONFIGURATION).exists():
        raise UsageError(
            f"{root} has no mkdocs.yml", hint="Run this at the root of a benchmark repository."
        )
    folder = root / CACHE
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
