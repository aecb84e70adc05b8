"""Attempts: a work that a party entered, once and for good.

An attempt is noted in the ledger when its cells are handed out, and whatever becomes of the pull
request, the files or the records afterwards, it stays. git's history counts for what has no note,
such as all of a clone without the ledger: what stood on the branch was entered. The same work of
the same party is the same attempt, under whatever name and however often it is evaluated; so a
fault of the platform's or of the organiser's costs nothing.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from pydantic import AwareDatetime

from evaluator.ci.git import complete
from evaluator.ci.ledger.arrivals import arrivals
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import ATTEMPTS, RECEIVED, Note, note_json
from evaluator.ci.ledger.shared_quotas import Parties, compared, shared_answer
from evaluator.ci.ledger.versions import Version, Work, entered_content, versions, work_of
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import digest
from evaluator.core.formats.submission import FILE_NAME, Submission, outline
from evaluator.core.git.partial_clone import promisor
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot


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
        """What was entered."""
        return Work(self.phase, self.kind, self.content)


def attempt_file(note: AttemptNote) -> tuple[str, bytes]:
    """Path and content of a note, named by what makes it one attempt; the first stays."""
    benchmark, participant, _ = note.submission.split("/")
    name = digest([note.kind, note.content])[:32]
    return (
        f"{ATTEMPTS}/{benchmark}/{participant.casefold()}/{note.phase}/{name}.json",
        note_json(note),
    )


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A work of a party's."""

    party: str
    submission: str
    """Id under which it was entered."""
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
        self._benchmark = snapshot.benchmarks[benchmark]
        self._parties = Parties(snapshot.settings)
        self._attempts: dict[str, dict[Work, Attempt]] = defaultdict(dict)
        self._by_answer: dict[str, set[tuple[str, Work]]] = defaultdict(set)
        self._stood: dict[str, list[tuple[dt.datetime, Work]]] = defaultdict(list)
        names = {name for participant in participants for name in self._parties.names(participant)}
        everybody = bool(self._benchmark.quota_by)
        for note in _noted(ledger, benchmark, None if everybody else names):
            self._add(note.submission, note.work, note.received, note.shared, noted=True)
        # One question to git for all, or one about few.
        self._names = names if not everybody and len(names) < 20 else None

    def known(self, submission: Submission) -> dt.datetime | None:
        """When a submission came, where all that is judged of it is known without git's history.

        So it is of what has a note. A partial clone does not fetch all history for a phase that
        neither ends nor limits attempts: there the time counts at which CI saw it first, or sees it
        now.
        """
        attempt = self.of(submission)
        if attempt is not None and attempt.noted:
            return attempt.at
        phase = self._benchmark.phase(submission.phase)
        if phase is None or phase.end is not None or phase.limits_attempts:
            return None
        tree = self._snapshot.tree
        if tree.commit is None or not promisor(tree.repository):
            return None
        work = work_of(tree, submission)
        seen = [at for at, came in arrivals(self._ledger, submission.id) if came == work]
        return seen[0] if seen else tree.committed

    def read_history(self) -> None:
        """Add what git alone knows. It changes nothing about attempts that have a note."""
        repo, commit = self._snapshot.tree.repository, self._snapshot.tree.commit
        if commit is not None and (remote := promisor(repo)):
            complete(repo, remote, commit)
        self._add_history(self._names)

    def of(self, submission: Submission) -> Attempt | None:
        """Return the attempt that a submission is; None where it is not committed."""
        attempts = self._attempts[self._parties.of(submission.participant)]
        return attempts.get(work_of(self._snapshot.tree, submission))

    def times(self, submission: Submission) -> list[dt.datetime]:
        """When a submission got its present content: as CI noted it, else as git dates it."""
        work = work_of(self._snapshot.tree, submission)
        seen = [at for at, came in arrivals(self._ledger, submission.id) if came == work]
        stood = [at for at, came in self._stood[submission.id] if came == work]
        return sorted({*seen, *(at for at in stood if not seen or at > seen[0])})

    def came(self, submission: str) -> list[tuple[dt.datetime, Work]]:
        return [*arrivals(self._ledger, submission), *self._stood[submission]]

    def waiting(self, attempt: Attempt, end: dt.datetime, now: dt.datetime) -> Iterator[Attempt]:
        """Yield what else an attempt's party held last, under each name, before a phase ended.

        Of that, pull requests that nobody decided on: neither entered nor on the branch.
        """
        attempts = self._attempts[attempt.party]
        names, folder = self._ledger.entries.names, f"{RECEIVED}/{self._benchmark.name}"
        people = [name for name in names(folder) if self._parties.of(name) == attempt.party]
        for held in [f"{who}/{name}" for who in people for name in names(f"{folder}/{who}")]:
            name = f"{self._benchmark.name}/{held}"
            last = max((one for one in self.came(name) if one[0] < end), default=None)
            if last is None or last[1].kind == "withdrawn" or last[1] == attempt.work:
                continue
            other = replace(attempt, submission=name, at=last[0], work=last[1], noted=False)
            known = attempts.get(other.work)
            if not (known and known.noted) and not self.is_on_branch(other, now):
                yield other

    def is_on_branch(self, attempt: Attempt, now: dt.datetime) -> bool:
        """Whether the branch has or had it, and not only the merge of what is proposed now."""
        stood = self._stood[attempt.submission]
        return any(at < now.replace(microsecond=0) and work == attempt.work for at, work in stood)

    def counted_with(self, submission: Submission) -> Iterator[Attempt]:
        """Yield the attempts that count with a submission: its party's, and sharers'."""
        party = self._parties.of(submission.participant)
        answer = shared_answer(submission.fact_sheet, self._benchmark.quota_by)
        yield from self._attempts[party].values()
        for other, work in self._by_answer[answer] if answer else ():
            if other != party:
                yield self._attempts[other][work]

    def note(self, attempt: Attempt, at: dt.datetime) -> None:
        """Count an attempt from now on, as of a time."""
        self._attempts[attempt.party][attempt.work] = replace(attempt, at=at, noted=True)

    def _add(
        self, submission: str, work: Work, at: dt.datetime, answer: object, *, noted: bool
    ) -> None:
        party = self._parties.of(submission.split("/")[1])
        attempts = self._attempts[party]
        answers = frozenset(filter(None, [compared(answer)]))
        attempt = attempts.get(work) or Attempt(
            party=party, submission=submission, work=work, at=at, noted=noted, answers=answers
        )
        attempts[work] = replace(
            attempt,
            at=attempt.at if attempt.noted else min(attempt.at, at),
            answers=attempt.answers | answers,
        )
        for given in answers:
            self._by_answer[given].add((party, work))

    def _add_history(self, names: Collection[str] | None) -> None:
        tree, benchmark = self._snapshot.tree, self._benchmark
        history = versions(tree, benchmark.name, names)
        cards = _cards(tree, history.values())
        for submission, submission_versions in history.items():
            before: Work | None = None
            seen = {work: at for at, work in reversed(arrivals(self._ledger, submission))}
            for version in submission_versions:
                entered = _entered(version, cards, benchmark)
                if entered is not None:
                    work, answer = entered
                    if work != before:
                        self._stood[submission].append((version.at, work))
                    at = seen.get(work, version.at)
                    self._add(submission, work, at, answer, noted=False)
                before = entered and entered[0]


def _noted(
    ledger: Ledger, benchmark: str, participants: Collection[str] | None
) -> Iterator[AttemptNote]:
    """Yield the notes of all participants, or of some by their names in lower case."""
    folder = f"{ATTEMPTS}/{benchmark}"
    folders = [folder] if participants is None else [f"{folder}/{name}" for name in participants]
    paths = [path for place in folders for path in ledger.below(place)]
    yield from ledger.notes(paths, AttemptNote)


def _cards(tree: Tree, histories: Collection[Collection[Version]]) -> Mapping[str, bytes]:
    """Contents of the submission.yaml of all versions, by git's id."""
    ids = {
        entry.blob
        for versions in histories
        for version in versions
        if (entry := version.files.get(FILE_NAME)) is not None and entry.is_regular
    }
    ordered = sorted(ids)
    return dict(zip(ordered, tree.blobs(ordered), strict=True))


def _entered(
    version: Version, cards: Mapping[str, bytes], benchmark: Benchmark
) -> tuple[Work, object] | None:
    """Return what a version entered, and what it answered; None where it entered nothing."""
    card = version.files.get(FILE_NAME)
    if card is None or card.blob not in cards or not version.content:
        return None
    outlined = outline(
        cards[card.blob],
        version.files.keys(),
        benchmark,
        [path for path, entry in version.files.items() if entry.mode == "100755"],
    )
    if outlined is None or outlined.entry.cancelled or not outlined.kind.is_evaluated:
        return None
    answer = outlined.entry.fact_sheet.get(benchmark.quota_by) if benchmark.quota_by else None
    content = entered_content(version.content, outlined.entry.environment)
    return Work(outlined.phase.slug, outlined.kind.name, content), answer
