"""Frames, contents and boards -> the files of the site."""

import gzip
import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from xml.sax.saxutils import escape

from evaluator.core.formats.cache import cache_key, digest_of_programs
from evaluator.core.formats.plain_text import one_line
from evaluator.site.boards.exports.feeds import NAME as FEED
from evaluator.site.boards.exports.picture import HEIGHT, WIDTH
from evaluator.site.boards.exports.picture import NAME as PICTURE
from evaluator.site.boards.wording import entered, named
from evaluator.site.build import data_files
from evaluator.site.build.data_files import SCHEMAS, schema_files
from evaluator.site.build.output import Output
from evaluator.site.build.scheduler import Scheduler
from evaluator.site.build.search import SECTIONS
from evaluator.site.content.content import BenchmarkContent, Deployment
from evaluator.site.content.insight import insight
from evaluator.site.content.left_out import NOTICE, attempt
from evaluator.site.pages.benchmark_pages import benchmark_pages, search_page, status_page
from evaluator.site.pages.frames import HOME, Frame, fill, is_frame, read_frames, take_title
from evaluator.site.pages.history_pages import past_board_pages
from evaluator.site.pages.overview import benchmarks_page, home
from evaluator.site.pages.page import LazyPage, PageContent
from evaluator.site.pages.people import PEOPLE, participant_pages, people_page
from evaluator.site.pages.submission_pages import submission_pages

_INDEX = "/index.html"
_MADE_ANEW = ("sitemap.xml", "sitemap.xml.gz", SECTIONS)
"""Files of MkDocs in whose places others stand."""
MAX_ADDRESSES = 50_000
"""Of one list of pages, by sitemaps.org's protocol."""
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
_THEMES = re.compile(r'\s*<meta name="description"[^>]*>|\s*<link rel="canonical"[^>]*>')
_MAX_DESCRIPTION = 280
"""Characters of a description."""
T = TypeVar("T")
Functions = list[Callable[[], Any]]


class PageFiller:
    """Puts what was generated into the pages that MkDocs rendered."""

    def __init__(self, contents: Sequence[BenchmarkContent], site: Deployment) -> None:
        self.contents = contents
        self.site = site
        generated = [
            page
            for item in contents
            for page in attempt(
                item.benchmark.path, partial(_whole, benchmark_pages, item, site), ()
            )
        ]
        self.pages: Mapping[str, PageContent] = {
            f"{page.path}/index.md": page
            for page in (
                benchmarks_page(contents, site),
                people_page(contents),
                *generated,
                status_page(site),
                search_page(),
            )
        }
        """Generated pages that have a frame of their own, by their source for MkDocs."""
        self._home = attempt("index.html", partial(home, contents, site), NOTICE)
        self._heads = Heads(contents, site)

    def fill(self, path: str, title: str, page: str) -> str:
        generated = self.pages.get(f"{path}/index.md")
        text = fill(page, generated.html) if generated else page.replace(HOME, self._home)
        return attempt(path, partial(self._heads.into, text, path, title), text)

    def fill_frame(self, page: PageContent, frame: Frame) -> bytes:
        text = frame.filled(page.title, page.html)
        return self._heads.into(text, page.path, page.title).encode()


def write_pages(rendered: Path, filler: PageFiller, output: Output, scheduler: Scheduler) -> None:
    """Write all pages of a folder that MkDocs rendered with what is generated, and their list."""
    paths = _write_framed_pages(rendered, filler, output)
    paths += _write_lazy_pages(read_frames(rendered), filler, output, scheduler)
    addresses = [f"{path}/" if path else "" for path in sorted({*paths})]
    for path, content in sitemap_files(filler.site.address, addresses):
        if path != "robots.txt" or path not in output.entries:
            output.put(path, content)


def _write_framed_pages(folder: Path, filler: PageFiller, output: Output) -> list[str]:
    paths = []
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.is_dir() or is_frame(path) or path in _MADE_ANEW:
            continue
        content = file.read_bytes()
        titled = take_title(content.decode()) if path.endswith(".html") else None
        if titled is not None:
            page, title = titled
            paths.append(f"/{path}".removesuffix(_INDEX).removeprefix("/"))
            content = filler.fill(paths[-1], title, page).encode()
        output.put(path, content)
    return paths


def _write_lazy_pages(
    frames: Mapping[int, Frame], filler: PageFiller, output: Output, scheduler: Scheduler
) -> list[str]:
    """Write pages of people and checkpoints whose inputs changed; return their folders."""
    lazy = list(_lazy_pages(frames, filler))
    scheduler.write_pages(
        [
            partial(_write_lazy_page, path, inputs, page, frames, filler, output)
            for path, inputs, page in lazy
            if not output.has(path, inputs)
        ]
    )
    return [page.path for _, _, page in lazy]


def _lazy_pages(
    frames: Mapping[int, Frame], filler: PageFiller
) -> Iterator[tuple[str, str, LazyPage]]:
    contents, site = filler.contents, filler.site
    common = cache_key(
        digest_of_programs(),
        repr((site.forge, site.branch, site.name, site.installation, site.address)),
        repr(site.commit is None),
        *(part for frame in frames.values() for part in frame.parts),
        *(item.bundle for item in contents),
    )
    sources = {name: files for item in contents for name, files in item.sources.items()}
    below = [
        (f"{item.benchmark.path}/{folder}", partial(_whole, generate, item, site))
        for item in contents
        for folder, generate in (("submissions", submission_pages), ("at", past_board_pages))
    ]
    below.append((PEOPLE, partial(_whole, participant_pages, contents, site)))
    for page in (page for folder, generate in below for page in attempt(folder, generate, ())):
        inputs = ""
        if page.facts is not None:
            inputs = cache_key(
                common, page.path, page.facts, *(sources[name] for name in page.sources)
            )
        yield f"{page.path}/index.html", inputs, page


def _write_lazy_page(
    path: str,
    inputs: str,
    page: LazyPage,
    frames: Mapping[int, Frame],
    filler: PageFiller,
    output: Output,
) -> None:
    missing = PageContent(path=page.path, title=page.path.rpartition("/")[2], html=NOTICE)
    frame = frames[page.path.count("/") + 1]
    filled = attempt(page.path, lambda: filler.fill_frame(page.render(), frame), None)
    output.put(path, filled or filler.fill_frame(missing, frame), inputs)


def _whole(generate: Callable[..., Iterable[T]], *arguments: Any) -> list[T]:
    return list(generate(*arguments))


def board_files(contents: Sequence[BenchmarkContent], output: Output) -> Functions:
    return [
        partial(_write, *make, output)
        for item in contents
        for make in data_files.board_makers(item)
    ]


def other_files(
    contents: Sequence[BenchmarkContent], site: Deployment, output: Output
) -> Functions:
    makers = [make for item in contents for make in data_files.other_makers(item, site)]
    makers += data_files.site_makers(contents, site)
    schemas = partial(_write, SCHEMAS, schema_files, output, digest_of_programs())
    return [schemas, *(partial(_write, *make, output) for make in makers)]


def _write(path: str, make: data_files.Make, output: Output, inputs: str = "") -> None:
    def write_all() -> None:
        if inputs and output.has_folder(path, inputs):
            return
        for file in make():
            if isinstance(file, data_files.LargeFile):
                output.put_parts(file.paths, file.parts)
            else:
                output.put(*file, inputs)

    attempt(path, write_all, None)


def sitemap_files(
    root: str, paths: Sequence[str], limit: int = MAX_ADDRESSES
) -> Iterator[tuple[str, bytes]]:
    """Yield the files that name the pages at ``paths`` of the site at ``root``, in their order.

    No dates: what would be said of a page is when it was built. Where the site's address is empty
    no page is named, for the protocol knows no relative address; the theme asks for the file.
    """
    if not root:
        yield "robots.txt", b"User-agent: *\nAllow: /\n"
        yield from _both("sitemap.xml", _urls(root, ()))
        return
    yield "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {root}sitemap.xml\n".encode()
    parts = [paths[start : start + limit] for start in range(0, len(paths), limit)] or [[]]
    if len(parts) == 1:
        yield from _both("sitemap.xml", _urls(root, parts[0]))
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        yield name, _urls(root, part)
    listed = "".join(f"<sitemap><loc>{escape(root)}{name}</loc></sitemap>\n" for name in names)
    text = f'{_HEAD}<sitemapindex xmlns="{_SPACE}">\n{listed}</sitemapindex>\n'
    yield from _both("sitemap.xml", text.encode())


def _urls(root: str, paths: Sequence[str]) -> bytes:
    lines = "".join(f"<url><loc>{escape(root + path)}</loc></url>\n" for path in paths)
    return f'{_HEAD}<urlset xmlns="{_SPACE}">\n{lines}</urlset>\n'.encode()


def _both(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file, and what the site's generator wrote beside it, without a time in it."""
    yield name, content
    yield f"{name}.gz", gzip.compress(content, mtime=0)


class Heads:
    """Makes the tags of heads for machines: feeds, and what a link to a page shows elsewhere."""

    def __init__(self, contents: Sequence[BenchmarkContent], site: Deployment) -> None:
        self._site = site
        self._contents = {content.benchmark.name: content for content in contents}
        self._descriptions = {
            name: _description(content) for name, content in self._contents.items()
        }

    def tags(self, path: str, title: str) -> str:
        """The tags of a page at ``path``, a folder without a slash; empty for the root."""
        site = self._site
        up = "../" * (path.count("/") + 1 if path else 0)
        parts = path.split("/")
        name = parts[1] if len(parts) > 1 and parts[0] == "benchmarks" else ""
        content = self._contents.get(name)
        lines = [_feed(f"{up}{FEED}", site.name)]
        title = one_line(title) or site.name
        described = [("og:type", "website"), ("og:site_name", site.name), ("og:title", title)]
        if content is not None:
            benchmark = content.benchmark
            if not benchmark.leaderboard.hidden:
                lines.append(_feed(f"{up}{benchmark.path}/{FEED}", benchmark.title))
            text = self._descriptions[name]
            if len(parts) == 5 and parts[2] == "submissions":
                # Nothing of others, or each record would change the pages of all submissions.
                text = f"{title}, entered in {one_line(benchmark.title)}. "
                text = one_line(text + benchmark.description, _MAX_DESCRIPTION)
            lines.append(_meta("name", "description", text))
            described.append(("og:description", text))
        if site.address:
            address = f"{site.address}{path}/" if path else site.address
            lines.append(f'<link rel="canonical" href="{html.escape(address)}">')
            described.append(("og:url", address))
            if content is not None:
                described += [
                    ("og:image", f"{site.address}{content.benchmark.path}/{PICTURE}"),
                    ("og:image:width", str(WIDTH)),
                    ("og:image:height", str(HEIGHT)),
                    ("og:image:alt", f"Who leads {one_line(content.benchmark.title)}"),
                ]
        lines += [_meta("property", key, value) for key, value in described]
        lines.append(_meta("name", "twitter:card", "summary_large_image" if content else "summary"))
        return "\n".join(lines) + "\n"

    def into(self, page: str, path: str, title: str) -> str:
        head, end, body = page.partition("</head>")
        return f"{_THEMES.sub('', head)}{self.tags(path, title)}{end}{body}" if end else page


def _description(content: BenchmarkContent) -> str:
    board = content.current
    description = one_line(content.benchmark.description, 140)
    stop = " " if description.endswith((".", "!", "?", "…")) else ". " if description else ""
    count = "" if content.benchmark.leaderboard.hidden else f"{entered(board)}. "
    return one_line(
        f"{description}{stop}{count}{insight().conclusions(board, named)}", _MAX_DESCRIPTION
    )


def _feed(address: str, title: str) -> str:
    return (
        # The theme takes rel="alternate" alone for a translation and looks for its sitemap.
        f'<link rel="alternate feed" type="application/atom+xml" href="{html.escape(address)}" '
        f'title="{html.escape(one_line(title))}">'
    )


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{html.escape(content)}">'
