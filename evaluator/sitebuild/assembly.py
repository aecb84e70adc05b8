"""Frames, pages and files -> the site's folder."""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from evaluator.board import files, pages
from evaluator.board.drafts import Draft, closed_site, participant_drafts, submission_drafts
from evaluator.board.pages import BenchmarkContent, Deployment, PageContent
from evaluator.schemas import schema_files
from evaluator.sitebuild.frames import (
    CARDS,
    Frame,
    fill,
    is_frame,
    mended_sitemap,
)
from evaluator.sitebuild.inputs import of_programs
from evaluator.sitebuild.output import Output, digest
from evaluator.sitebuild.workers import Job, run

_SITEMAPS = ("sitemap.xml", "sitemap.xml.gz")


def open_pages(contents: Sequence[BenchmarkContent], site: Deployment) -> dict[str, PageContent]:
    """Return the generated pages that have a frame of their own: source for MkDocs -> page."""
    found = [page for item in contents for page in pages.benchmark_pages(item, site)]
    return {f"{page.path}/index.md": page for page in (*found, pages.status_page(site))}


def put_frames(
    folder: Path, generated: Mapping[str, PageContent], cards: str, day: str, output: Output
) -> None:
    """Put everything that MkDocs made, with the content of the pages that it left open."""
    content = {source.removesuffix(".md") + ".html": page for source, page in generated.items()}
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder).as_posix()
        if file.is_dir() or is_frame(path) or path in _SITEMAPS:
            continue
        made = file.read_bytes()
        page = content.get(path)
        if page is not None:
            made = fill(made.decode(), page.html).encode()
        elif path.endswith(".html"):
            made = made.replace(CARDS.encode(), cards.encode())
        output.put(path, made)
    for path, made in sitemaps(folder, day):
        output.put(path, made)


def sitemaps(folder: Path, day: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the sitemap, where MkDocs made one."""
    file = folder / _SITEMAPS[0]
    if file.exists():
        text = mended_sitemap(file.read_text(encoding="utf-8"), day).encode()
        yield _SITEMAPS[0], text
        yield _SITEMAPS[1], gzip.compress(text, mtime=0)


def put_rest(
    frames: Mapping[int, Frame],
    contents: Sequence[BenchmarkContent],
    site: Deployment,
    output: Output,
) -> None:
    """Put the pages of submissions and participants, and the files for machines."""
    jobs = [
        Job(path=path, inputs=inputs, render=partial(_render, draft, frames))
        for path, inputs, draft in _drafts(frames, contents, site)
        if not output.has(path, inputs)
    ]
    run(jobs, output, partial(_put_files, contents, site, output))


def _drafts(
    frames: Mapping[int, Frame], contents: Sequence[BenchmarkContent], site: Deployment
) -> Iterator[tuple[str, str, Draft]]:
    """Yield the file of each page, the digest of all that it is made of, and how to make it."""
    common = digest(
        of_programs(),
        repr(closed_site(site)),
        *(part for frame in frames.values() for part in frame.parts),
        *(item.bundle for item in contents),
    )
    sources = {name: found for item in contents for name, found in item.sources.items()}
    drafts = [draft for item in contents for draft in submission_drafts(item, site)]
    for draft in (*drafts, *participant_drafts(contents)):
        inputs = ""
        if draft.facts is not None:
            own = [sources[name] for name in draft.sources]
            inputs = digest(common, draft.path, draft.facts, *own)
        yield f"{draft.path}/index.html", inputs, draft


def _render(draft: Draft, frames: Mapping[int, Frame]) -> bytes:
    page = draft.render()
    return frames[draft.path.count("/") + 1].filled(page.title, page.html)


def _put_files(contents: Sequence[BenchmarkContent], site: Deployment, output: Output) -> None:
    for item in contents:
        for path, content in files.data_files(item, site):
            output.put(path, content)
    for path, content in (*schema_files(), files.api_index(contents)):
        output.put(path, content)
