"""Attempts: a work that a party entered, once and for good.

An attempt is noted in the ledger when its cells are handed out, and whatever becomes of the pull
request, the files or the records afterwards, it stays. git's history counts for what has no note,
such as all of a clone without the ledger: what stood on the branch was entered. The same work of
the same party is the same attempt, under whatever name and however often it is evaluated; so a
fault of the platform's or of the organiser's costs nothing.
"""

import datetime as dt
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pydantic import AwareDatetime

from evaluator.ci.git.partial_clone import promisor
from evaluator.ci.git.remote import complete
from evaluator.ci.ledger.arrivals import arrivals, first_arrival
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import ATTEMPTS, RECEIVED, Note, note_json
from evaluator.ci.ledger.versions import Version, Work, entered_content, versions, work_of
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import digest
from evaluator.core.formats.fact_sheet import answer_text
from evaluator.core.formats.settings import Settings
from evaluator.core.formats.submission import FILE_NAME, Submission, outline
from evaluator.core.git.commands import read_blobs
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot


class Parties:
    """Participants that count as one, by the settings of the base branch."""

    def __init__(self, settings: Settings) -> None:
        self._members: dict[str, frozenset[str]] = {}
        for team, members in settings.teams.items():
            joined = {team.casefold(), *(member.casefold() for member in members)}
            for name in list(joined):
                joined |= self._members.get(name, frozenset())
            self._members |= dict.fromkeys(joined, frozenset(joined))

    def names(self, participant: str) -> frozenset[str]:
        name = participant.casefold()
        return self._members.get(name, frozenset([name]))

    def party_of(self, participant: str) -> str:
        return min(self.names(participant))


def shared_answer(fact_sheet: Mapping[str, object], question: str) -> str:
    return normalise_answer(fact_sheet.get(question)) if question else ""


def normalise_answer(answer: object) -> str:
    """Reduce an answer so that those are equal that are one.

    Case does not count, nor do blanks and what cannot be seen. Of an address neither do the dots
    before the ``@``, nor a ``+`` and what follows it there, nor quotes around that, nor which of
    its two forms a host with other letters has: the mail arrives in one place.
    """
    if answer is None or isinstance(answer, dict | list):
        return ""  # which no question accepts
    text = answer_text(answer) if isinstance(answer, str | bool) else str(answer)
    folded = "".join(
        character
        for character in unicodedata.normalize("NFKC", text).casefold()
        if unicodedata.category(character)[0] not in "CZ"
    )
    name, at, host = folded.rpartition("@")
    mailbox = name.strip('"').partition("+")[0].replace(".", "")
    return f"{mailbox}@{_ascii(host.rstrip('.'))}" if at and mailbox and host else folded


def _ascii(host: str) -> str:
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


class AttemptNote(Note):
    """That cells of a work were handed out; it counts for ever."""

    submission: str
    """``benchmark/participant/name`` at that time."""
    phase: str
    kind: str
    content: str
    received: AwareDatetime
    """When it came: the time that counts."""
    shared: str = ""
    """Answer by which the benchmark lets participants share quotas; empty for none."""

    @property
    def work(self) -> Work:
        return Work(self.phase, self.kind, self.content)


def attempt_file(note: AttemptNote) -> tuple[str, bytes]:
    """Path and content of a note, named by what makes it one attempt; the first stays."""
    benchmark, participant, _ = note.submission.split("/")
    name = digest([note.kind, note.content])[:32]
    path = f"{ATTEMPTS}/{benchmark}/{participant.casefold()}/{note.phase}/{name}.json"
    return path, note_json(note)


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A work of a party's."""

    party: str
    submission: str
    work: Work
    at: dt.datetime
    """When it came, in UTC."""
    noted: bool
    """Whether its cells were handed out; else it is known from git alone."""
    answers: frozenset[str]
    """All that it ever answered to the question by which quotas are shared."""


class Attempts:
    """The attempts of one benchmark that count with those of some participants."""

    def __init__(
        self, snapshot: Snapshot, ledger: Ledger, benchmark: str, participants: Collection[str]
    ) -> None:
        self._snapshot = snapshot
        self._ledger = ledger
        self.benchmark = snapshot.benchmarks[benchmark]
        self._parties = Parties(snapshot.settings)
        self._attempts: dict[str, dict[Work, Attempt]] = defaultdict(dict)
        self._by_answer: dict[str, set[tuple[str, Work]]] = defaultdict(set)
        self._on_branch: dict[str, list[tuple[dt.datetime, Work]]] = defaultdict(list)
        names = {name for participant in participants for name in self._parties.names(participant)}
        everybody = bool(self.benchmark.quota_by)
        folder = f"{ATTEMPTS}/{benchmark}"
        folders = [folder] if everybody else [f"{folder}/{name}" for name in names]
        paths = [path for folder in folders for path in ledger.entries.below(folder)]
        for _, note in ledger.notes(paths, AttemptNote):
            self._add(note.submission, note.work, note.received, note.shared, noted=True)
        self.names = None if everybody else names
        """Participants who share a quota, in lower case; None if these may be all."""

    def received_at(self, submission: Submission) -> dt.datetime | None:
        """When a submission came, if that is known without git's history.

        So it is of what has a note, and in a partial clone for a phase that neither ends nor limits
        attempts: there the time counts at which CI saw it first, or sees it now.
        """
        attempt = self.attempt_of(submission)
        if attempt is not None and attempt.noted:
            return attempt.at
        phase = self.benchmark.phase(submission.phase)
        if phase is None or phase.end is not None or phase.limits_attempts:
            return None
        tree = self._snapshot.tree
        if tree.commit is None or not self._promisor:
            return None
        first = first_arrival(self._ledger, submission.id, work_of(tree, submission))
        return first or tree.committed

    @cached_property
    def _promisor(self) -> str:
        return promisor(self._snapshot.tree.repository)

    def attempt_of(self, submission: Submission) -> Attempt | None:
        """The attempt that a submission is; None where it is not committed."""
        attempts = self._attempts[self._parties.party_of(submission.participant)]
        return attempts.get(work_of(self._snapshot.tree, submission))

    def times(self, submission: Submission) -> list[dt.datetime]:
        """When a submission got its present content: as CI noted it, else as git dates it."""
        work = work_of(self._snapshot.tree, submission)
        noted = [at for at, other in arrivals(self._ledger, submission.id) if other == work]
        commits = [at for at, other in self._on_branch[submission.id] if other == work]
        return sorted({*noted, *(at for at in commits if not noted or at > noted[0])})

    def arrivals_of(self, submission: str) -> list[tuple[dt.datetime, Work]]:
        return [*arrivals(self._ledger, submission), *self._on_branch[submission]]

    def waiting(self, attempt: Attempt, end: dt.datetime, now: dt.datetime) -> Iterator[Attempt]:
        """Yield what else a party held last before a phase ended, and nobody decided on."""
        attempts = self._attempts[attempt.party]
        names, folder = self._ledger.entries.names, f"{RECEIVED}/{self.benchmark.name}"
        people = [name for name in names(folder) if self._parties.party_of(name) == attempt.party]
        for held in [f"{who}/{name}" for who in people for name in names(f"{folder}/{who}")]:
            name = f"{self.benchmark.name}/{held}"
            last = max((one for one in self.arrivals_of(name) if one[0] < end), default=None)
            if last is None or last[1].kind == "withdrawn" or last[1] == attempt.work:
                continue
            other = replace(attempt, submission=name, at=last[0], work=last[1], noted=False)
            known = attempts.get(other.work)
            if not (known and known.noted) and not self.is_on_branch(other, now):
                yield other

    def is_on_branch(self, attempt: Attempt, now: dt.datetime) -> bool:
        """Whether the branch has or had it, and not only the merge of what is proposed now."""
        commits = self._on_branch[attempt.submission]
        return any(at < now.replace(microsecond=0) and work == attempt.work for at, work in commits)

    def made_by(self, participant: str) -> Collection[Attempt]:
        return self._attempts[self._parties.party_of(participant)].values()

    def sharing_quota_with(self, submission: Submission) -> Iterator[Attempt]:
        party = self._parties.party_of(submission.participant)
        answer = shared_answer(submission.fact_sheet, self.benchmark.quota_by)
        yield from self.made_by(submission.participant)
        for other, work in self._by_answer[answer] if answer else ():
            if other != party:
                yield self._attempts[other][work]

    def note(self, attempt: Attempt, at: dt.datetime) -> None:
        self._attempts[attempt.party][attempt.work] = replace(attempt, at=at, noted=True)

    def _add(
        self, submission: str, work: Work, at: dt.datetime, answer: object, *, noted: bool
    ) -> None:
        party = self._parties.party_of(submission.split("/")[1])
        attempts = self._attempts[party]
        answers = frozenset(filter(None, [normalise_answer(answer)]))
        attempt = attempts.get(work) or Attempt(
            party=party, submission=submission, work=work, at=at, noted=noted, answers=answers
        )
        attempts[work] = replace(
            attempt,
            at=attempt.at if attempt.noted else min(attempt.at, at),
            answers=attempt.answers | answers,
        )
        for each in answers:
            self._by_answer[each].add((party, work))

    def add_versions(
        self, submission: str, its_versions: Sequence[Version], cards: Mapping[str, bytes]
    ) -> None:
        before: Work | None = None
        first = {work: at for at, work in reversed(arrivals(self._ledger, submission))}
        for version in its_versions:
            entered = self._present(submission, version) or _work_of_version(
                version, cards, self.benchmark
            )
            if entered is not None:
                work, answer = entered
                if work != before:
                    self._on_branch[submission].append((version.at, work))
                self._add(submission, work, first.get(work, version.at), answer, noted=False)
            before = entered and entered[0]

    def _present(self, submission: str, version: Version) -> tuple[Work, object] | None:
        """What a version entered that is what the snapshot has: that was read already."""
        entry, tree = self._snapshot.by_id.get(submission), self._snapshot.tree
        if entry is None or not entry.kind.is_evaluated or entry.cancelled:
            return None
        if self.benchmark.quota_by:  # it takes what was answered, as it was written
            return None
        folder, start = tree.entries.folders[entry.path], len(entry.path) + 1
        files = {path[start:]: folder.entries[path] for path in folder.submitted}
        return (work_of(tree, entry), None) if version.files == files else None


def read_history(tree: Tree, several: Sequence[Attempts]) -> None:
    """Add what git alone knows of benchmarks. It changes nothing about what has a note."""
    if tree.commit is None or not several:
        return
    if remote := promisor(tree.repository):
        complete(tree.repository, remote, tree.commit)
    by_name = {one.benchmark.name: one for one in several}
    history = versions(tree, {name: one.names for name, one in by_name.items()})
    files = (version.files.get(FILE_NAME) for each in history.values() for version in each)
    ids = sorted({card.blob for card in files if card is not None and card.is_regular})
    cards = dict(zip(ids, read_blobs(tree.repository, ids, b""), strict=True))
    for submission, its_versions in history.items():
        by_name[submission.partition("/")[0]].add_versions(submission, its_versions, cards)


def _work_of_version(
    version: Version, cards: Mapping[str, bytes], benchmark: Benchmark
) -> tuple[Work, object] | None:
    """What a version entered, and what it answered; None where it entered nothing."""
    card = version.files.get(FILE_NAME)
    if card is None or card.blob not in cards or not version.content:
        return None
    executable = [path for path, entry in version.files.items() if entry.mode == "100755"]
    outlined = outline(cards[card.blob], version.files.keys(), benchmark, executable)
    if outlined is None or outlined.entry.cancelled or not outlined.kind.is_evaluated:
        return None
    answer = outlined.entry.fact_sheet.get(benchmark.quota_by) if benchmark.quota_by else None
    content = entered_content(version.content, outlined.entry.environment)
    return Work(outlined.phase.slug, outlined.kind.name, content), answer
