"""Who shares a quota: whoever gives the same answer to a question, such as an address.

``pullbench.quota_by`` names the question. An answer is compared without its case. What was
answered when an attempt came counts for ever, so that a corrected answer frees nobody.
"""

import unicodedata
from collections.abc import Collection

from evaluator.errors import Actor
from evaluator.formats.fact_sheet import answer_text
from evaluator.formats.schema import read_yaml
from evaluator.formats.submission import FILE_NAME, Submission
from evaluator.planning.ledger import Ledger
from evaluator.planning.snapshot import Snapshot


def answer_of(snapshot: Snapshot, submission: Submission) -> str:
    """Return what a submission shares its quota by, as it is compared; empty for nothing."""
    question = snapshot.benchmarks[submission.benchmark].quota_by
    return _compared(submission.fact_sheet.get(question)) if question else ""


def answers_at(snapshot: Snapshot, submission: Submission, commit: str) -> frozenset[str]:
    """Return what a submission answers now, and what it answered in a commit."""
    question = snapshot.benchmarks[submission.benchmark].quota_by
    if not question:
        return frozenset()
    path = f"{submission.path}/{FILE_NAME}"
    content = snapshot.tree.at(commit, submission.path).read([path]).get(path, b"")
    data = read_yaml(content, path, Actor.PARTICIPANT).data
    sheet = data.get("fact_sheet") if isinstance(data, dict) else None
    then = sheet.get(question) if isinstance(sheet, dict) else None
    found = (answer_of(snapshot, submission), _compared(then))
    return frozenset(filter(None, found))


def sharers(snapshot: Snapshot, ledger: Ledger, benchmark: str) -> set[str]:
    """Return all participants of a benchmark, those whose work is approved and unmerged, too."""
    approved = (item.id.split("/") for one in ledger.approvals for item in one.submissions)
    return {
        *(participant for name, participant in snapshot.by_participant if name == benchmark),
        *(participant for name, participant, _ in approved if name == benchmark),
    }


def others_of_shared_quotas(taken: Snapshot, participants: Collection[str]) -> frozenset[str]:
    """Return ``benchmark/participant`` of all who may share a quota with one of those."""
    names = {one.partition("/")[0] for one in participants}
    sharing = tuple(
        f"submissions/{name}/"
        for name in names
        if name in taken.benchmarks and taken.benchmarks[name].quota_by
    )
    return frozenset(
        "/".join(path.split("/")[1:3])
        for path in taken.tree.entries.folders
        if path.startswith(sharing)
    )


def _compared(answer: object) -> str:
    if answer is None or isinstance(answer, dict | list):
        return ""  # which no question accepts
    text = answer_text(answer) if isinstance(answer, str | bool) else str(answer)
    return unicodedata.normalize("NFKC", text).strip().casefold()
