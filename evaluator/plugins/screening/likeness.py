"""Copies and near copies: what a pull request enters, against what came before it.

CI notes each entry's fingerprints when it arrives, so the ledger's times alone say who was first.
Files of starting kits and solutions do not count.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from pydantic import AwareDatetime

from evaluator.ci.git.partial_clone import fetch_missing
from evaluator.ci.ledger.attempts import Parties
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import PULLS, RECEIVED, Note, note_json, shard
from evaluator.ci.ledger.versions import NO_CONTENT, work_of
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.reviews import Opinion, Review
from evaluator.core.formats.archive import ArchiveError, members
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import digest
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot, read_decisions
from evaluator.plugins.screening.fingerprints import ENOUGH, marks_of, shared_part, weight
from evaluator.plugins.screening.screening import SCREENS, VerdictNote

LIKENESS = "likeness"
"""Folder of the ledger, and of a pull request in it."""
NEAR = 0.8
"""Part of the smaller of two entries that is also in the other, from which they are near copies.

Each word that differs costs 16 runs: so this is nine tenths of the words or more."""
_INDEXED = 4
"""Fingerprints by which an entry is found, from either end of their order."""
_MAX_SHIPPED = 16 * 2**20
"""Bytes of a zip that a bundle ships."""


class Likeness(Note):
    """The fingerprints of one entry, and when it came."""

    submission: str
    pull_request: int
    tree: str
    """Digest of all that the entry would hold, as merged then, without scores."""
    at: AwareDatetime
    content: str
    """Digest of its files."""
    marks: tuple[str, ...]
    based_on: tuple[str, ...] = ()
    """Submissions on the base branch that its author says it builds on."""


@dataclass(frozen=True, kw_only=True)
class Copy:
    """An entry that is a copy of an earlier one."""

    entry: Likeness
    earlier: Likeness
    how: str
    fate: str
    """What became of the earlier one, if it was refused, disqualified or withdrawn."""

    def __str__(self) -> str:
        came = (f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M:%S} UTC"
                for at in (self.entry.at, self.earlier.at))  # fmt: skip
        earlier, fate = self.earlier, f" and {self.fate}" if self.fate else ""
        return (
            f"{self.entry.submission}, which came at {next(came)}, is {self.how} "
            f"{earlier.submission} of pull request {earlier.pull_request}, which came at "
            f"{next(came)}{fate}."
        )


def noted_likenesses(pull: PullRequest) -> list[Likeness]:
    """What is noted of its entries as they would be merged now."""
    folder, trees = f"{PULLS}/{pull.ref.number}/{LIKENESS}", {*pull.contents.values()}
    names = [name for name in pull.ledger.entries.names(folder) if name.split("-")[0] in trees]
    notes = pull.ledger.notes((f"{folder}/{name}" for name in names), Likeness)
    return [note for _, note in notes if pull.contents.get(note.submission) == note.tree]


def _shipped(tree: Tree, benchmark: Benchmark) -> Iterator[bytes]:
    """Yield the files of starting kits and solutions, as the base branch has them."""
    kits = [*(phase.starting_kit for phase in benchmark.phases),
            *(solution.path for solution in benchmark.solutions)]  # fmt: skip
    for path in dict.fromkeys(f"{benchmark.path}/{kit}" for kit in kits if kit):
        content = tree.read([path]).get(path)
        if content is None:
            yield from tree.stream(tree.under(path))
            continue
        yield content
        with suppress(ArchiveError):
            yield from (member for _, member in members(content, max_bytes=_MAX_SHIPPED))


def copies(ledger: Ledger, base: Snapshot, entries: Iterable[Likeness]) -> list[Copy]:
    """What entries are copies of, or near copies, the earliest first.

    It compares with all earlier entries of other parties, and with refused, disqualified or
    withdrawn ones of the same party. Code belongs to the party that entered it first, so nobody
    becomes a copier because somebody copied an open pull request. An entry may hold code of what
    it says it is based on, if it is not the same.
    """
    parties = Parties(base.settings)
    copies_found: list[Copy] = []
    for entry in entries:
        party, others = _party(parties, entry), _found_by(ledger, entry)
        first: dict[str, str] = {}
        for other in others:
            for mark in other.marks:
                first.setdefault(mark, _party(parties, other))
        credited = {
            mark for other in others
            if other.submission in entry.based_on and other.marks != entry.marks
            and not _fate(ledger, base, other) for mark in other.marks
        }  # fmt: skip
        uncredited = {*entry.marks} - credited
        for other in others if weight(uncredited) >= ENOUGH else ():
            is_mine, fate = _party(parties, other) == party, _fate(ledger, base, other)
            if other.at >= entry.at or (is_mine and not fate):
                continue
            among = {mark for mark in other.marks if is_mine or first[mark] != party}
            if shared_part(uncredited, other.marks, among) >= NEAR:
                how = _how(entry, other)
                copies_found.append(Copy(entry=entry, earlier=other, how=how, fate=fate))
    return sorted(copies_found, key=lambda copy: copy.earlier.at)


class Copies(Review):
    """Asks an organiser to compare an entry with an earlier one that is like it."""

    @cached_property
    def entered(self) -> list[Likeness]:
        """Fingerprints of what a pull request enters: the noted ones, or else computed."""
        pull = self.pull
        number, tree = pull.ref.number, pull.after.tree
        notes = noted_likenesses(pull)
        noted = {note.submission for note in notes}
        for item in pull.content_entered if number is not None else ():
            benchmark = pull.before.benchmarks.get(item.benchmark)
            if item.id in noted or benchmark is None:
                continue
            paths = [
                path for path in tree.under(item.path)
                if path[len(item.path) + 1 :].partition("/")[0] not in NO_CONTENT
            ]  # fmt: skip
            fetch_missing(pull.repo, [tree.entries[path].blob for path in paths])
            code = not item.kind.holds_predictions
            shipped = _shipped(pull.before.tree, benchmark)
            marks = marks_of(benchmark.name, tree.stream(paths), shipped, code=code)
            if weight(marks) >= ENOUGH:
                named = item.of_plugins.get("based_on", ())
                note = Likeness(
                    submission=item.id, pull_request=number, tree=pull.contents[item.id],
                    at=pull.now,
                    content=work_of(tree, item).content, marks=tuple(sorted(marks)),
                    based_on=tuple(f"{item.benchmark}/{name}" for name in named),
                )  # fmt: skip
                notes.append(note)
        return notes

    def opinions(self, ledger: Ledger) -> Iterator[Opinion]:
        for copy in copies(ledger, self.pull.before, self.entered):
            reason = f"An organiser compares it: {copy}"
            yield Opinion(verdict="ask", submission=copy.entry.submission, reason=reason)

    def arrival_notes(self) -> dict[str, bytes]:
        """The notes, by pull request and by some fingerprints."""
        files: dict[str, bytes] = {}
        for note in self.entered:
            number, content = note.pull_request, note_json(note)
            name = f"{note.tree}-{digest(note.submission)[:16]}.json"
            files[f"{PULLS}/{number}/{LIKENESS}/{name}"] = content
            for mark in (*note.marks[:_INDEXED], *note.marks[-_INDEXED:]):
                files[f"{shard(LIKENESS, mark)}/{mark}-{number}-{name}"] = content
        return files


def _how(entry: Likeness, other: Likeness) -> str:
    if entry.content == other.content:
        return "the same files as"
    same = entry.marks == other.marks
    return "the same, but for names and formatting, as" if same else "in large part the same as"


def _party(parties: Parties, note: Likeness) -> str:
    return parties.party_of(note.submission.split("/")[1])


def _found_by(ledger: Ledger, entry: Likeness) -> Sequence[Likeness]:
    """The entries that have a fingerprint in common, in the order in which they came."""
    marks = {*entry.marks}
    folders = {shard(LIKENESS, mark) for mark in marks}
    ledger.entries.read_folders(f"{folder}/" for folder in folders)
    paths: dict[str, str] = {}
    for folder in sorted(folders):
        for name in ledger.entries.names(folder):
            mark, _, rest = name.partition("-")
            if mark in marks:
                paths[rest] = f"{folder}/{name}"
    notes = ledger.notes(paths.values(), Likeness)
    mine = (entry.pull_request, entry.submission, entry.content)  # whether withdrawn or not
    others = (
        note for _, note in notes
        if (note.pull_request, note.tree) != (entry.pull_request, entry.tree)
        and (note.pull_request, note.submission, note.content) != mine
    )  # fmt: skip
    return sorted(others, key=lambda note: note.at)


def _fate(ledger: Ledger, base: Snapshot, entry: Likeness) -> str:
    name, _, submission = entry.submission.partition("/")
    benchmark = base.benchmarks.get(name)
    decisions = read_decisions(base, benchmark)[0] if benchmark else ()
    last = next((item for item in reversed(decisions) if item.submission == submission), None)
    if last and last.decision == "refused" and entry.content.startswith(last.content):
        return f"was disqualified on {last.date}"
    folder = shard(SCREENS, entry.tree)
    notes = [f"{folder}/{path}" for path in ledger.entries.names(folder)
             if path.startswith(f"{entry.tree}-")]  # fmt: skip
    for _, note in ledger.notes(notes, VerdictNote):
        if note.submission == entry.submission and note.verdict == "refuse":
            return f"was refused by the screen on {note.at:%Y-%m-%d}"
    received = ledger.entries.below(f"{RECEIVED}/{entry.submission}")
    if any(path.split("/")[-2].startswith("withdrawn-") for path in received):
        return "was withdrawn"
    return ""
