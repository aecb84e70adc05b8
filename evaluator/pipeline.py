"""The flow, one direction: one function for each step, in its order. The command calls no other.

git tree -> snapshot -> plan -> run in containers -> record -> commit -> leaderboard -> site

Each function imports what it calls when it is called, so that a verb loads what it needs and no
more: `pullbench plan` no numpy, and none but `pullbench site` the programs for pages.
"""

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.clock import utc_now

if TYPE_CHECKING:
    from evaluator.errors import Problem
    from evaluator.exports.board_json_form import BoardData
    from evaluator.exports.tables import Form
    from evaluator.forge import Forge
    from evaluator.formats.bundle import Benchmark
    from evaluator.formats.record import Record
    from evaluator.formats.settings import Settings
    from evaluator.git.write import Committed
    from evaluator.leaderboard.board import Board
    from evaluator.planning.plan import Cell, Plan, PlannedCell
    from evaluator.planning.queues import Matrix
    from evaluator.planning.quotas import Refusal
    from evaluator.planning.snapshot import Snapshot
    from evaluator.planning.withdrawals import Withdrawn
    from evaluator.pull_requests import Judged, Step
    from evaluator.pull_requests.merge_preview import Source
    from evaluator.pull_requests.submit import Submitted
    from evaluator.scores.collecting import Collected
    from evaluator.scores.opening import OpenedRecord
    from evaluator.scores.redaction import Disclosure
    from evaluator.scores.reproducing import Comparison
    from evaluator.scores.runnable import EngineName
    from evaluator.scores.running import RunSummary
    from evaluator.scores.watchdog import Overdue


# git tree -> snapshot


def snapshot(start: Path, revision: str | None = None, *, only: str | None = None) -> "Snapshot":
    """Read the working tree, or a commit. Raises UsageError."""
    from evaluator.git.tree import open_repository, read_tree
    from evaluator.planning.snapshot import take_snapshot

    return take_snapshot(read_tree(open_repository(start), revision), only=only)


def author_name(start: Path) -> str:
    """Return who makes commits in this clone; empty where git does not know."""
    from evaluator.git.tree import open_repository
    from evaluator.planning.ledger_history import author_name

    return author_name(open_repository(start))


def places(path: str, start: Path, snapshot: "Snapshot") -> tuple[str, ...]:
    """Return the paths that a person means by a path or a name. Raises UsageError."""
    from evaluator.planning.places import places_of

    return places_of(path, start, snapshot)


def count(snapshot: "Snapshot", places: Sequence[str]) -> tuple[int, int]:
    """Count the benchmarks and the submissions at some places."""
    from evaluator.planning.places import count

    return count(snapshot, places)


def validate(snapshot: "Snapshot", places: Collection[str] = ()) -> list["Problem"]:
    """Return everything that is wrong, or wrong at and below some paths, by file and line."""
    from evaluator.planning.validate import validate

    return validate(snapshot, places)


def validate_here(
    snapshot: "Snapshot", places: Sequence[str], actor: str | None, now: dt.datetime
) -> tuple[list["Problem"], str]:
    """Validate, and judge as a pull request what this clone would propose.

    Returns the branch with which it is compared, too; empty where there is none.
    """
    from evaluator.pull_requests.unopened import validate_here

    return validate_here(snapshot, places, actor, now)


# Pull requests: submit, judge, receive, approve, finish


def submit(
    start: Path,
    folder: Path,
    *,
    benchmark: str,
    participant: str | None,
    name: str | None,
    remote: str,
    base: str,
) -> "Submitted":
    """Push a folder as a submission on a branch of its own and open the pull request."""
    from evaluator.pull_requests.submit import submit

    return submit(
        start, folder, benchmark=benchmark, participant=participant, name=name, remote=remote,
        base=base,
    )  # fmt: skip


def pull_request(*, base: str, head: str, remote: str | None, number: int | None) -> "Source":
    """Say which pull request is meant; without a remote this clone has both branches."""
    from evaluator.pull_requests.merge_preview import Source

    return Source(base=base, head=head, remote=remote or None, pull_request=number)


def proposed(start: Path, source: "Source", now: dt.datetime) -> "Snapshot":
    """Read the base branch with a pull request's changes laid over it."""
    from evaluator.pull_requests import proposed

    return proposed(start, source, now)


def judge(start: Path, source: "Source", actor: str, now: dt.datetime) -> "Judged":
    """Judge a pull request by the rules of its base branch."""
    from evaluator.pull_requests import judge

    return judge(start, source, actor, now)


def verdict(judged: "Judged") -> str:
    """Return what a pull request was judged as, in Markdown."""
    from evaluator.pull_requests import verdict
    from evaluator.pull_requests.comment import to_markdown

    return to_markdown(verdict(judged))


def receive(start: Path, source: "Source", actor: str, now: dt.datetime) -> "Step":
    """Note that a pull request's content came, judge it, and void what was approved before."""
    from evaluator.pull_requests import receive

    return receive(start, source, actor, now)


def approve(
    start: Path,
    source: "Source",
    actor: str,
    approver: str,
    now: dt.datetime,
    *,
    labelled: bool | None = True,
) -> "Step":
    """Bind an organiser's approval to the head's tree, note its attempts and hand out its cells.

    ``labelled`` is whether the label is there; None asks the forge.
    """
    from evaluator.pull_requests import approve
    from evaluator.pull_requests.announce import is_labelled

    if labelled is None:
        labelled = is_labelled(start, source)
    return approve(start, source, actor, approver, now, labelled=labelled)


def finish(start: Path, source: "Source", folder: Path | None, now: dt.datetime) -> "Step":
    """Check records against the plan, store them, and show the board as it would be."""
    from evaluator.pull_requests import finish

    return finish(start, source, folder, now)


def comment(step: "Step") -> str:
    """Return what the pull request's comment says of a step, in Markdown."""
    from evaluator.pull_requests.comment import to_markdown

    return to_markdown(step.report)


def announce(start: Path, source: "Source", step: "Step", *, drop_label: bool) -> bool:
    """Write a step's comment and status to the forge; returns False where there is none."""
    from evaluator.pull_requests.announce import announce

    return announce(start, source, step, drop_label=drop_label)


# snapshot -> plan


def plan(snapshot: "Snapshot", now: dt.datetime) -> "Plan":
    """Find the cells that are missing or stale. Needs no Docker engine and no network."""
    from evaluator.git.tree import open_repository
    from evaluator.planning.ledger import known_ledger
    from evaluator.planning.plan import make_plan

    repo = open_repository(snapshot.tree.root)
    return make_plan(snapshot, now, known_ledger(repo, snapshot.settings.ledger))


def cells(snapshot: "Snapshot", now: dt.datetime) -> Iterator["Cell"]:
    """Yield every cell, whether it has a record or not."""
    from evaluator.planning.plan import cells

    return iter(cells(snapshot, now))


def matrix(planned: Sequence["PlannedCell"], settings: "Settings") -> "Matrix":
    """Return the jobs of a CI matrix, grouped by queue."""
    from evaluator.planning.queues import to_matrix

    return to_matrix(planned, settings.queues)


def choose(
    snapshot: "Snapshot",
    now: dt.datetime,
    names: Sequence[str],
    *,
    fresh: bool,
    failed_only: bool = False,
    planned: "Plan | None" = None,
) -> list["PlannedCell"]:
    """Return the cells to evaluate: the plan's, or those named, or with ``fresh`` all of them.

    ``failed_only`` leaves out cells that have a record of success; ``planned`` is the plan, where
    the caller has it already.
    """
    from evaluator.scores.choosing import choose

    planned = planned or plan(snapshot, now)
    return choose(snapshot, now, names, planned, fresh=fresh, failed_only=failed_only)


def refusals(planned: "Plan", names: Sequence[str]) -> list["Refusal"]:
    """Return what a plan refuses, of all or of what is named."""
    from evaluator.scores.choosing import refusals

    return refusals(planned, names)


def runnable(
    snapshot: "Snapshot",
    planned: Sequence["PlannedCell"],
    engine: "EngineName",
    *,
    with_less: bool = False,
) -> tuple[list["PlannedCell"], list[str]]:
    """Return the cells that this machine can evaluate, and in words why not the others."""
    from evaluator.scores.runnable import runnable

    return runnable(snapshot, planned, engine, with_less=with_less)


def too_small(planned: "PlannedCell") -> str:
    """Return what this machine has less of than a cell asks for; empty where it has enough."""
    from evaluator.scores.runnable import too_small

    return too_small(planned)


# plan -> run in containers -> record


def run(
    snapshot: "Snapshot",
    planned: Sequence["PlannedCell"],
    *,
    engine: "EngineName" = "auto",
    lanes: int,
    output: Path | None = None,
    fresh: bool = False,
    for_others: bool = False,
    with_less: bool = False,
    show: Callable[["PlannedCell", "Record"], str] | None = None,
) -> "RunSummary":
    """Evaluate cells and write each one's record as it ends, whole or not at all."""
    from evaluator.scores.running import cell_name, run

    return run(
        snapshot, planned, engine=engine, lanes=lanes, output=output, fresh=fresh,
        for_others=for_others, with_less=with_less, show=show or cell_name,
    )  # fmt: skip


def opened(
    snapshot: "Snapshot", summary: "RunSummary", now: dt.datetime
) -> tuple["Snapshot", list["PlannedCell"]]:
    """Return the cells of data sets that a run's records accept, and the snapshot with them."""
    from evaluator.planning.plan import opened

    return opened(snapshot, summary.records, now)


def sample(
    snapshot: "Snapshot", planned: Sequence["PlannedCell"], size: int
) -> list["PlannedCell"]:
    """Choose some recorded cells that are soon evaluated."""
    from evaluator.scores.reproducing import committed, sample

    return sample(snapshot, planned, committed(snapshot), size)


def reproduce(
    snapshot: "Snapshot",
    planned: Sequence["PlannedCell"],
    *,
    engine: "EngineName",
    lanes: int,
    show: Callable[["PlannedCell", "Record"], str],
) -> tuple["RunSummary", list["Comparison"]]:
    """Evaluate cells afresh and compare with the committed records, which stay."""
    from evaluator.scores.reproducing import REPRODUCED, committed, compare

    output = snapshot.tree.root / REPRODUCED
    summary = run(
        snapshot, planned, engine=engine, lanes=lanes, output=output, fresh=True, show=show
    )
    return summary, list(compare(committed(snapshot), summary.records, snapshot.benchmarks))


def records(snapshot: "Snapshot", name: str, source: Path | None) -> list["OpenedRecord"]:
    """Return the records of the cells below a name, or those that a run wrote below ``source``.

    Where the environment has the organisers' key, sealed ones are opened. Raises UsageError.
    """
    from evaluator.scores.opening import open_records

    return open_records(snapshot, name, source)


def detailed_page(snapshot: "Snapshot", record: "Record", benchmark: "Benchmark") -> bytes:
    """Return the detailed results of a cell, as far as they may be shown. Raises UsageError."""
    from evaluator.scores.opening import detailed_page

    return detailed_page(snapshot, record, benchmark)


def disclose(record: "Record", benchmark: "Benchmark") -> "Disclosure":
    """Return what may be said of a record in public."""
    from evaluator.scores.redaction import disclose

    return disclose(record, benchmark)


# record -> commit


def commit(
    start: Path,
    now: dt.datetime,
    *,
    branch: str | None = None,
    remote: str | None = None,
    source: Path | None = None,
    unisolated: bool = False,
) -> "Committed":
    """Commit records that fit the branch's plan, in one commit, however the branch moves."""
    from evaluator.scores.collecting import commit

    return commit(start, now, branch=branch, remote=remote, source=source, unisolated=unisolated)


def collect(
    start: Path,
    now: dt.datetime,
    *,
    branch: str | None = None,
    remote: str | None = None,
    source: Path | None = None,
    inbox: bool = False,
    rerun: Sequence[str] = (),
    failed_only: bool = False,
    accept_ledger: bool = False,
    handed: str = "",
) -> "Collected":
    """Bring a branch's records up to date, and list the cells that are still missing."""
    from evaluator.scores.collecting import collect

    return collect(
        start, now, branch=branch, remote=remote, source=source, inbox=inbox, rerun=rerun,
        failed_only=failed_only, accept_ledger=accept_ledger, handed=handed,
    )  # fmt: skip


def hand_in_folder(start: Path, folder: Path, remote: str) -> tuple[str, int]:
    """Push records under a reference of their own; returns its name and how many they are."""
    from evaluator.scores.collecting import hand_in_folder

    return hand_in_folder(start, folder, remote)


def rerun(start: Path, names: Sequence[str], *, failed_only: bool, branch: str) -> int:
    """Ask the forge to evaluate cells afresh; returns how many. Raises UsageError."""
    from evaluator.scores.asking import ask_for

    files = snapshot(start)
    chosen = choose(files, utc_now(), names, fresh=True, failed_only=failed_only)
    ask_for(names, files.settings, failed_only=failed_only, branch=branch)
    return len(chosen)


def withdraw(
    start: Path,
    names: Sequence[str],
    reason: str,
    by: str,
    now: dt.datetime,
    *,
    branch: str,
    remote: str | None,
) -> list["Withdrawn"]:
    """Note in the ledger that the records of cells count no longer. Raises UsageError."""
    from evaluator.scores.withdraw import withdraw

    return withdraw(start, names, reason, by, now, branch=branch, remote=remote)


def find_overdue(
    start: Path, now: dt.datetime, *, branch: str, remote: str | None
) -> tuple[list["Overdue"], "Forge | None"]:
    """Return what has made no progress for too long, and the forge to say so at."""
    from evaluator.pull_requests.alarm import find_overdue

    return find_overdue(start, now, branch=branch, remote=remote)


def overdue_markdown(overdue: Sequence["Overdue"], now: dt.datetime) -> str | None:
    """Return the text of the issue about it; None where nothing is overdue."""
    from evaluator.pull_requests.alarm import overdue_markdown

    return overdue_markdown(overdue, now)


# record -> leaderboard


def leaderboard(
    snapshot: "Snapshot", benchmark: str, *, phase: str | None, task: str | None, now: dt.datetime
) -> "Board":
    """Rank one phase of a benchmark, with all that the organiser hides. Raises UsageError."""
    from evaluator.leaderboard.ranking import leaderboard

    return leaderboard(snapshot, benchmark, phase=phase, task=task, now=now)


def leaderboard_at(
    start: Path,
    benchmark: str,
    *,
    phase: str | None,
    task: str | None,
    at: str | None,
    hidden: bool = False,
) -> "Board":
    """Rank one phase in the working tree, or at a revision, as it is published.

    ``hidden`` returns what the organiser hides, too.
    """
    from evaluator.leaderboard.ranking import leaderboard_at

    return leaderboard_at(start, benchmark, phase=phase, task=task, at=at, hidden=hidden)


def as_text(board: "Board", form: "Form") -> str:
    """Print a board as a table, CSV or JSON."""
    from evaluator.exports import tables

    return {"table": tables.to_text, "csv": tables.to_csv, "json": tables.to_json}[form](board)


def results(
    start: Path, benchmark: str, *, phase: str | None, task: str | None, at: str | None
) -> "BoardData":
    """Return a published board as the site serves it below ``api/``. Raises UsageError."""
    from evaluator.exports.board_json import to_data

    return to_data(leaderboard_at(start, benchmark, phase=phase, task=task, at=at))


def analyse(
    start: Path, benchmark: str, *, phase: str | None, at: str | None, against: str | None
) -> tuple[list[str], dict[str, bytes]]:
    """Return what a board's results say, in sentences and in files. Raises UsageError."""
    from evaluator.exports.study_files import study_files
    from evaluator.statistics.revision import analyse
    from evaluator.statistics.sentences import findings

    study = analyse(start, benchmark, phase=phase, at=at, against=against)
    return list(findings(study)), study_files(study)


def amlb_table(start: Path, benchmark: str, *, phase: str | None, at: str | None) -> str:
    """Return a board as results.csv of the AutoML Benchmark. Raises UsageError."""
    from evaluator.exports.amlb_results import amlb_rows
    from evaluator.importers.exchange.amlb_table import write_rows

    return write_rows(amlb_rows(start, benchmark, phase=phase, at=at))


def stored_predictions(
    start: Path, benchmark: str, *, phase: str | None, at: str | None
) -> Mapping[str, bytes]:
    """Return the predictions that this machine has stored, by path. Raises UsageError."""
    from evaluator.exports.amlb_results import stored_predictions

    return dict(stored_predictions(start, benchmark, phase=phase, at=at))


# leaderboard -> site


def build_site(start: Path) -> Path:
    """Build the site, and return its folder. Raises UsageError."""
    from evaluator.git.tree import begin_reading

    tree = begin_reading(start)  # git looks at the files while the programs for pages are loaded
    from evaluator.site.build import build_site

    return build_site(start, tree).folder


def serve_site(folder: Path, port: int) -> None:
    """Serve a built site on a loopback address until ^C. Raises UsageError."""
    from evaluator.site.serving import serve

    serve(folder, port)


# Private data


def pin(source: Path) -> str:
    """Return the digest that a bundle pins for a file or folder of private data."""
    from evaluator.compute.private import content_digest

    return content_digest(source)


def encrypt(source: Path, recipients: Sequence[str]) -> bytes:
    """Encrypt a file, or a folder as a zip, for the holders of some keys. Raises UsageError."""
    from evaluator.compute.encryption import encrypt
    from evaluator.importers.zipped import pack

    return encrypt(pack(source), recipients)


def generate_keys(*, of_data: bool) -> tuple[str, str, str]:
    """Return a new public key, the variable that holds its secret key, and that key."""
    from evaluator.compute.encryption import IDENTITY_VARIABLE as DATA_VARIABLE
    from evaluator.formats.envelopes import IDENTITY_VARIABLE
    from evaluator.scores.sealing import generate

    public, secret = generate()
    return public, DATA_VARIABLE if of_data else IDENTITY_VARIABLE, secret
