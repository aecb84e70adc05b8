"""What readers find by words: an index in many small files, of which one search asks for a few.

pagefind makes it of small pages, one for each thing that may be found: submissions, participants,
and the sections of the pages that MkDocs rendered. Scores are not searched: they stand on boards.
"""

import html
import json
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pagefind_bin
from markupsafe import Markup

from evaluator.core.errors import UsageError
from evaluator.core.formats.cache import cache_key, digest_of_programs
from evaluator.core.formats.fact_sheet import answer_text
from evaluator.site.build.output import Output
from evaluator.site.content.content import BenchmarkContent
from evaluator.site.pages.people import PEOPLE, participants
from evaluator.site.pages.submission_pages import standings, title_of

FOLDER = "pagefind"
SECTIONS = "search/search_index.json"
"""What MkDocs' own plugin writes: all sections of the pages that it rendered."""
_NEEDED = ("pagefind.js", "pagefind-worker.js", "pagefind-entry.json", "wasm.en.pagefind")
"""Of what pagefind writes beside the index; its own forms are not used."""
_INDEX = (".pf_meta", ".pf_index", ".pf_fragment", ".pf_filter")
_NAMED = {"Participant", "Benchmark"}
"""Kinds of which the page asks alone, to put those first that are called so."""
WORDS = "words.json"
"""The words of the index, for what is typed with an error; the most frequent first."""
_WORD = re.compile(r"[^\W\d_]{3,40}")


class SearchEntry(NamedTuple):
    """One thing that readers may find."""

    address: str
    """From the site's root."""
    title: str
    kind: str
    """In a word, such as "Submission"."""
    where: str
    """What it belongs to, in words."""
    text: str
    """What else it is found by."""


def write_search(contents: Sequence[BenchmarkContent], folder: Path, output: Output) -> None:
    """Write the index of rendered pages if anything changed. Raises UsageError."""
    sections = folder / SECTIONS
    if not sections.exists():
        return
    pages = page_sections(sections.read_bytes())
    # In an order that no rank changes: a new score alone makes no new index.
    subjects = sorted([*pages, *submissions(contents), *people(contents)])
    inputs = cache_key(digest_of_programs(), *(part for subject in subjects for part in subject))
    if output.has_folder(FOLDER, inputs):
        return
    with tempfile.TemporaryDirectory() as scratch:
        for path, content in _index(subjects, Path(scratch)):
            output.put(f"{FOLDER}/{path}", content, inputs)
    output.put(f"{FOLDER}/{WORDS}", json.dumps(words(subjects)).encode(), inputs)


def words(subjects: Iterable[SearchEntry]) -> list[str]:
    counts = Counter(
        word for subject in subjects for part in (subject.title, subject.where, subject.text)
        for word in _WORD.findall(part.lower())
    )  # fmt: skip
    return sorted(counts, key=lambda word: (-counts[word], word))


def submissions(contents: Iterable[BenchmarkContent]) -> Iterator[SearchEntry]:
    for content in contents:
        benchmark = content.benchmark
        for stands in standings(content.boards).values():
            submission = stands[-1][1].submission
            questions = submission.kind.sheet(benchmark).questions
            answers = [
                f"{questions[key].title or key}: {text}"
                for key, answer in submission.fact_sheet.items()
                if key in questions and (text := answer_text(answer))
            ]
            yield SearchEntry(
                address=f"{benchmark.path}/submissions/{submission.short_name}/",
                title=title_of(submission),
                kind="Submission",
                where=f"{benchmark.title}, by {submission.participant}",
                text=" · ".join(filter(None, (submission.description, *answers))),
            )


def people(contents: Sequence[BenchmarkContent]) -> Iterator[SearchEntry]:
    for name, stands, data in participants(contents):
        titles = {one.content.benchmark.title for one in stands}
        titles |= {one.content.benchmark.title for one in data}
        text = f"Submitted to: {', '.join(sorted(titles))}"
        yield SearchEntry(f"{PEOPLE}/{name}/", name, "Participant", "", text)


def page_sections(content: bytes) -> Iterator[SearchEntry]:
    titles: dict[str, str] = {}
    for section in json.loads(content)["docs"]:
        page, _, anchor = section["location"].partition("#")
        if page.startswith("contributors/decisions/0"):
            continue  # the page of decisions leads to the notes
        title = _plain(section["title"])
        titles.setdefault(page, title)
        where = titles[page] if anchor else ""
        yield SearchEntry(
            address=section["location"], title=title, kind=_kind(page, anchor), where=where,
            text=_plain(section["text"]),
        )  # fmt: skip


def _plain(markup: str) -> str:
    return Markup(markup.replace("<", " <")).striptags()  # noqa: S704, so that tags can go


def _kind(page: str, anchor: str) -> str:
    parts = page.strip("/").split("/")
    if parts[0] == "benchmarks" and len(parts) == 2:
        return "Benchmark"
    return "Task" if parts[0] == "benchmarks" and parts[2:] == ["tasks"] and anchor else "Page"


def _index(subjects: Iterable[SearchEntry], folder: Path) -> Iterator[tuple[str, bytes]]:
    pages, index = folder / "pages", folder / "index"
    pages.mkdir()
    for subject in subjects:
        name = cache_key(subject.address)  # the same however many stand before it
        (pages / f"{name}.html").write_text(_page(subject), encoding="utf-8")
    command = [pagefind_bin.get_executable(), "--site", pages, "--output-path", index, "--quiet"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UsageError(f"the index for search cannot be made: {done.stderr.strip()[-1000:]}")
    for file in sorted(index.rglob("*")):
        if file.name in _NEEDED or file.suffix in _INDEX:
            yield file.relative_to(index).as_posix(), file.read_bytes()


def _page(subject: SearchEntry) -> str:
    metadata = "".join(
        f'<meta data-pagefind-meta="{key}[content]" content="{html.escape(value)}">'
        for key, value in subject._asdict().items()
        if key != "text"
    )
    if subject.kind in _NAMED:  # one value: pagefind writes several in an order of chance
        metadata += '<meta data-pagefind-filter="named[content]" content="yes">'
    return f'<html lang="en"><body>{metadata}<p>{html.escape(subject.text)}</p></body></html>'
