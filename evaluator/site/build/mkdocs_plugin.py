"""All that speaks to MkDocs: a plugin with the generated pages, and who calls MkDocs for frames.

``mkdocs build`` alone makes the whole site.

Pages of benchmarks go through MkDocs. Those of submissions and participants, of which there may
be thousands, are filled into one page of their depth that MkDocs rendered: a page costs what
writing its file costs.
"""

import contextlib
import logging
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

from mkdocs.config import load_config
from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor, InvalidInputError, Problem, UsageError
from evaluator.core.formats.cache import Cache, cache_key, digest_of_files, digest_of_programs
from evaluator.core.formats.content_cache import ContentCache
from evaluator.core.formats.schema import dump_yaml
from evaluator.site import pages
from evaluator.site.build.inputs import CONFIGURATION
from evaluator.site.build.output import COMPUTED, Output
from evaluator.site.build.scheduler import Scheduler
from evaluator.site.build.search import SECTIONS, write_search
from evaluator.site.build.writing import PageFiller, board_files, other_files, write_pages
from evaluator.site.content.content import Deployment
from evaluator.site.content.reading import read_site
from evaluator.site.pages.frames import (
    DEPTHS,
    TITLE,
    frame_path,
    hole,
    remove_frames,
    titled,
    with_skip_link,
    without_idle,
    without_indents,
)
from evaluator.site.pages.overview import BENCHMARKS
from evaluator.site.pages.page import plain
from evaluator.site.pages.people import PEOPLE
from evaluator.site.pages.scripts import asset_files
from evaluator.site.pages.security_policy import with_policy

_IN_NAVIGATION = {"Benchmarks": f"{BENCHMARKS}/index.md", "People": f"{PEOPLE}/index.md"}
"""Entry of mkdocs.yml -> the generated page that it leads to."""
_HIDDEN = ["toc", "navigation"]
"""Boards are wide, and each page of a benchmark leads to the others."""
_PACKAGE = Path(pages.__file__).parent
"""Where styles, scripts and frames come from, so that they fit the pages of any repository."""
_STYLES = ("assets/pullbench.css",)
_SCRIPTS = "assets/sort.js"
_MODULES = ("assets/board.js",)
_PICTURES = (".svg", ".png", ".webp", ".jpg", ".jpeg", ".gif")
_SLIM = "slim.html"
_ROOTS = ("benchmarks", "submissions", "pyproject.toml")
"""What pages are made of beside the site's sources."""
MAX_WATCHED = 10_000
"""Files up to which they are watched: MkDocs looks at each twice a second."""
_LOG = get_plugin_logger("pullbench")
_FRAMES = {f"{frame_path(depth)}.md" for depth in DEPTHS}
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


def configured(deployment: Deployment, config: MkDocsConfig) -> Deployment:
    """Add what mkdocs.yml says; the logo's path is from the pages. Raises InvalidInputError."""
    pages, path = Path(config.docs_dir).resolve(), deployment.look.logo
    file = Path(config.config_file_path or "").resolve().parent / path
    is_picture = file.suffix.lower() in _PICTURES and file.is_file()
    if path and not (is_picture and file.resolve().is_relative_to(pages)):
        raise InvalidInputError(
            [
                Problem(
                    file="pyproject.toml", key="tool.pullbench.site.logo", actor=Actor.ORGANISER,
                    message=f"'{path}' is not a picture in {pages.name}/",
                    hint=f"Put a file there that ends with {', '.join(_PICTURES)}.",
                )
            ]
        )  # fmt: skip
    logo = file.resolve().relative_to(pages).as_posix() if path else ""
    return replace(
        deployment, name=config.site_name, address=config.site_url or "",
        look=deployment.look.model_copy(update={"logo": logo}),
    )  # fmt: skip


def load_site_config(root: Path) -> MkDocsConfig:
    file = root / CONFIGURATION
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    config = load_config(str(file), strict=True)
    if "pullbench" not in config.plugins:
        raise UsageError(f"{file} lacks the plugin `pullbench`", hint="Add it below `plugins:`.")
    return config


@contextlib.contextmanager
def mkdocs_errors() -> Iterator[None]:
    try:
        yield
    except MkDocsException as error:
        raise UsageError(f"the site cannot be built: {error}") from None


def _watched(root: Path) -> list[str]:
    folders = [root / folder for folder in _ROOTS if (root / folder).exists()]
    files = (file for path in folders for file in path.rglob("*"))
    if next(islice(files, MAX_WATCHED, None), None) is None:
        return [str(path) for path in folders]
    _LOG.warning(
        f"More than {MAX_WATCHED:,} files below {', '.join(_ROOTS[:2])}: they are not "
        "watched. Start anew to see what changed there."
    )
    return []


class PullbenchPlugin(BasePlugin):  # type: ignore[type-arg,no-untyped-call]
    """Adds everything that comes from the repository's benchmarks, submissions and records."""

    _filler: PageFiller
    _leaves_open = False
    _is_served = False

    def leave_open(self, filler: PageFiller) -> None:
        self._filler = filler
        self._leaves_open = True

    def on_startup(self, *, command: str, **_: Any) -> None:
        self._is_served = command == "serve"

    def on_shutdown(self) -> None:
        self._leaves_open = False  # MkDocs uses the same object in its next build

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        if not self._leaves_open:
            root = Path(config.config_file_path or "mkdocs.yml").resolve().parent
            contents, deployment = read_site(root, utc_now(), Cache(root / COMPUTED))
            self._filler = PageFiller(contents, configured(deployment, config))
            config.watch += _watched(root) if self._is_served else []
        self._pages = self._filler.pages
        self._is_slim = config.theme.name == "material"
        if logo := self._filler.site.look.logo:
            config.theme["logo"] = config.theme["favicon"] = logo
        config.theme.dirs.insert(0, str(_PACKAGE / "theme"))
        # First, so that a deployment's own styles have the last word.
        config.extra_css[:0] = _STYLES
        modules = [ExtraScriptValue(name) for name in _MODULES]
        for module in modules:
            module.type = "module"
        config.extra_javascript[:0] = [_SCRIPTS, *modules]
        if "navigation.tabs" in config.theme.get("features", ()):
            config.theme["features"].remove("navigation.tabs")  # the header has them
        for entry in config.nav or []:
            if isinstance(entry, dict):
                entry.update(
                    (name, _IN_NAVIGATION[name]) for name in entry if name in _IN_NAVIGATION
                )
        return config

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        for asset, content in asset_files(self._filler.site.look.accent):
            if files.get_file_from_path(asset) is None:
                files.append(File.generated(config, asset, content=content))
        generated = {
            source: {"title": plain(page.title), "hide": _HIDDEN}
            for source, page in self._pages.items()
        }
        frame = {"title": TITLE, "hide": _HIDDEN, "search": {"exclude": True}}
        if self._is_slim:
            frame["template"] = _SLIM
        aside = InclusionLevel.NOT_IN_NAV
        for source, meta in (generated | dict.fromkeys(sorted(_FRAMES), frame)).items():
            # A navigation that named them all would stand on each of them.
            level = InclusionLevel.INCLUDED if source in _IN_NAVIGATION.values() else aside
            head = b"---\n%b---\n" % dump_yaml(meta)
            files.append(File.generated(config, source, content=head, inclusion=level))
        for old, new in config.extra.get("moved", {}).items():
            if files.get_file_from_path(new.partition("#")[0]) is None:
                continue  # a site of these settings that has other pages
            above = dump_yaml({"title": "Moved", "search": {"exclude": True}}).decode()
            way = f"{'../' * old.count('/')}{new}"
            text = f"---\n{above}---\n# Moved\n\nThis is now on [another page]({way}).\n"
            files.append(File.generated(config, old, content=text, inclusion=aside))
        return files

    def on_page_content(self, text: str, page: Page, **_: Any) -> str:
        generated = self._pages.get(page.file.src_uri)
        if generated is not None:
            return hole(generated.searched)
        return hole(f"<h1>{TITLE}</h1>") if page.file.src_uri in _FRAMES else text

    def on_post_page(self, output: str, page: Page, **_: Any) -> str:
        if page.file.src_uri in _FRAMES:
            output = without_idle(output) if self._is_slim else output
            return self._guarded(without_indents(with_skip_link(output)))
        output = self._guarded(output)
        generated = self._pages.get(page.file.src_uri)
        if generated:
            return titled(with_skip_link(output), generated.title)
        return titled(output, page.title or "")

    def on_post_template(self, output: str, template_name: str, **_: Any) -> str:
        """Guard pages that no source stands for, such as the one for what is not found."""
        return self._guarded(output) if template_name.endswith(".html") else output

    def _guarded(self, page: str) -> str:
        return page if self._is_served else with_policy(page)

    def on_post_build(self, config: MkDocsConfig) -> None:
        if self._leaves_open:
            return
        folder = Path(config.site_dir)
        output = Output(folder)
        scheduler = Scheduler(output)
        contents, site = self._filler.contents, self._filler.site
        write_pages(folder, self._filler, output, scheduler)
        remove_frames(folder)
        scheduler.start([*board_files(contents, output), *other_files(contents, site, output)])
        write_search(contents, folder, output)
        (folder / SECTIONS).unlink(missing_ok=True)  # it is in the index, and no page asks for it
        scheduler.finish()


def render_frames(config: MkDocsConfig, filler: PageFiller, folder: Path) -> Path:
    """The folder of what MkDocs renders of a site whose generated pages are left open.

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
        try:
            build(config)
        finally:
            config.plugins.on_shutdown()

    for last in folder.glob("*"):
        if last.name != inputs:
            shutil.rmtree(last, ignore_errors=True)
    return ContentCache(folder).folder(inputs, run_mkdocs)


def sources_of(config: MkDocsConfig) -> list[str] | None:
    """The folders that MkDocs reads beside its file; None where that cannot be told."""
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
