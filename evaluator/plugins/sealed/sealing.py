"""From a folder of predictions to a sealed file, and a receipt that opens it."""

import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from evaluator.core.errors import Actor, InvalidInputError, UsageError
from evaluator.core.formats.predictions import check_predictions, names_of
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.log import complain
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.running import BUILD
from evaluator.importing.files import pack, write_files
from evaluator.importing.pinned import content_digest
from evaluator.importing.private_parts import encrypt, make_keys
from evaluator.plugins.sealed.contents import PREDICTIONS, STATEMENT, SealStatement
from evaluator.plugins.sealed.keys import seal_of

_BLOCK = 4096
_EIGHTH = 3
"""Bits of a length that its padding leaves: it adds at most an eighth."""


def seal_entry(
    snapshot: Snapshot, submission: Submission, files: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the files to submit, and write a receipt. Raises UsageError, InvalidInputError."""
    benchmark = snapshot.benchmarks[submission.benchmark]
    phase = benchmark.phase(submission.phase)
    seal = seal_of(phase)
    if phase is None or seal is None:
        raise UsageError(
            f"phase '{submission.phase}' takes no sealed entries", hint="Leave out --seal."
        )
    if not submission.kind.holds_predictions or submission.sealed:
        raise UsageError(
            f"only predictions can be sealed, and this is '{submission.kind_name}'",
            hint="Run your code, and submit what it predicts with 'kind: results': jobs that run "
            "participants' programs have no key.",
        )
    problems = [
        problem
        for item in benchmark.predictions
        for name in names_of(item, benchmark.repeats_in(phase))
        if item.columns and name in files
        for problem in check_predictions(item, files[name], name)
    ]
    if problems:  # nobody could say so before it is scored
        raise InvalidInputError(problems)
    statement = SealStatement(
        benchmark=benchmark.name, participant=submission.participant, phase=phase.slug,
        until=seal.until, to=seal.to, salt=secrets.token_hex(32),
    )  # fmt: skip
    said = msgspec.json.format(msgspec.json.encode(statement), indent=2)
    inner = {STATEMENT: (said, False)} | {
        f"{PREDICTIONS}/{name}": (content, False)
        for name, content in files.items()
        if name != FILE_NAME
    }
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "entry"
        write_files(folder, inner)
        commitment, content = content_digest(folder), pack(folder)
    public, secret = make_keys()
    receipt = snapshot.tree.root / BUILD / "receipts" / f"{commitment}.json"
    receipt.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    receipt.touch(0o600)
    receipt.write_bytes(msgspec.json.format(msgspec.json.encode(
        {"entry": submission.id, "identity": secret, "statement": statement}
    ), indent=2))  # fmt: skip
    complain(f"the receipt {receipt} opens the entry: keep it, and show it to nobody")
    document = read_yaml(files[FILE_NAME] or b"{}", FILE_NAME, Actor.PARTICIPANT)
    return {
        FILE_NAME: dump_yaml({**(document.data or {}), "kind": "sealed"}),
        f"{commitment}.age": encrypt(_padded(content), [seal.to, public]),
    }


def _padded(content: bytes) -> bytes:
    """A zip behind zeros, which its readers pass over, since its length tells of its content."""
    step = max(_BLOCK, 1 << max(0, len(content).bit_length() - 1 - _EIGHTH))
    return content.rjust(-(-len(content) // step) * step, b"\0")
