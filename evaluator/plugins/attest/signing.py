"""Signs what CI accepts, and what somebody evaluated again."""

import datetime as dt
import hashlib
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from evaluator import __version__
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import SIGNED
from evaluator.ci.scores.ledger_records import Continue
from evaluator.core.errors import UsageError
from evaluator.core.formats.cell import CellId, Place
from evaluator.core.formats.json_reader import UnreadableError, form_reader
from evaluator.core.formats.scores_file import MAX_SCORES_BYTES, ScoresFile, decode
from evaluator.core.formats.settings import Settings
from evaluator.core.log import complain
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import need
from evaluator.plugins.attest.settings import Attest
from evaluator.plugins.attest.statements import (
    ACCEPTED,
    FOLDER,
    KEPT,
    RE_DERIVED,
    Predicate,
    Statement,
    Subject,
    brings_scores,
    digest_of,
    encode_statement,
    lines_of,
    path_begin,
    subject,
)

if TYPE_CHECKING:
    from evaluator.plugins.attest.reading import Signed

KEY_VARIABLE = "PULLBENCH_SIGNING_KEY"


class Signer(Protocol):
    """Signs with a key, or with a workflow's identity."""

    def sign(self, payload: bytes) -> bytes:
        """The content of the file that holds the payload and its signature."""


def signer_of(settings: Settings, *, checks: bool = False) -> Signer | None:
    """What signs here, None if nothing does; ``checks``: what was evaluated again."""
    trust: Attest | None = settings.of_plugins.get("attest")
    if trust is None:
        return None
    if secret := os.environ.get(KEY_VARIABLE):
        need("securesystemslib")
        from evaluator.plugins.attest.keys import KeySigner

        signer = KeySigner(secret)
        if signer.public not in [*trust.keys, *(trust.auditors if checks else ())]:
            raise UsageError(
                f"{KEY_VARIABLE} belongs to {signer.public}, which is not trusted here",
                hint="An organiser adds it to [tool.pullbench.attest] keys on the base branch.",
            )
        return signer
    if trust.identities and "ACTIONS_ID_TOKEN_REQUEST_URL" in os.environ:
        need("sigstore")
        from evaluator.plugins.attest.keyless import KeylessSigner

        return KeylessSigner()
    return None


def sign_scores(
    snapshot: Snapshot, cells: Collection[CellId], files: Mapping[str, bytes | None],
    now: dt.datetime, base: str | None,
) -> Continue | None:  # fmt: skip
    """What says in the ledger which lines CI accepts on a base; None without a signer.

    Without cells it signs on the ``base`` that just landed, so that nobody takes that commit back
    unseen; on a tip, if nobody did so after the last scores; and after a key that is no longer
    listed: what that key signs from then on, and dates back, follows nothing.
    """
    signer = _signer(snapshot, "and `pullbench verify` will say so" if cells else "")
    if signer is None:
        return None
    stems: dict[Place, set[str]] = defaultdict(set)
    for cell in cells:
        stems[cell.place].add(cell.file_stem)
    subjects: list[Subject] = []
    covered: dict[str, list[str]] = {}
    replaces: dict[str, dict[str, str]] = {}
    images: set[str] = set()
    for place, old in zip(stems, snapshot.record_files.files(stems), strict=True):
        path = place.scores_path
        content = files.get(path)
        file = decode(content) if content else None
        new = lines_of(file)
        subjects.append(subject(path, digest_of(new, new.keys() & stems[place])))
        logs_path = place.cell("").logs_path
        if logs := files.get(logs_path):
            subjects.append(subject(logs_path, hashlib.sha256(logs).hexdigest()))
        if new.keys() != stems[place]:
            covered[path] = sorted(new.keys() & stems[place])
            gone = {cell: line for cell, line in lines_of(old).items() if cell in stems[place]}
            if gone:
                replaces[path] = gone
        images |= {run.image_id for run in file.runs.values() if run.image_id} if file else set()
    predicate = _predicate(
        snapshot, now, base=base, images=sorted(images), cells=covered, replaces=replaces
    )

    def follow(ledger: Ledger) -> dict[str, bytes]:
        from evaluator.plugins.attest.reading import chain_end

        end, is_listed = chain_end(snapshot, ledger)
        is_said = end and is_listed and not brings_scores(end[-1].statement)
        if not cells and (not end or (is_said and base in (None, end[-1].predicate.base))):
            return {}
        about = subjects or [subject(FOLDER, end[0].digest)]  # in-toto asks for one
        last = end[-1].statement if end and is_listed else None
        if last and (last.subject, last.predicate.base) == (about, predicate.base):
            return {}  # a job was killed after it signed
        return _follow(end, signer, ACCEPTED, about, predicate)

    return follow


def _signer(snapshot: Snapshot, what_follows: str) -> Signer | None:
    trust: Attest | None = snapshot.settings.of_plugins.get("attest")
    signer = signer_of(snapshot.settings)
    if what_follows and signer is None and trust is not None and trust.asks:
        complain(
            f"nothing signs these scores, {what_follows}: {KEY_VARIABLE} is not in the environment"
        )
    return signer if snapshot.tree.commit else None


def sign_records(
    snapshot: Snapshot, records: Mapping[str, bytes], now: dt.datetime
) -> dict[str, bytes]:
    """What says that CI keeps these files of the ledger: once in each of their folders."""
    signer = _signer(snapshot, "so that `collect` will have the cells evaluated again")
    if signer is None:
        return {}
    folders = {path.rpartition("/")[0] for path in records}
    subjects = [
        subject(path.rpartition("/")[2].partition("-")[0], hashlib.sha256(content).hexdigest())
        for path, content in records.items()
    ]
    content = _signed(signer, KEPT, subjects, _predicate(snapshot, now))
    name = f"{SIGNED}{hashlib.sha256(content).hexdigest()[:16]}.json"
    return {f"{folder}/{name}": content for folder in folders}


def signed_records(settings: Settings, files: Iterable[bytes]) -> frozenset[str] | None:
    """Digests of records that are signed for this repository; None if all records count.

    The keys of today count: no clone of a part of the history knows those of before.
    """
    trust: Attest | None = settings.of_plugins.get("attest")
    if trust is None or not trust.asks:
        return None
    from evaluator.plugins.attest.history import Trust
    from evaluator.plugins.attest.reading import check

    digests: set[str] = set()
    for content in files:
        with suppress(ValueError):  # a stranger's
            signed = check("", content, Trust(trust, settings.forge))
            if signed.statement.predicate_type == KEPT:
                digests |= {one.digest.get("sha256", "") for one in signed.statement.subject}
    return frozenset(digests)


class _Compared(msgspec.Struct):
    """One cell of what ``pullbench reproduce --json`` prints."""

    cell: str
    verdict: str


_read_comparison = form_reader(list[_Compared], max_bytes=MAX_SCORES_BYTES)


def sign_verdicts(
    snapshot: Snapshot, comparison: bytes, by: str, now: dt.datetime, signer: Signer
) -> Continue:
    """What says in the ledger what came of evaluating cells again, if any was.

    ``comparison`` is what ``pullbench reproduce --json`` printed. Raises UsageError.
    """
    try:
        compared = _read_comparison(comparison)
    except UnreadableError as error:
        raise UsageError(
            f"this is not what `pullbench reproduce --json` prints: it {error}",
            hint="Give its standard output, all of it.",
        ) from None
    if not compared:
        return lambda _ledger: {}
    from evaluator.plugins.attest.reading import chain_end

    subjects: dict[str, Subject] = {}
    said: dict[str, str] = {}
    for one in compared:
        *names, stem = one.cell.split("/")
        place = Place(*names) if len(names) == len(Place._fields) else None
        digest = lines_of(snapshot.record_files.file(place)).get(stem) if place else None
        if place and digest is not None:
            name = f"{place.scores_path}#{stem}"
            subjects[name], said[name] = subject(name, digest), one.verdict
    if not subjects:
        raise UsageError(
            "no cell that was evaluated again has a record at HEAD",
            hint="Give the output of `pullbench reproduce --json` at this commit.",
        )
    about, predicate = list(subjects.values()), _predicate(snapshot, now, by=by, verdicts=said)
    return lambda ledger: _follow(
        chain_end(snapshot, ledger)[0], signer, RE_DERIVED, about, predicate
    )


def _images(file: ScoresFile | None) -> set[str]:
    return {run.image_id for run in file.runs.values() if run.image_id} if file else set()


def _predicate(
    snapshot: Snapshot, now: dt.datetime, base: str | None = None, **said: Any
) -> Predicate:
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, number = (os.environ.get(name, "") for name in names)
    return Predicate(
        repository=snapshot.settings.forge, base=base or snapshot.tree.commit or "", at=now,
        evaluator=__version__, run=f"{server}/{repository}/actions/runs/{number}" if number else "",
        **said,
    )  # fmt: skip


def _signed(signer: Signer, kind: str, subjects: list[Subject], predicate: Predicate) -> bytes:
    statement = Statement(subject=subjects, predicate_type=kind, predicate=predicate)
    return signer.sign(encode_statement(statement))


def _follow(
    end: "list[Signed]", signer: Signer, kind: str, subjects: list[Subject], predicate: Predicate
) -> dict[str, bytes]:
    number = max((one.predicate.number for one in end), default=0) + 1
    previous = [one.digest for one in end]
    linked = msgspec.structs.replace(predicate, number=number, previous=previous)
    content = _signed(signer, kind, subjects, linked)
    name = f"{path_begin(number)}{hashlib.sha256(content).hexdigest()[:16]}.json"
    return {name: content}
