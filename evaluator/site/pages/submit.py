"""How to enter a phase without git: the forge's own forms, filled in as far as can be known."""

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import KINDS, SubmissionKind, usual_kind
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import FILE_NAME
from evaluator.site.content.forge import ForgeAddress
from evaluator.site.pages.submission_text import submission_text

PARTICIPANT, NAME = "YOUR-LOGIN", "MY-ENTRY"
"""What participants replace in a path."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """How to enter one open phase."""

    phase: Phase
    kind: SubmissionKind
    files: tuple[str, ...]
    """What must stand beside submission.yaml, in words."""
    text: str
    """submission.yaml."""
    new: str
    """Address of the form that is filled in with it; empty without a forge."""
    filled: bool
    """Whether that address holds the text."""


def entries(
    benchmark: Benchmark, phase: Phase, forge: ForgeAddress | None, terms: bytes = b""
) -> Iterator[Offer]:
    for kind in offered_kinds(benchmark, phase):
        text = submission_text(benchmark, phase, kind, terms)
        folder = f"submissions/{benchmark.name}/{PARTICIPANT}/{NAME}"
        new = forge.new_file(folder, FILE_NAME, text) if forge else ""
        files = tuple(kind.expected_files(benchmark, phase))
        yield Offer(phase=phase, kind=kind, files=files, text=text, new=new, filled="value=" in new)


def offered_kinds(benchmark: Benchmark, phase: Phase) -> list[SubmissionKind]:
    usual = usual_kind(benchmark, phase)
    others = (kind for kind in KINDS.values() if kind is not usual and kind.is_offered(benchmark))
    return [usual, *others]


def takes(benchmark: Benchmark, phase: Phase) -> str:
    return ", and ".join(kind.takes(phase) for kind in offered_kinds(benchmark, phase))
