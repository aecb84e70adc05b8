"""Entries of a race in order of arrival, and which of a pull request's are records."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from evaluator.ci.forge.inert_markdown import name, number, quoted
from evaluator.ci.ledger.arrivals import order_of_adding, received
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import APPROVED, PULLS, RECEIVED, Approval
from evaluator.ci.ledger.versions import NO_CONTENT, Work, entered_content, work_of
from evaluator.ci.opened.heads import MovedError
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.case import still_open
from evaluator.ci.policy.waiting import Waits, last_waits, may_end, waiting_file
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.ci.scores.validation import Accepted, with_accepted
from evaluator.core.errors import RefusedError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.git.tree import Tree
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import Names, SnapshotTables, read_tables
from evaluator.core.planning.plan import accept_all, make_plan
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.plugins import Contract

Moment = tuple[dt.datetime, int]
"""When something came, and its place among what the ledger got with the same time."""


class ComparedEntry(Protocol):
    """An entry, compared with the best before it."""

    @property
    def row(self) -> Row: ...

    def sentence(
        self, name: Callable[[Row], str], number: Callable[[float, int], str],
        title: Callable[[str], str] = str,
    ) -> str:  # fmt: skip
        """Say what it was; write the name of a row, a value in decimals, a column's title."""


BESTS = Contract[Callable[[PublicBoard, Mapping[str, Moment]], Sequence[ComparedEntry]]]("records")
"""From a board and arrivals by submission's id."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A work of a submission, as a head brought it."""

    submission: str
    work: Work
    head: str
    pull_request: int | None
    moment: Moment


def entries_of(
    ledger: Ledger, benchmark: str, asked: Callable[[str, Work], bool] = lambda *_: True
) -> list[Entry]:
    """Entries that ever arrived at a benchmark, all or those asked for, in order of arrival."""
    every = list(received(ledger, benchmark, asked))
    is_shared = len({note.at for _, note, _ in every}) < len(every)
    order = order_of_adding(ledger, f"{RECEIVED}/{benchmark}") if is_shared else {}
    entries = [
        Entry(
            submission="/".join(path.split("/")[1:4]), work=work, head=note.head,
            pull_request=note.pull_request, moment=(note.at, order.get(path, 0)),
        )
        for path, note, work in every
    ]  # fmt: skip
    return sorted(entries, key=lambda entry: (entry.moment, entry.submission))


def _first_moments(entries: Iterable[Entry]) -> Mapping[tuple[str, Work], Moment]:
    """When each work of a submission came first."""
    first: dict[tuple[str, Work], Moment] = {}
    for entry in entries:
        first.setdefault((entry.submission, entry.work), entry.moment)
    return first


def _quoted_id(row: Row) -> str:
    return quoted(row.submission.id.partition("/")[2])


@dataclass(frozen=True)
class Race:
    """A pull request among all that came to one benchmark with a rule of records."""

    pull: PullRequest
    benchmark: Benchmark

    @cached_property
    def earlier(self) -> Mapping[int, Approval]:
        """Pull requests with approved entries that arrived before and are not on the base branch.

        In order of arrival, each with its last approval: they count before anybody merges them.
        """
        ledger, after = self.pull.ledger, self.pull.after
        works = {item.id: work_of(after.tree, item) for item in after.submissions
                 if item.id in self.pull.submissions}  # fmt: skip
        phases = {work.phase for work in works.values()}

        def is_unmerged(name: str, work: Work) -> bool:
            is_near = work.phase in phases and work.kind != "withdrawn"
            return is_near and not self._is_in(self.pull.before.tree, name, work)

        entries = entries_of(
            ledger, self.benchmark.name,
            lambda name, work: works.get(name) == work or is_unmerged(name, work),
        )  # fmt: skip
        first = _first_moments(entries)
        last = max(filter(None, map(first.get, works.items())), default=None)
        heads: dict[int, set[str]] = defaultdict(set)
        for entry in entries:
            if (
                last is not None
                and first[entry.submission, entry.work] < last
                and entry.pull_request not in (None, self.pull.ref.number)
                and is_unmerged(entry.submission, entry.work)
            ):
                heads[entry.pull_request or 0].add(entry.head)
        numbers = self._still_open(heads)
        ledger.entries.read_folders(f"{PULLS}/{number}/{APPROVED}/" for number in numbers)
        approvals = {
            number: [one for one in ledger.approvals_of(number) if one.head in heads[number]]
            for number in numbers
        }
        ledger.read_about(one for several in approvals.values() for one in several)
        valid = {
            number: [one for one in several if ledger.approval_of(number, one.tree, one.changed)]
            for number, several in approvals.items()
        }
        return {number: several[-1] for number, several in valid.items() if several}

    @cached_property
    def unfinished(self) -> list[int]:
        """Those of ``earlier`` that are not evaluated yet, and not overdue."""
        ledger, now = self.pull.ledger, self.pull.now
        hours = self.pull.before.settings.progress_hours
        return sorted(n for n, one in self.earlier.items() if may_end(ledger, one, hours, now))

    def _is_in(self, tree: Tree, submission: str, work: Work) -> bool:
        path = f"submissions/{submission}"
        if path not in tree.entries.folders:
            return False
        # Of a thousand entries no submission.yaml is read, which names the environment.
        files = tree.digest(path, NO_CONTENT)
        environments = ("", *self.benchmark.environments)
        return any(entered_content(files, one) == work.content for one in environments)

    def _still_open(self, heads: Mapping[int, Collection[str]]) -> list[int]:
        """Leave out what has ended, and note it: thousands may have, and each is asked for once."""
        pull, last = self.pull, last_waits(self.pull.ledger, heads)
        closed = {number for number, waits in last.items() if waits.why == "closed"}
        remaining = still_open(pull.before.settings, heads.keys(), closed)
        ended = [
            (number, Waits(head=min(heads[number]), at=pull.now, why="closed", actor=None,
                           reason="It is closed."))
            for number in heads.keys() - closed - {*remaining}
        ]  # fmt: skip
        pull.add_notes(dict(waiting_file(*one) for one in ended))
        return remaining

    def sentences(
        self, records: Mapping[CellId, Accepted], read: Mapping[Names, SnapshotTables],
        boards: Mapping[Names, PublicBoard],
    ) -> list[str]:  # fmt: skip
        """Say in Markdown which entries are records.

        ``read`` has phases with what the pull request merges, and ``boards`` those made of them.
        """
        sentences, benchmark = [], self.benchmark.name
        merged = {slug: one for (name, slug), one in read.items() if name == benchmark}
        snapshot = self._with_all(records, merged)
        bundle = snapshot.benchmarks[benchmark]
        first = _first_moments(entries_of(self.pull.ledger, benchmark))
        arrivals = {
            item.id: moment
            for item in snapshot.submissions
            if (moment := first.get((item.id, work_of(snapshot.tree, item)))) is not None
        }
        entered = self.pull.submissions
        phases = {item.phase for item in snapshot.submissions if item.id in entered}
        for phase in [phase for phase in bundle.phases if phase.slug in phases]:
            tables = merged.get(phase.slug)
            if tables is not None and tables.snapshot is snapshot:
                board = boards[benchmark, phase.slug]
            else:
                tables = read_tables(snapshot, self.pull.now, only=(benchmark, phase.slug))
                board = publish(tables.board(bundle, phase))
            sentences += [
                one.sentence(_quoted_id, number, name)
                for compare in BESTS.values()
                for one in compare(board, arrivals)
                if one.row.submission.id in entered
            ]
        return sentences

    def _with_all(
        self, records: Mapping[CellId, Accepted], merged: Mapping[str, SnapshotTables]
    ) -> Snapshot:
        """The base with all evaluated but unmerged entries, and the ledger's records."""
        pull, every = self.pull, None
        snapshot = next((one.snapshot for one in merged.values()), None)
        phases = {item.phase for item in pull.after.submissions if item.id in pull.submissions}
        if snapshot is None or self.earlier:
            tree = self._merged_tree()
            snapshot = with_accepted(read_snapshot(tree, only=self.benchmark.name), records)
        elif phases <= merged.keys() and not self.benchmark.entries_change_others:
            every = [cell for one in merged.values() for cell in one.open]  # no others matter here
        table = CellTable(make_plan(snapshot, pull.now, accept_all, every).missing)
        table.adopt(pull.ledger, pull.now, pull.before.settings)
        return with_accepted(snapshot, table.records) if table.records else snapshot

    def _merged_tree(self) -> Tree:
        heads = {number: approval.head for number, approval in self.earlier.items()}
        tree = self.pull.base_tree
        for each, head in [*heads.items(), (self.pull.ref.number, self.pull.head)]:
            ref = replace(self.pull.ref, base=tree.commit or "", head=head, number=each)
            try:
                one = open_pull_request(self.pull.repo, ref, self.pull.now, tree)
            except (MovedError, RefusedError):
                continue  # It cannot be merged as it is: a corrected one arrives later.
            tree = one.merged_tree
        return tree


def races(pull: PullRequest) -> list[Race]:
    """The races that a pull request enters."""
    names = {name.partition("/")[0] for name in pull.submissions}
    return [
        Race(pull, benchmark)
        for name, benchmark in sorted(pull.before.benchmarks.items())
        if name in names and "accept" in benchmark.of_plugins
    ]
