"""What went through a gateway: a line for each exchange, after a head."""

import gzip
import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.json_reader import UnreadableError, read_json
from evaluator.core.formats.record import StepName
from evaluator.plugins.models.keys import Model, models_of

SUFFIX, JUDGES = "transcript.jsonl.gz", "judges.jsonl.gz"
SUFFIXES: dict[StepName, str] = {"ingestion": SUFFIX, "scoring": JUDGES}
MAX_TRANSCRIPT = 16 * 2**20
"""Bytes of all exchanges of a cell; a call that may exceed it is refused."""
Count = Annotated[int, msgspec.Meta(ge=0, le=2**40)]


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line."""

    version: int = 1
    prediction: str
    """Key of what the program made, predictions or scores: with another one nothing is replayed."""


class Exchange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request that was let through, and its answer. Headers and keys are not in it."""

    number: Count
    path: str
    model: str
    digest: str
    """Of the request, see ``Request.digest``."""
    request: Any
    status: Annotated[int, msgspec.Meta(ge=200, le=599)]
    content_type: str
    answer: str
    """Bytes that are no UTF-8 are surrogates, as ``os.fsdecode`` makes them."""
    input: Count
    output: Count
    """Tokens, as the provider says; as they were reserved, if it does not."""
    refused: bool = False
    """For want of budget: it was not sent."""

    def cost(self, models: Mapping[str, Model]) -> float:
        return models[self.model].price(self.input, self.output) if self.model in models else 0.0

    @property
    def content(self) -> bytes:
        return self.answer.encode("utf-8", "surrogateescape")


def to_line(line: msgspec.Struct) -> bytes:
    return json.dumps(msgspec.to_builtins(line), sort_keys=True).encode() + b"\n"


def pack(prediction: str, exchanges: Sequence[Exchange]) -> bytes:
    ordered = sorted(exchanges, key=lambda exchange: exchange.number)
    lines = b"".join(map(to_line, (Head(prediction=prediction), *ordered)))
    return gzip.compress(lines, mtime=0)


def unpack(content: bytes) -> tuple[Head, list[Exchange]]:
    """Raises ValueError for what is no transcript, or is too large."""
    inflate = zlib.decompressobj(wbits=31)
    try:
        text = inflate.decompress(content, 2 * MAX_TRANSCRIPT)
    except zlib.error as error:
        raise UnreadableError(f"is no gzip file: {error}") from None
    if not inflate.eof:
        raise UnreadableError("is damaged, or too large")
    lines = (read_json(line, max_bytes=2 * MAX_TRANSCRIPT) for line in text.splitlines())
    try:
        return (
            msgspec.convert(next(lines, None), Head),
            [msgspec.convert(line, Exchange) for line in lines],
        )
    except msgspec.ValidationError as error:
        raise UnreadableError(f"has another form: {error}") from None


@dataclass(frozen=True)
class TranscriptFile:
    """Written by the gateway; what a scoring program writes under its name is not taken."""

    step: StepName
    file = ""
    max_file = 0
    max_bytes = 2 * MAX_TRANSCRIPT

    def takes(self, benchmark: Benchmark) -> bool:
        return bool(models_of(benchmark, self.step))

    def read(self, _output: Path, _columns: Collection[str]) -> bytes | None:
        return None


TRANSCRIPT_FILE = TranscriptFile("ingestion")
JUDGES_FILE = TranscriptFile("scoring")
