"""Makes and reads private feedback: scores and logs for the author of an entry alone."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from evaluator.ci.git.branch import tip_of
from evaluator.ci.ledger.ledger import read_ledger
from evaluator.ci.ledger.ledger_notes import PULLS, identity
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.reviews import Feedback
from evaluator.ci.scores.encryption import decrypt_attachment
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.ci.scores.unsealing import inner_fault
from evaluator.ci.scores.validation import Accepted
from evaluator.core.cli import shown
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.git.commands import read_blobs
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.snapshot import read_settings
from evaluator.core.scores.redaction import Disclosure, disclose
from evaluator.core.scores.sealing import opened
from evaluator.plugins.feedback.archive import TEXT, encrypted
from evaluator.plugins.feedback.keys import (
    ADD_KEY,
    PublicKeys,
    entered_in,
    is_private,
    keys_path,
    note_keys,
)

_FEEDBACK = "feedback"
"""Folder of a pull request in the ledger."""
_MAX_ATTACHMENTS = 4 * 2**20
"""Bytes of all attachments together; later ones are left out."""


def lacks_feedback(pull: PullRequest) -> bool:
    """Whether the author should have feedback for this head, and has none yet."""
    names = pull.ledger.entries.names(f"{PULLS}/{pull.ref.number}/{_FEEDBACK}")
    return bool(entered_in(pull)) and not any(_of_head(pull) in name for name in names)


def _of_head(pull: PullRequest) -> str:
    return f"-{pull.head[:12]}-"


def give_feedback(pull: PullRequest, table: CellTable) -> str:
    """Encrypt what private phases hide to the pull request's author, and keep it in the ledger.

    Returns a sentence for the comment; empty if no phase is private. Cells of other participants,
    which a data set adds, are left out.
    """
    number, ledger = pull.ref.number, pull.ledger
    private = {
        str(cell): (item.cell, table.records[cell])
        for cell, item in table.planned.items()
        if cell in table.records and item.cell.submission.id in pull.submissions
        and is_private(item.cell.phase)
    }  # fmt: skip
    if not private or number is None:
        return ""
    if not os.environ.get(SEAL_IDENTITY):
        return f"The author gets no scores, since {SEAL_IDENTITY} is not in this job's environment."
    path = keys_path(pull)
    notes = [note for _, note in ledger.notes([path] if path in ledger.entries else [], PublicKeys)]
    if not notes:
        return f"To read scores and logs, the author has to {ADD_KEY}."
    identities = "".join(sorted(identity(item.record) for _, item in private.values()))
    name = f"{_of_head(pull)}{hashlib.sha256(identities.encode()).hexdigest()[:16]}.age"
    folder = f"{PULLS}/{number}/{_FEEDBACK}"
    names = [one for one in ledger.entries.names(folder) if one.endswith(name)]
    if not names:
        names = [f"{pull.now:%Y%m%dT%H%M%S%f}{name}"]
        try:
            files = _files(pull, private)
        except PlatformError as error:
            return f"The author gets no scores: {error.message}. {error.hint}"
        content = encrypted(files, notes[0].keys, cells=len(private))
        pull.add_notes({f"{folder}/{names[0]}": content})
    return (
        f"The author reads scores and logs with `pullbench feedback {number}`: they are encrypted "
        f"in `{folder}/{names[0]}` of the branch `{pull.before.settings.ledger}`."
    )


def _files(pull: PullRequest, private: Mapping[str, tuple[Cell, Accepted]]) -> dict[str, bytes]:
    """What a phase with ``shows: results`` would show; hidden columns stay hidden.

    Raises PlatformError if a record cannot be decrypted.
    """
    files: dict[str, bytes] = {}
    lines = [f"Pull request {pull.ref.number}, commit {pull.head}", ""]
    for name, (cell, item) in sorted(private.items()):
        record = opened(item.record)
        fault = item.record.sealed and inner_fault(record, item.record, cell, pull.now)
        if fault:
            lines.append(f"{name}: what the runner sealed {fault}")
            continue
        shown_phases = tuple(replace(one, shows="results") for one in cell.benchmark.phases)
        disclosure = disclose(record, replace(cell.benchmark, phases=shown_phases))
        lines += _lines(cell, disclosure)
        for suffix in disclosure.attachments:
            given = item.attachments.get(suffix, b"")
            content = decrypt_attachment(given, record.attachments[suffix])
            if content is None:
                continue
            if sum(map(len, files.values())) + len(content) > _MAX_ATTACHMENTS:
                lines.append(f"(its {ATTACHMENTS[suffix].file} is too large to be here)")
            else:
                files[f"{name.replace('/', '_')}.{suffix}"] = content
    return {TEXT: ("\n".join(lines) + "\n").encode(), **files}


def _lines(cell: Cell, disclosure: Disclosure) -> Iterator[str]:
    if disclosure.status == "failed":
        yield shown.failure(cell.id, disclosure)
    else:
        scores = disclosure.scores
        yield f"{cell.id}: {'scores are hidden' if scores is None else shown.numbers(scores)}"
    if disclosure.extra:
        yield f"  also: {shown.numbers(disclosure.extra)}"
    for step, log in disclosure.logs.items():
        yield f"  log of {step}:"
        yield from (f"    | {line}" for line in log.splitlines())


PRIVATE = Feedback(arrive=note_keys, finish=give_feedback, is_due=lacks_feedback)


def read_feedback(start: Path, number: int, remote: str | None) -> bytes:
    """The last feedback of a pull request from the ledger. Raises UsageError."""
    repo = open_repository(start)
    branch = read_settings(read_tree(repo, "HEAD")).ledger
    entries = read_ledger(repo, tip_of(repo, branch, remote, by_path=True)).entries
    names = entries.names(f"{PULLS}/{number}/{_FEEDBACK}")
    if not names:
        raise UsageError(
            f"'{remote}' has no feedback for pull request {number}",
            hint="It comes when the evaluation ends. In a fork, name the upstream with --remote.",
        )
    (content,) = read_blobs(repo, [entries[f"{PULLS}/{number}/{_FEEDBACK}/{names[-1]}"].blob])
    return content
