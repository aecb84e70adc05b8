"""The submission kind ``sealed``: one encrypted file, named by the digest of what it holds.

The name is part of the content that attempts, records and quotas know an entry by, so that nobody
can change afterwards what was sealed. Jobs that run participants' programs have no key: only
predictions can be sealed.
"""

import re
from collections.abc import Callable, Collection
from pathlib import Path

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.kinds.kind import Candidate, Recognised, SubmissionKind
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.pinned_files import SealedFile
from evaluator.core.formats.submission import FILE_NAME
from evaluator.plugins.sealed.keys import seal_of

_NAME = re.compile(r"[0-9a-f]{64}\.age")
_AGAIN = "Seal your own work for this phase: `pullbench submit FOLDER --seal`."


class Sealed(SubmissionKind):
    """Predictions that the organisers alone can read before a date."""

    name = "sealed"
    holds_predictions = True
    asked_first = True

    def recognise(
        self, benchmark: Benchmark, phase: Phase, files: Collection[str],
        executables: Collection[str],
    ) -> Recognised | None:  # fmt: skip
        is_sealed = any(map(_NAME.fullmatch, files))
        return Recognised(reason="its file is sealed") if is_sealed else None

    def check(self, candidate: Candidate) -> None:
        files = [file for file in candidate.files if file != FILE_NAME]
        if len(files) != 1 or not _NAME.fullmatch(files[0]):
            candidate.document.report(
                (), "needs one file beside it, which `pullbench submit --seal` makes, and no more.",
                _AGAIN,
            )  # fmt: skip
        if candidate.phase is not None and seal_of(candidate.phase) is None:
            candidate.document.report(
                ("kind",),
                f"is 'sealed', but phase '{candidate.phase.name}' takes no sealed entries.",
                "Submit your predictions as they are, with 'kind: results'.",
            )

    def check_others(self, kind: SubmissionKind, candidate: Candidate) -> None:
        if any(map(_NAME.fullmatch, candidate.files)):
            candidate.document.report(
                ("kind",), f"is '{kind.name}', but its file is sealed.", "Write 'kind: sealed'."
            )

    def sealed_file(self, candidate: Candidate) -> SealedFile | None:
        seal = seal_of(candidate.phase)
        (file,) = (file for file in candidate.files if file != FILE_NAME)
        if seal is None or candidate.phase is None:  # refused by `check`
            return None
        return SealedFile(
            source=file, recipient=seal.to, phase=candidate.phase.slug, until=seal.until
        )

    def opened(
        self, sealed: SealedFile, cell: CellId, folder: Path, decrypt: Callable[[], Path]
    ) -> Path:
        """Whatever is wrong has one answer: it must not help who copied another's entry."""
        # Loaded here, for every command asks what kinds there are.
        from evaluator.core.compute.steps import CellFailedError, fail
        from evaluator.core.formats.record import Reason
        from evaluator.plugins.sealed.contents import PREDICTIONS, STATEMENT, misfit

        try:
            if not (folder / STATEMENT).is_file():  # in git it is opened at its date
                folder = decrypt()
            if not misfit(folder, sealed, cell.benchmark, cell.participant):
                return folder / PREDICTIONS
        except CellFailedError:
            pass
        raise fail(
            Reason.BAD_INPUT,
            "the sealed file does not hold an entry of this participant to this phase",
            step=None, hint=_AGAIN,
        ) from None  # fmt: skip


SEALED = Sealed()
