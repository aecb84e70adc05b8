"""MkDocs plugin: the site's generated pages, so that ``mkdocs build`` alone makes the whole site.

Pages of benchmarks go through MkDocs. Those of submissions, of which there may be thousands, are
filled into one page that MkDocs rendered: a page costs what writing its file costs.
"""

import html
from dataclasses import replace
from pathlib import Path
from typing import Any

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from evaluator import website
from evaluator.board import files, pages, people
from evaluator.board.former_pages import former_pages
from evaluator.board.heads import Heads
from evaluator.board.sitemap import sitemap_files
from evaluator.clock import utc_now
from evaluator.schemas import schema_files

_SHELL = "benchmarks/_/submissions/_/_"
"""As deep as a submission's page, so that its relative addresses fit."""
_PEOPLE = f"{people.PEOPLE}/_"
"""The same for pages of participants. No participant is called so."""
_FORMER = "benchmarks/_/history/_"
"""The same for boards as they were."""
_SHELLS = tuple(f"{path}.md" for path in (_SHELL, _PEOPLE, _FORMER))
_TITLE = "pullbench-title-of-the-page"
_BODY = "<!-- pullbench: content of the page -->"
_MAX_SEARCHED = 100_000
"""Characters of a generated page that search still goes through: a large board would be the
greater part of an index that every search loads."""
_CARDS = '<div data-pullbench="cards"></div>'
_NAVIGATION = "Benchmarks"
_HIDDEN = ["toc", "navigation"]
"""Boards are wide, and each page of a benchmark leads to the others."""
_PACKAGE = Path(pages.__file__).parent
"""Where styles and scripts come from, so that they fit the pages whatever repository this is."""
_ASSETS = tuple(f"assets/{file.name}" for file in sorted((_PACKAGE / "assets").iterdir()))
"""Modules that others import are files of the site and no scripts of its pages."""
_STYLES = sorted(
    (name for name in _ASSETS if name.endswith(".css")),
    key=lambda name: (name != "assets/pullbench.css", name),
)
"""The general ones first: those of parts of pages have the last word."""
_SCRIPTS = "assets/sort.js"
_MODULE = "assets/board.js"


class PullbenchPlugin(BasePlugin):  # type: ignore[type-arg,no-untyped-call]
    """Adds everything that comes from the repository's benchmarks, submissions and records."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read the repository and put the benchmarks into the navigation."""
        root = Path(config.config_file_path or "mkdocs.yml").resolve().parent
        self._content, found = website.content(root, utc_now())
        self._site = replace(found, name=config.site_name, address=config.site_url or "")
        self._pages = {
            f"{page.path}/index.md": page
            for item in self._content
            for page in pages.benchmark_pages(item, self._site)
        }
        self._heads = Heads(self._content, self._site)
        self._paths: list[str] = []
        # First, so that a deployment's own styles have the last word.
        config.extra_css[:0] = _STYLES
        module = ExtraScriptValue(_MODULE)
        module.type = "module"
        config.extra_javascript[:0] = [_SCRIPTS, module]
        status = pages.status_page(self._site)
        self._pages[f"{status.path}/index.md"] = status
        for entry in config.nav or []:
            if isinstance(entry, dict) and _NAVIGATION in entry:
                entry[_NAVIGATION] = self._navigation()
        return config

    def _navigation(self) -> list[dict[str, Any]]:
        sections = []
        for item in self._content:
            prefix = f"{item.benchmark.path}/"
            entries = [
                {pages.plain(page.navigation): source}
                for source, page in self._pages.items()
                if source.startswith(prefix) and page.navigation
            ]
            sections.append({pages.plain(item.benchmark.title): entries})
        return sections

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add a source for each generated page, and what pages look like."""
        for asset in _ASSETS:
            if files.get_file_from_path(asset) is None:
                files.append(File.generated(config, asset, content=(_PACKAGE / asset).read_bytes()))
        for source in (*self._pages, *_SHELLS):
            files.append(File.generated(config, source, content=""))
        return files

    def on_page_markdown(self, text: str, page: Page, **_: Any) -> str:
        """Give generated pages their titles."""
        generated = self._pages.get(page.file.src_uri)
        if generated is not None:
            page.meta.update(title=pages.plain(generated.title), hide=_HIDDEN)
            if len(generated.html) > _MAX_SEARCHED:
                page.meta["search"] = {"exclude": True}
        elif page.file.src_uri in _SHELLS:
            page.meta.update(title=_TITLE, hide=_HIDDEN, search={"exclude": True})
        return text

    def on_page_content(self, text: str, page: Page, **_: Any) -> str:
        """Give generated pages their content."""
        generated = self._pages.get(page.file.src_uri)
        if generated is not None:
            return generated.html
        if page.file.src_uri in _SHELLS:
            return f"<h1>{_TITLE}</h1>{_BODY}"
        if _CARDS in text:
            return text.replace(_CARDS, pages.cards(self._content, self._site))
        return text

    def on_post_page(self, output: str, page: Page, **_: Any) -> str:
        """Tell machines in each page's head what it is."""
        if page.file.src_uri in _SHELLS:
            return self._heads.bare(output)
        path = page.url.strip("/.")
        self._paths.append(f"{path}/" if path else "")
        generated = self._pages.get(page.file.src_uri)
        return self._heads.into(output, path, generated.title if generated else page.title or "")

    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write submissions' pages, and the files for machines."""
        site = Path(config.site_dir)
        shell = _taken(site, _SHELL)
        for item in self._content:
            for page in pages.submission_pages(item, self._site):
                _write(site / page.path / "index.html", self._filled(shell, page))
            for path, content in files.data_files(item, self._site):
                _write(site / path, content)
        shell = _taken(site, _FORMER)
        for item in self._content:
            for page in former_pages(item, self._site):
                _write(site / page.path / "index.html", self._filled(shell, page))
        shell = _taken(site, _PEOPLE)
        for page in people.participant_pages(self._content, self._site):
            _write(site / page.path / "index.html", self._filled(shell, page))
        for path, content in (*schema_files(), *files.site_files(self._content, self._site)):
            _write(site / path, content)
        self._write_sitemap(site)

    def _filled(self, shell: tuple[str, str], page: pages.PageContent) -> bytes:
        """Fill a page's content, title and head into a shell."""
        self._paths.append(f"{page.path}/")
        head, body = (part.replace(_TITLE, html.escape(page.title)) for part in shell)
        tags = self._heads.tags(page.path, page.title)
        return "".join((head.replace("</head>", f"{tags}</head>", 1), page.html, body)).encode()

    def _write_sitemap(self, site: Path) -> None:
        """Name all pages, which MkDocs knows in part; a deployment's own robots.txt stays."""
        own = {"robots.txt"} if (site / "robots.txt").exists() else set()
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (site / name).unlink(missing_ok=True)
        for path, content in sitemap_files(self._site.address, list(dict.fromkeys(self._paths))):
            if path not in own:
                _write(site / path, content)


def _taken(site: Path, shell: str) -> tuple[str, str]:
    """Take a page that MkDocs rendered off the site: what stands before the content, and after."""
    file = site / shell / "index.html"
    text = file.read_text(encoding="utf-8")
    file.unlink()
    for folder in file.parents[: len(Path(shell).parts)]:
        if not any(folder.iterdir()):
            folder.rmdir()
    head, body = text.replace(f"<h1>{_TITLE}</h1>", "").split(_BODY)
    return head, body


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
