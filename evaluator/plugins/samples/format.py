"""``samples.jsonl`` and ``curves.json``: what a scoring program writes, and what is kept of it.

A kept file is a stranger's: any job may have written it. So reading checks all that writing has
checked. Errors are ValueError, and name the line.
"""

import gzip
import zlib
from collections.abc import Collection, Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from evaluator.core.formats.json_reader import UnreadableError, form_reader
from evaluator.core.formats.paths import shown
from evaluator.core.formats.record import Part, Score

MAX_SAMPLES = 1_000_000
MAX_FILE = 2**27
"""Bytes of a file as it is written."""
MAX_LINE = 2**16
"""Bytes of one sample."""
MAX_CURVES = 2**22
MAX_KEPT = 2**25
"""Bytes of what is kept of it, compressed."""
_Name = Annotated[str, Meta(min_length=1, max_length=200)]
_Text = Annotated[str, Meta(max_length=500)]
_Points = Annotated[list[Score], Meta(max_length=2000)]


class Sample(Part, frozen=True, kw_only=True):
    """One line of ``samples.jsonl``."""

    id: _Name
    scores: dict[str, Score]
    """By key of a column."""
    group: _Name | None = None
    """Samples of one group depend on each other."""
    texts: dict[_Name, _Text] = {}
    """Such as the prediction; they are shown as text."""


class Series(Part, frozen=True, kw_only=True):
    """A curve; each place has a value."""

    x: _Points
    y: _Points


class Curves(Part, frozen=True, kw_only=True):
    """``curves.json``."""

    series: Annotated[dict[_Name, Series], Meta(min_length=1, max_length=20)]
    x: _Name
    """What ``x`` of a series means, such as seconds."""
    y: _Name


_encode = msgspec.json.Encoder(order="deterministic").encode
read_sample = form_reader(Sample, max_bytes=MAX_LINE)
_curves = form_reader(Curves, max_bytes=MAX_CURVES)


def pack_samples(content: bytes, columns: Collection[str]) -> bytes:
    """What is kept of samples with scores of ``columns``; the same for any order of them."""
    samples = ((sample.id, _encode(sample)) for sample in read_samples(content, columns))
    return gzip.compress(b"".join(b"%b\n" % line for _, line in sorted(samples)), mtime=0)


def pack_curves(content: bytes, _: Collection[str] = ()) -> bytes:
    return gzip.compress(_encode(read_curves(content)), mtime=0)


def unpack(content: bytes) -> bytes:
    """What was packed, for ``read_samples`` or ``read_curves``."""
    inflate = zlib.decompressobj(wbits=31)
    try:
        plain = inflate.decompress(content, MAX_FILE)
    except zlib.error as error:
        raise ValueError(f"is no gzip file: {error}") from None
    if not inflate.eof or inflate.unused_data:
        raise ValueError(f"is damaged, or holds more than {MAX_FILE:,} bytes")
    return plain


def lines_of(content: bytes) -> list[bytes]:
    """A line for each sample."""
    if content.count(b"\n") + (not content.endswith(b"\n")) > MAX_SAMPLES:
        raise ValueError(f"has more than {MAX_SAMPLES:,} lines")
    return content.removesuffix(b"\n").split(b"\n")


def read_samples(content: bytes, columns: Collection[str]) -> Iterator[Sample]:
    """Yield samples one by one: the texts of all of them may take gigabytes."""
    known, ids = frozenset(columns), set[str]()
    for number, line in enumerate(lines_of(content), start=1):
        if not line or line.isspace():
            continue
        try:
            sample = read_sample(line)
        except UnreadableError as error:
            raise ValueError(f"line {number}: {error}") from None
        if not sample.scores.keys() <= known:
            other = shown(min(sample.scores.keys() - known))
            raise ValueError(f"line {number}: '{other}' is no column of the board")
        if sample.id in ids:
            raise ValueError(f"line {number}: the id '{shown(sample.id)}' is there twice")
        ids.add(sample.id)
        texts = (sample.id, sample.group or "", *sample.texts, *sample.texts.values())
        _refuse_signs(texts, f"line {number}")
        yield sample
    if not ids:
        raise ValueError("has no sample")


def read_curves(content: bytes) -> Curves:
    curves = _curves(content)
    _refuse_signs((curves.x, curves.y, *curves.series), "names")
    for name, series in curves.series.items():
        if len(series.x) != len(series.y):
            raise ValueError(f"'{name}' has {len(series.x)} x for {len(series.y)} y")
    return curves


def _refuse_signs(texts: Collection[str], where: str) -> None:
    for text in texts:
        if not text.isprintable():
            raise ValueError(f"{where}: '{shown(text)}' holds a control or format character")
