"""Whether a pull request is approved without a person, by the policies of the base branch."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

from evaluator.ci.ledger.arrivals import Received
from evaluator.ci.ledger.assignments import times_handed_out
from evaluator.ci.ledger.command_notes import RETRIES
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import POLICY, RECEIVED, Approval
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.case import REFUSED, Case, Decision, person, still_open
from evaluator.ci.policy.keys import reason_to_stop
from evaluator.ci.policy.line import over_budget
from evaluator.ci.policy.ownership import names_of
from evaluator.ci.policy.waiting import open_pull_requests, waiting_now
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.core.clock import moment_text
from evaluator.core.errors import Actor, errors_in, some_of
from evaluator.core.formats.cell import SCORES
from evaluator.core.planning.snapshot import read_decisions, read_snapshot

_BY_POLICY = "The policy of the benchmark approves it."


def decide(case: Case, *, again: bool = False) -> Decision:
    """Decide on a pull request without errors; ``again`` if a comment asks to evaluate it again."""
    approved = Decision(verdict="approve", reason=_BY_POLICY)
    return next(_decisions(case, again=again), approved)


def objection_today(case: Case) -> Decision | None:
    """Why today's policies would not approve what was approved before, or None.

    What an organiser approved, only a screen and a stop object to.
    """
    return next(_against(case), None)


def is_free(pull: PullRequest, ledger: Ledger, approval: Approval, table: CellTable) -> bool:
    """Whether an approval without an outcome hands out its cells again by the same reservation.

    Its step or its jobs may have died, which nobody is charged for. But a push away and back ends
    them, too, so that this happens once to the same files, and not after any other decision.
    """
    number = pull.ref.number
    earlier = (one for one in ledger.approvals_of(number) if one.tree == approval.tree)
    return not table.missing or (
        times_handed_out(ledger, approval.id) == 1
        and not any((end := ledger.outcome(one)) and end.void for one in earlier)
        and not waiting_now(ledger, [number] if number else [])
    )


def _decisions(case: Case, *, again: bool) -> Iterator[Decision]:
    """Yield reasons against an approval, the gravest first."""
    yield from _against(case)
    yield from _approved_before(case, again=again)
    yield from _too_many_open(case)
    yield from over_budget(case)


def _against(case: Case) -> Iterator[Decision]:
    """Yield reasons of today's policies, which do not depend on budgets or other entries."""
    approval = case.pull.approval(case.ledger)
    is_organisers = approval is not None and approval.approver != POLICY
    yield from _reviewed(case, is_organisers=is_organisers)
    approvers = [who for one in case.policies.values() for who in one.approve.values()]
    if not is_organisers and all(who == "never" for who in approvers):
        yield person("")
    stop = reason_to_stop(case.pull.before.settings)
    if stop:
        reason = f"An organiser has stopped the policy: {stop}"
        yield replace(person(reason), why="stopped")
    if not is_organisers:
        yield from _not_its_own(case)
        yield from _not_for_these(case)


def _not_its_own(case: Case) -> Iterator[Decision]:
    names = names_of(case.actor, case.pull.before.settings)
    parts = [change.path.split("/") for change in case.pull.changes]
    if not all(
        part[0] == "submissions" and len(part) > 4
        and part[2].casefold() in names and part[4].casefold() != SCORES
        for part in parts
    ) or len({part[2] for part in parts}) != 1:  # fmt: skip
        yield person(
            "It changes more than the submissions of its author, or of one of their teams."
        )
    elif {one.id for one in case.entered} != case.pull.submissions:
        yield person("It removes a submission.")


def _not_for_these(case: Case) -> Iterator[Decision]:
    for one in case.entered:
        policy = case.policies.get(one.benchmark)
        who = policy.approve.get(one.kind_name, "never") if policy else "never"
        if who == "never":
            yield person(
                f"An organiser approves each entry of kind '{one.kind_name}' to '{one.benchmark}'."
            )
        if who == "returning" and not _has_returned(case, one.benchmark):
            yield person(
                f"An organiser approves a participant's first entry of kind '{one.kind_name}' "
                f"to '{one.benchmark}'."
            )
    for item in case.table.planned.values():
        if item.cell.benchmark.name not in case.policies:
            yield person("It makes cells of a benchmark that it does not enter.")


def _has_returned(case: Case, benchmark: str) -> bool:
    """Whether the base branch has an evaluated entry of code of theirs, and no refused one."""
    tree = case.pull.before.tree
    names = case.parties.names(case.participant)
    folders = (path.split("/") for path in tree.entries.folders)
    theirs = {f"{part[1]}/{part[2]}" for part in folders if part[2].casefold() in names}
    snapshot = read_snapshot(tree, participants=theirs)
    for bundle in snapshot.benchmarks.values():
        decisions, problems = read_decisions(snapshot, bundle)
        if errors_in(problems):
            return False  # what cannot be read may refuse them
        last = {one.submission: one.decision for one in decisions}
        refused = {name.split("/")[0].casefold() for name, kind in last.items()
                   if kind == "refused"}  # fmt: skip
        if refused & names:
            return False
    return any(
        one.benchmark == benchmark and one.kind.runs_code and not one.cancelled
        and one.participant.casefold() in names
        and any(r.status == "finished" for r in snapshot.record_files.records_at(one.place))
        for one in snapshot.submissions
    )  # fmt: skip


def _approved_before(case: Case, *, again: bool) -> Iterator[Decision]:
    approval = case.pull.approval(case.ledger)
    if approval is None:
        return
    on = f"It was approved on {moment_text(approval.at)}, and"
    if case.ledger.outcome(approval) is None:  # whoever hands out its cells may be killed
        by, times = approval.approver, case.ledger.times_approved(case.pull.tree)
        is_repeated = is_free(case.pull, case.ledger, approval, case.table)
        if not is_repeated and not again and times > RETRIES:
            yield person(
                f"CI started its evaluation again {times} times, and nothing came back. An "
                "organiser looks at why its runs end."
            )
        if is_repeated or by != POLICY:
            reason = _BY_POLICY if by == POLICY else f"Approved by {by}."
            yield Decision(verdict="approve", reason=reason)
    elif not case.table.missing:
        yield Decision(verdict="approve", reason=f"{on} all of its cells have scores.")
    elif not again:  # a reopened pull request is not evaluated twice
        yield Decision(
            verdict="done", reason=f"{on} not all of its cells have a score.",
            actor=Actor.ORGANISER,
        )  # fmt: skip


def _reviewed(case: Case, *, is_organisers: bool) -> Iterator[Decision]:
    """Yield the objections of reviews; an entry that a screen has not read is not approved."""
    for opinion in case.objections:
        if opinion.verdict == "refuse":
            yield replace(REFUSED, reason=opinion.reason)
        elif opinion.verdict == "screen":
            yield replace(person(opinion.reason), verdict="screen")
        elif not is_organisers:
            yield person(opinion.reason)


def _too_many_open(case: Case) -> Iterator[Decision]:
    for one in case.entered:
        phase = case.pull.before.benchmarks[one.benchmark].phase(one.phase)
        most = phase.of_plugins.get("open_entries") if phase else None
        if phase is None or most is None:
            continue
        earlier = _earlier_in(case, one.benchmark, phase.slug)
        settings = case.pull.before.settings
        if len(earlier) >= most and len(earlier := still_open(settings, earlier)) >= most:
            numbers = some_of([f"#{number}" for number in earlier], 10)
            yield Decision(
                verdict="wait", why="open", actor=Actor.PARTICIPANT, behind=tuple(earlier),
                reason=f"A participant may have {most} open in phase '{phase.name}'. It goes "
                f"on as soon as one of the earlier ones is merged or closed: {numbers}.",
            )  # fmt: skip


def _earlier_in(case: Case, benchmark: str, phase: str) -> list[int]:
    """The party's pull requests that entered a phase before this one did."""
    names, files = case.parties.names(case.participant), case.ledger.entries
    folder = f"{RECEIVED}/{benchmark}"
    people = [name for name in files.names(folder) if name.casefold() in names]
    paths = [path for name in people for path in files.below(f"{folder}/{name}")
             if path.split("/")[4] == phase]  # fmt: skip
    first: dict[int, dt.datetime] = {}
    for _, note in case.ledger.notes(paths, Received):
        if note.pull_request:
            first[note.pull_request] = min(note.at, first.get(note.pull_request, note.at))
    number = case.pull.ref.number or 0
    at = (first.pop(number, case.pull.now), number)
    earlier = {n for n in first if (first[n], n) < at}
    return open_pull_requests(case.ledger, None, case.pull.base, earlier)
