"""Feedback for the entrant alone: what a phase shows nobody, encrypted to the author's SSH keys.

The keys are those that the forge published for the author when the head arrived, so that a key
which somebody adds later opens nothing that came before.
"""

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pyrage
from pydantic import AwareDatetime

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.git.branch import tip_of
from evaluator.ci.ledger.ledger import read_ledger
from evaluator.ci.ledger.ledger_notes import PULLS, Note, identity, note_json
from evaluator.ci.scores.encryption import decrypt, decrypt_page
from evaluator.ci.scores.unsealing import inner_fault
from evaluator.core.cli import shown
from evaluator.core.errors import Actor, PlatformError, Problem, PullbenchError, UsageError
from evaluator.core.formats.archive import ArchiveError, members
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.formats.submission import Submission
from evaluator.core.git.commands import read_blobs
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.log import complain
from evaluator.core.planning.snapshot import Snapshot, read_settings
from evaluator.core.scores.redaction import Disclosure, disclose

if TYPE_CHECKING:
    from evaluator.ci.pull_requests.pull_request import PullRequest
    from evaluator.ci.scores.ledger_records import CellTable
    from evaluator.ci.scores.validation import Accepted
    from evaluator.core.planning.cells import Cell

Feedback = Literal["public", "private"]
"""``pullbench: phases: INDEX: feedback:``. ``private``: the author of the pull request gets what a
phase that ``shows: status`` keeps from all others."""

TEXT = "feedback.txt"
"""File of the archive with scores and logs; the others are detailed results."""
_KEYS, _FEEDBACK = "keys", "feedback"
"""Folders of a pull request in the ledger."""
_BLOCK = 4096
"""For each cell an archive has a multiple of so many bytes: the length of a log may be a score."""
_MAX_BYTES = 64 * 2**20
"""Of all files of an archive together."""
_MAX_PAGES = 4 * 2**20
"""Bytes of all detailed results together; later ones are left out."""
_ADD_KEY = (
    "add an SSH key (ssh-ed25519, or ssh-rsa of 2,048 to 4,096 bits) to the account on the forge, "
    "and then comment `/retry`"
)


class PublicKeys(Note):
    """The SSH keys that the forge published for a pull request's author when a head arrived."""

    login: str
    keys: list[str]
    at: AwareDatetime


def check_feedback(snapshot: Snapshot, _: Sequence[str]) -> Iterator[Problem]:
    """Report phases with private feedback that is public, or that nobody could encrypt."""
    for benchmark in snapshot.benchmarks.values():
        for phase in benchmark.phases:
            if phase.of_plugins.get("feedback") != "private":
                continue
            faults = []
            if phase.shows != "status":
                faults.append(("shows its results to everybody", "Add `shows: status`."))
            if not snapshot.settings.seal:
                faults.append((
                    "needs a key to which runners seal the results",
                    "`pullbench keygen` makes one for [tool.pullbench] seal.",
                ))  # fmt: skip
            for message, hint in faults:
                yield Problem(
                    file=f"{benchmark.path}/{FILE_NAME}", message=message, hint=hint,
                    key=f"pullbench.phases.{phase.index}.feedback", actor=Actor.ORGANISER,
                )  # fmt: skip


def _is_private(phase: Phase | None) -> bool:
    return (
        phase is not None
        and phase.shows == "status"
        and phase.of_plugins.get("feedback") == "private"
    )


def _entered(pull: "PullRequest") -> list[Submission]:
    benchmarks = pull.after.benchmarks
    return [one for one in pull.entered if _is_private(benchmarks[one.benchmark].phase(one.phase))]


def lacks_feedback(pull: "PullRequest") -> bool:
    """Whether the author has got nothing yet for this head, and should."""
    kept = pull.ledger.entries.names(f"{PULLS}/{pull.source.pull_request}/{_FEEDBACK}")
    return bool(_entered(pull)) and not any(_of_head(pull) in name for name in kept)


def _of_head(pull: "PullRequest") -> str:
    return f"-{pull.head[:12]}-"


def usable(keys: Iterable[str]) -> list[str]:
    """Return the keys to which age can encrypt, without their comments."""
    found = []
    for key in keys:
        text = " ".join(key.split()[:2])
        try:
            pyrage.encrypt(b"", [pyrage.ssh.Recipient.from_str(text)])
        except (pyrage.RecipientError, pyrage.EncryptError):
            continue
        found.append(text)
    return found


def note_keys(pull: "PullRequest", actor: str) -> tuple[dict[str, bytes], list[Problem]]:
    """Return the note of the author's keys for a head that has none yet, or why there is none."""
    number, entered = pull.source.pull_request, _entered(pull)
    path = f"{PULLS}/{number}/{_KEYS}/{pull.head}.json"
    if not entered or number is None or path in pull.ledger.entries:
        return {}, []
    forge = find_forge(pull.before.settings.forge)
    keys: list[str] = []
    try:
        keys = usable(forge.ssh_keys(actor)) if forge is not None else []
    except PullbenchError as error:  # the arrival counts all the same
        complain(f"{error.message}. {error.hint}")
    if keys:
        return {path: note_json(PublicKeys(login=actor, keys=keys, at=pull.now))}, []
    problem = Problem(
        file=entered[0].path, severity="warning", actor=Actor.PARTICIPANT,
        message="scores and logs will be encrypted to its author, and the forge has no SSH key of "
        f"{actor} that age supports", hint=f"To read them, {_ADD_KEY}.",
    )  # fmt: skip
    return {}, [problem]


def give_feedback(pull: "PullRequest", table: "CellTable") -> str:
    """Encrypt what private phases hide to the pull request's author, and keep it in the ledger.

    Returns what the comment says of it: nothing where no phase is private. Cells of others, which
    a data set brings, are not the author's to read.
    """
    number, ledger = pull.source.pull_request, pull.ledger
    private = {
        str(cell): (item.cell, table.records[cell])
        for cell, item in table.planned.items()
        if cell in table.records and item.cell.submission.id in pull.submissions
        and _is_private(item.cell.phase)
    }  # fmt: skip
    if not private or number is None:
        return ""
    secret = os.environ.get(SEAL_IDENTITY, "")
    if not secret:
        return f"The author gets no scores, since {SEAL_IDENTITY} is not in this job's environment."
    path = f"{PULLS}/{number}/{_KEYS}/{pull.head}.json"
    notes = [note for _, note in ledger.notes([path] if path in ledger.entries else [], PublicKeys)]
    if not notes:
        return f"To read scores and logs, the author has to {_ADD_KEY}."
    said = "".join(sorted(identity(item.record) for _, item in private.values()))
    name = f"{_of_head(pull)}{hashlib.sha256(said.encode()).hexdigest()[:16]}.age"
    folder = f"{PULLS}/{number}/{_FEEDBACK}"
    kept = [one for one in ledger.entries.names(folder) if one.endswith(name)]
    if not kept:
        kept = [f"{pull.now:%Y%m%dT%H%M%S%f}{name}"]
        try:
            archive = _packed(_files(pull, private, secret), _BLOCK * len(private))
        except PlatformError as error:
            return f"The author gets no scores: {error.message}. {error.hint}"
        recipients = [pyrage.ssh.Recipient.from_str(key) for key in notes[0].keys]
        content = bytes(pyrage.encrypt(archive, recipients, armored=True))
        pull.add_notes({f"{folder}/{kept[0]}": content})
    return (
        f"The author reads scores and logs with `pullbench feedback {number}`: they are encrypted "
        f"in `{folder}/{kept[0]}` of the branch `{pull.before.settings.ledger}`."
    )


def _files(
    pull: "PullRequest", private: Mapping[str, tuple["Cell", "Accepted"]], secret: str
) -> dict[str, bytes]:
    """Return what a phase that shows results would have shown: hidden columns stay hidden.

    Raises PlatformError where a record cannot be opened.
    """
    files: dict[str, bytes] = {}
    lines = [f"Pull request {pull.source.pull_request}, commit {pull.head}", ""]
    for name, (cell, item) in sorted(private.items()):
        record = decrypt(item.record, secret) if item.record.sealed else item.record
        fault = item.record.sealed and inner_fault(record, item.record, cell, pull.now)
        if fault:
            lines.append(f"{name}: what the runner sealed {fault}")
            continue
        disclosure = disclose(record, _with_results(cell.benchmark))
        lines += _lines(cell, disclosure)
        page = decrypt_page(item.page, record) if item.page is not None else None
        if page is not None and disclosure.detailed_results:
            if sum(map(len, files.values())) + len(page) > _MAX_PAGES:
                lines.append("(its detailed results are too large to be here)")
            else:
                files[f"{name.replace('/', '_')}.html"] = page
    return {TEXT: ("\n".join(lines) + "\n").encode(), **files}


def _with_results(benchmark: Benchmark) -> Benchmark:
    phases = tuple(replace(phase, shows="results") for phase in benchmark.phases)
    return replace(benchmark, phases=phases)


def _lines(cell: "Cell", disclosure: Disclosure) -> Iterator[str]:
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


def _packed(files: Mapping[str, bytes], block: int) -> bytes:
    """Return a zip whose size is a multiple of a block."""

    def pack(padding: int) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
            archive.writestr(zipfile.ZipInfo("padding"), bytes(padding), zipfile.ZIP_STORED)
        return buffer.getvalue()

    return pack(-len(pack(0)) % block)


def read_feedback(start: Path, number: int, remote: str) -> bytes:
    """Return the last feedback of a pull request from the ledger. Raises UsageError."""
    repo = open_repository(start)
    branch = read_settings(read_tree(repo, "HEAD")).ledger
    entries = read_ledger(repo, tip_of(repo, branch, remote or None, by_path=True)).entries
    names = entries.names(f"{PULLS}/{number}/{_FEEDBACK}")
    if not names:
        raise UsageError(
            f"'{remote}' has no feedback for pull request {number}",
            hint="It comes when the evaluation ends. In a fork, name the upstream with --remote.",
        )
    (content,) = read_blobs(repo, [entries[f"{PULLS}/{number}/{_FEEDBACK}/{names[-1]}"].blob])
    return content


def open_feedback(content: bytes, key: Path) -> dict[str, bytes]:
    """Return the files of feedback, by name. Raises UsageError.

    Anybody can encrypt to a public key: what is inside is data of a stranger.
    """
    if not content.startswith(b"PK"):  # else `age` has opened it
        try:
            content = pyrage.decrypt(content, [pyrage.ssh.Identity.from_buffer(key.read_bytes())])
        except (OSError, pyrage.IdentityError) as error:
            raise UsageError(
                f"the key {key} cannot be used: {error}",
                hint="Name a secret SSH key with --identity. If it has a passphrase: "
                f"`age --decrypt --identity {key} FILE | pullbench feedback -`.",
            ) from None
        except pyrage.DecryptError:
            raise UsageError(
                f"this is not encrypted to {key}, or it is damaged",
                hint="It is encrypted to the keys that the forge had when the commit arrived: name "
                "one of them with --identity.",
            ) from None
    try:
        return dict(members(content, max_bytes=_MAX_BYTES))
    except ArchiveError as error:
        raise UsageError(f"this is no feedback: {error}", hint="Is it the whole file?") from None
