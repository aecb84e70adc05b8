"""Runs MkDocs, or uses what it rendered before of the same sources.

MkDocs takes seconds, whatever changed. What it renders are frames without anything of records in
them; so it has nothing to do where a record is all that is new.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from mkdocs.commands.build import build
from mkdocs.config.defaults import MkDocsConfig

from evaluator.core.formats.cache_files import cache_key, digest_of_files
from evaluator.core.formats.verified import Verifier
from evaluator.site.content import PageContent
from evaluator.site.fingerprints import of_programs
from evaluator.site.mkdocs_plugin import PullbenchPlugin
from evaluator.site.writing import PageFiller

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


def render_frames(config: MkDocsConfig, filler: PageFiller, cache: Path) -> Path:
    """Return the folder of what MkDocs renders of a site whose generated pages are left open."""
    folder = cache / "frames"
    files = folder / "files"
    inputs = _inputs(config, filler.pages)
    verifier = Verifier()
    if inputs and verifier.is_intact(folder, inputs):
        return files
    shutil.rmtree(folder, ignore_errors=True)
    config.site_dir = str(files)
    plugin = cast("PullbenchPlugin", config.plugins["pullbench"])
    plugin.leave_open(filler)
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    config.plugins.on_shutdown()
    if inputs:
        verifier.finish(folder, inputs)
    return files


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


def _inputs(config: MkDocsConfig, pages: Mapping[str, PageContent]) -> str:
    """Digest of everything that MkDocs reads; empty where that cannot be told."""
    sources = sources_of(config)
    if sources is None:
        return ""
    return cache_key(
        of_programs(), Path(config.config_file_path or "").read_bytes(),
        *(digest_of_files(Path(source)) for source in sources),
        *(
            part for source, page in sorted(pages.items())
            for part in (source, page.title, page.searched)
        ),
    )  # fmt: skip
