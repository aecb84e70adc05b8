"""Entries of a race in the ledger's order of arrival, and what a pull request's are among them."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.ledger.arrivals import Received
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import APPROVED, PULLS, RECEIVED
from evaluator.ci.ledger.versions import Work, work_of
from evaluator.ci.policy.waiting import waits_of
from evaluator.ci.pull_requests.heads import MovedError
from evaluator.ci.pull_requests.inert_markdown import name, number, quoted
from evaluator.ci.pull_requests.pull_request import PullRequest, open_pull_request
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.core.errors import RefusedError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.git.tree import read_tree
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.snapshot_boards import read_tables
from evaluator.core.planning.plan import accept_all, make_plan
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.plugins import load_all

Moment = tuple[dt.datetime, int]
"""When something came, and its place among what the ledger got with the same time."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A work of a submission, as a head brought it."""

    submission: str
    work: Work
    head: str
    pull_request: int | None
    came: Moment


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """Pull requests with entries that arrived before, by number: they count before a merge."""

    unfinished: tuple[int, ...] = ()
    """Approved, and not evaluated yet."""
    evaluated: Mapping[int, str]
    """Not on the base branch, with the head that was evaluated; in order of arrival."""


def races(pull: PullRequest) -> dict[str, Benchmark]:
    """Return the benchmarks with a rule of records that a pull request enters."""
    names = {name.partition("/")[0] for name in pull.submissions}
    found = {name: pull.before.benchmarks.get(name) for name in names}
    return {
        name: benchmark for name, benchmark in found.items()
        if benchmark and "accept" in benchmark.of_plugins
    }  # fmt: skip


def entries_of(ledger: Ledger, benchmark: str) -> list[Entry]:
    """Return all that ever came to a benchmark, in order of arrival."""
    paths = ledger.entries.below(f"{RECEIVED}/{benchmark}")
    notes = list(ledger.notes([path for path in paths if path.count("/") == 6], Received))
    by_time: dict[dt.datetime, list[str]] = defaultdict(list)
    for path, note in notes:
        by_time[note.at].append(path)
    order = _order_of_adding(
        ledger, [p for same in by_time.values() if len(same) > 1 for p in same]
    )
    entries = []
    for path, note in notes:
        _, *submission, phase, entered, _ = path.split("/")
        kind, _, content = entered.rpartition("-")
        entries.append(
            Entry(
                submission="/".join(submission),
                work=Work(phase, kind, content),
                head=note.head,
                pull_request=note.pull_request,
                came=(note.at, order.get(path, 0)),
            )
        )
    return sorted(entries, key=lambda entry: (entry.came, entry.submission))


def _order_of_adding(ledger: Ledger, paths: Sequence[str]) -> dict[str, int]:
    """Return places in which the ledger's own commits added files."""
    if not paths or ledger.repo is None or ledger.commit is None:
        return {}
    out = ledger.repo.git.log(
        "--reverse", "--diff-filter=A", "--format=", "--name-only", ledger.commit, "--", *paths
    )
    return {path: place for place, path in enumerate(filter(None, out.splitlines()))}


def earlier(pull: PullRequest, ledger: Ledger, benchmark: str) -> Earlier:
    """Find what arrived before, and may still change what a pull request's entries are."""
    entries = entries_of(ledger, benchmark)
    came = first_moments(entries)
    own = {item.id: work_of(pull.after.tree, item) for item in pull.after.submissions
           if item.id in pull.submissions}  # fmt: skip
    last = max(filter(None, map(came.get, own.items())), default=None)
    phases = {work.phase for work in own.values()}
    tree = read_tree(pull.repo, pull.base)
    on_base = {item.id: item for item in read_snapshot(tree, only=benchmark).submissions}
    heads: dict[int, set[str]] = defaultdict(set)
    for entry in entries:
        there = on_base.get(entry.submission)
        if (
            last is not None
            and came[entry.submission, entry.work] < last
            and entry.pull_request not in (None, pull.source.pull_request)
            and entry.work.phase in phases
            and entry.work.kind != "withdrawn"
            and not (there and work_of(tree, there) == entry.work)
        ):
            heads[entry.pull_request or 0].add(entry.head)
    ledger.entries.read_folders(f"{PULLS}/{each}/{APPROVED}/" for each in heads)
    unfinished, evaluated = [], {}
    for each, of_it in heads.items():
        approvals = [
            one for one in ledger.approvals_of(each)
            if one.head in of_it and ledger.approval_of(one.tree, one.changed)
        ]  # fmt: skip
        if not approvals or _is_closed(pull, ledger, each):
            continue
        if ledger.outcome(approvals[-1]) is None:
            unfinished.append(each)
        else:
            evaluated[each] = approvals[-1].head
    return Earlier(unfinished=tuple(sorted(unfinished)), evaluated=evaluated)


def first_moments(entries: Iterable[Entry]) -> dict[tuple[str, Work], Moment]:
    """Return when each work of a submission came first, of entries in order of arrival."""
    came: dict[tuple[str, Work], Moment] = {}
    for entry in entries:
        came.setdefault((entry.submission, entry.work), entry.came)
    return came


def _is_closed(pull: PullRequest, ledger: Ledger, pull_request: int) -> bool:
    waits = waits_of(ledger, pull_request)
    if waits is not None and waits.why == "closed":
        return True
    forge = find_forge(pull.before.settings.forge)
    return forge is not None and forge.pull_request(pull_request).state != "open"


def sentences(pull: PullRequest, benchmark: str, records: Mapping[CellId, Record]) -> list[str]:
    """Say, as Markdown, what a pull request's entries are: records, or attempts and why."""
    said = []
    ledger = pull.ledger
    snapshot = _with_all(pull, ledger, benchmark, records)
    bundle = snapshot.benchmarks[benchmark]
    came = first_moments(entries_of(ledger, benchmark))
    arrivals = {
        item.id: moment
        for item in snapshot.submissions
        if (moment := came.get((item.id, work_of(snapshot.tree, item)))) is not None
    }
    phases = {item.phase for item in snapshot.submissions if item.id in pull.submissions}
    for phase in [phase for phase in bundle.phases if phase.slug in phases]:
        tables = read_tables(snapshot, pull.now, only=(benchmark, phase.slug))
        board = publish(tables.board(bundle, phase))
        said += [
            one.sentence(lambda row: quoted(row.submission.id.partition("/")[2]), number, name)
            for compare in load_all("records")
            for one in compare(board, arrivals)
            if one.row.submission.id in pull.submissions
        ]
    return said


def _with_all(
    pull: PullRequest, ledger: Ledger, benchmark: str, records: Mapping[CellId, Record]
) -> Snapshot:
    """Lay what is evaluated and not merged over the base, too; with the ledger's records of all."""
    before = earlier(pull, ledger, benchmark)
    tip = pull.base
    for each, head in [*before.evaluated.items(), (pull.source.pull_request, pull.head)]:
        source = replace(pull.source, base=tip, head=head, pull_request=each)
        try:
            tip = open_pull_request(pull.repo, source, pull.now).merged
        except (MovedError, RefusedError):
            continue  # It cannot be merged as it is, so that it comes later if it comes at all.
    snapshot = read_snapshot(read_tree(pull.repo, tip), only=benchmark).with_records(records)
    table = CellTable(make_plan(snapshot, pull.now, accept_all).missing)
    table.adopt(ledger, pull.now)
    return snapshot.with_records({cell: item.record for cell, item in table.records.items()})
