"""Builds the site: everything is read, then analysed, then rendered, then written."""

import contextlib
import datetime as dt
import fcntl
import logging
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from evaluator.core.clock import utc_now
from evaluator.core.errors import UsageError
from evaluator.core.formats.cache import Cache, cache_key, digest_of_files, digest_of_programs
from evaluator.core.formats.content_cache import ContentCache
from evaluator.core.formats.repository_status import read_report
from evaluator.core.git.tree import Tree, begin_reading
from evaluator.core.processes import Tasks
from evaluator.site.boards.wording import bests
from evaluator.site.build.inputs import CONFIGURATION, digest_of_inputs
from evaluator.site.build.mkdocs_plugin import PullbenchPlugin, configured
from evaluator.site.build.output import CACHE, COMPUTED, Inputs, Output
from evaluator.site.build.scheduler import Scheduler
from evaluator.site.build.search import FOLDER as SEARCH
from evaluator.site.build.search import write_search
from evaluator.site.build.writing import PageFiller, board_files, other_files, write_pages
from evaluator.site.content.anonymity import nameless_report, names_from
from evaluator.site.content.content import BenchmarkContent
from evaluator.site.content.left_out import attempt, listing
from evaluator.site.content.reading import read_site
from evaluator.site.pages.templating import load_templates

_PLUGINS = {"search", "material/search", "pullbench"}
_EXTENSIONS = {
    "toc", "tables", "fenced_code", "admonition", "attr_list", "md_in_html", "def_list", "abbr",
    "footnotes", "sane_lists", "smarty", "meta", "codehilite", "pymdownx.superfences",
    "pymdownx.highlight", "pymdownx.inlinehilite", "pymdownx.details", "pymdownx.tabbed",
    "pymdownx.tasklist", "pymdownx.keys", "pymdownx.mark", "pymdownx.tilde", "pymdownx.caret",
    "pymdownx.betterem", "pymdownx.smartsymbols", "pymdownx.arithmatex", "pymdownx.emoji",
}  # fmt: skip
"""Extensions that read nothing beside the page."""
_ELSEWHERE = (b"INHERIT", b"!ENV", b"!relative")
"""Words of a configuration that is not whole in its file."""


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
    with _mkdocs_errors(), _locked(root), listing() as left_out:
        cache = Cache(root / COMPUTED)
        config = _load_config(root)
        folder = Path(config.site_dir)
        previous = Tasks([partial(Output, folder, cache)])  # in another process
        load_templates()
        tree, now = tree or begin_reading(root)(), utc_now()
        sources = sources_of(config)
        inputs = "" if sources is None else digest_of_inputs(root, tree, sources, queue)
        contents, deployment = read_site(root, now, cache, tree)
        report = read_report(queue)
        if report is not None and any(item.anonymous for item in contents):
            report = nameless_report(report)
        deployment = replace(configured(deployment, config), queue=report)
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
            since, until = steady_time(
                now, [at for one in phases for at in (one.start, one.end, names_from(one))]
            )
            made_of = Inputs(digest=inputs, sources=sources, since=since, until=until)
        output.finish(cache, made_of)
        if not left_out:
            cache.tidy()
    return BuiltSite(folder, contents, left_out)


def _load_config(root: Path) -> MkDocsConfig:
    file = root / CONFIGURATION
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    config = load_config(str(file), strict=True)
    if "pullbench" not in config.plugins:
        raise UsageError(f"{file} lacks the plugin `pullbench`", hint="Add it below `plugins:`.")
    return config


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


@contextlib.contextmanager
def _mkdocs_errors() -> Iterator[None]:
    try:
        yield
    except MkDocsException as error:
        raise UsageError(f"the site cannot be built: {error}") from None


@contextlib.contextmanager
def _locked(root: Path) -> Iterator[None]:
    """Let one build at a time use what others left."""
    if not (root / CONFIGURATION).exists():
        raise UsageError(
            f"{root} has no mkdocs.yml", hint="Run this at the root of a benchmark repository."
        )
    folder = root / CACHE
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def steady_time(
    now: dt.datetime, boundaries: Iterable[dt.datetime | None]
) -> tuple[dt.datetime, dt.datetime]:
    """Return the time around ``now`` within which no boundary lies."""
    times = [one for one in boundaries if one is not None]
    past, future = dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)
    return (
        max((one for one in times if one <= now), default=past),
        min((one for one in times if one > now), default=future),
    )


def render_frames(config: MkDocsConfig, filler: PageFiller, folder: Path) -> Path:
    """Return the folder of what MkDocs renders of a site whose generated pages are left open.

    MkDocs takes seconds, whatever changed. These are frames without anything of records in them;
    so it has nothing to do where a record is all that is new.
    """
    inputs = _inputs_of_frames(config, filler) or secrets.token_hex()  # then never used again

    def run_mkdocs(files: Path) -> None:
        from mkdocs.commands.build import build  # seldom needed

        config.site_dir = str(files)
        plugin = cast("PullbenchPlugin", config.plugins["pullbench"])
        plugin.leave_open(filler)
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
        config.plugins.on_shutdown()

    for last in folder.glob("*"):
        if last.name != inputs:
            shutil.rmtree(last, ignore_errors=True)
    return ContentCache(folder).folder(inputs, run_mkdocs)


def sources_of(config: MkDocsConfig) -> list[str] | None:
    """Return the folders that MkDocs reads beside its file; None where that cannot be told."""
    content = Path(config.config_file_path or "").read_bytes()
    if (
        any(word in content for word in _ELSEWHERE)
        or config.hooks
        or not {*config.plugins} <= _PLUGINS
        or not {*config.markdown_extensions} <= _EXTENSIONS
        or config.theme.name != "material"  # others may say the time of the build on each page
    ):
        return None
    return [one for one in (config.docs_dir, config.theme.custom_dir) if one]


def _inputs_of_frames(config: MkDocsConfig, filler: PageFiller) -> str:
    sources = sources_of(config)
    if sources is None:
        return ""
    return cache_key(
        digest_of_programs(), Path(config.config_file_path or "").read_bytes(),
        repr(filler.site.look),
        *(digest_of_files(Path(source)) for source in sources),
        *(
            part for source, page in sorted(filler.pages.items())
            for part in (source, page.title, page.searched)
        ),
    )  # fmt: skip
