"""Frames, pages and files -> the site's folder."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from evaluator.site import data_files, pages
from evaluator.site.checkpoint_pages import former_drafts
from evaluator.site.content import BenchmarkContent, Deployment, PageContent
from evaluator.site.drafts import Draft, closed_site, participant_drafts, submission_drafts
from evaluator.site.fingerprints import of_programs
from evaluator.site.frames import CARDS, Frame, fill, is_frame, take_title
from evaluator.site.heads import Heads
from evaluator.site.output import Output, digest
from evaluator.site.schemas import schema_files
from evaluator.site.sitemap import sitemap_files
from evaluator.site.workers import FEW, Aside, Job, run

_INDEX = "/index.html"


class Filling:
    """What pages that MkDocs rendered are filled with."""

    def __init__(self, contents: Sequence[BenchmarkContent], site: Deployment) -> None:
        self.contents = contents
        self.site = site
        found = [page for item in contents for page in pages.benchmark_pages(item, site)]
        self.pages: Mapping[str, PageContent] = {
            f"{page.path}/index.md": page
            for page in (pages.benchmarks_page(contents), *found, pages.status_page(site))
        }
        """Generated pages that have a frame of their own, by their source for MkDocs."""
        self._cards = pages.cards(contents, site)
        self._heads = Heads(contents, site)

    def filled(self, path: str, title: str, page: str) -> str:
        """Return the page of a folder with its content, and what its head tells machines."""
        generated = self.pages.get(f"{path}/index.md")
        text = fill(page, generated.html) if generated else page.replace(CARDS, self._cards)
        return self._heads.into(text, path, title)

    def in_frame(self, page: PageContent, frame: Frame) -> bytes:
        """Return a page in a frame that it shares."""
        text = frame.filled(page.title, page.html)
        return self._heads.into(text, page.path, page.title).encode()


def put_frames(folder: Path, filling: Filling, output: Output) -> list[str]:
    """Put everything that MkDocs made, and return the folders of pages."""
    paths = []
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.is_dir() or is_frame(path) or path in ("sitemap.xml", "sitemap.xml.gz"):
            continue
        content = file.read_bytes()
        found = take_title(content.decode()) if path.endswith(".html") else None
        if found is not None:
            page, title = found
            paths.append(f"/{path}".removesuffix(_INDEX).removeprefix("/"))
            content = filling.filled(paths[-1], title, page).encode()
        output.put(path, content)
    return paths


def put_rest(
    frames: Mapping[int, Frame],
    filling: Filling,
    paths: Sequence[str],
    own: Collection[str],
    output: Output,
    aside: Aside | None = None,
) -> None:
    """Put the pages of submissions and participants, and the lists of all pages.

    ``paths`` are the folders of the pages that are there; ``own`` are files that stay as they are;
    ``aside`` is what another process makes meanwhile, which is waited for where pages are many.
    """
    drafts = list(_drafts(frames, filling))
    jobs = [
        Job(path=path, inputs=inputs, render=partial(_render, draft, frames, filling))
        for path, inputs, draft in drafts
        if not output.has(path, inputs)
    ]
    if aside is not None and len(jobs) > FEW:
        aside.finish()  # a third process would be too much: each copies what it looks at
    run(jobs, output)
    every = sorted({*paths, *(draft.path for _, _, draft in drafts)})
    addresses = [f"{path}/" if path else "" for path in every]
    for path, content in sitemap_files(filling.site.address, addresses):
        if path not in own:
            output.put(path, content)


def _drafts(frames: Mapping[int, Frame], filling: Filling) -> Iterator[tuple[str, str, Draft]]:
    """Yield the file of each page, the digest of all that it is made of, and how to make it."""
    contents, site = filling.contents, filling.site
    common = digest(
        of_programs(),
        repr(closed_site(site)),
        *(part for frame in frames.values() for part in frame.parts),
        *(item.bundle for item in contents),
    )
    sources = {name: found for item in contents for name, found in item.sources.items()}
    drafts = [
        draft
        for item in contents
        for draft in (*submission_drafts(item, site), *former_drafts(item, site))
    ]
    for draft in (*drafts, *participant_drafts(contents)):
        inputs = ""
        if draft.facts is not None:
            own = [sources[name] for name in draft.sources]
            inputs = digest(common, draft.path, draft.facts, *own)
        yield f"{draft.path}/index.html", inputs, draft


def _render(draft: Draft, frames: Mapping[int, Frame], filling: Filling) -> bytes:
    return filling.in_frame(draft.render(), frames[draft.path.count("/") + 1])


Putters = list[Callable[[], None]]
"""What puts files, part by part."""


def board_putters(contents: Sequence[BenchmarkContent], output: Output) -> Putters:
    """Return what puts boards as data."""
    return [
        partial(_put, make, output) for item in contents for make in data_files.board_makers(item)
    ]


def other_putters(
    contents: Sequence[BenchmarkContent], site: Deployment, output: Output
) -> Putters:
    """Return what puts the other files for machines, but those that list all pages."""

    def of_all() -> Iterator[data_files.File]:
        yield from schema_files()
        yield from data_files.site_files(contents, site)

    makers = [make for item in contents for make in data_files.other_makers(item, site)]
    return [partial(_put, make, output) for make in (*makers, of_all)]


def _put(
    make: Callable[[], Iterable[data_files.File | data_files.LargeFile]], output: Output
) -> None:
    for one in make():
        if isinstance(one, data_files.LargeFile):
            output.put_parts(one.paths, one.parts)
        else:
            output.put(*one)
