"""From an issue to a pull request: two jobs, of which the one that writes fetches nothing.

Whose entry it is says the account that wrote the issue, by the event; a note of the ledger binds it
to the commit that is made. The files are judged before anything is opened.
"""

import datetime as dt
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import msgspec

from evaluator.ci.forge.connection import Call
from evaluator.ci.forge.inert_markdown import prose, quoted
from evaluator.ci.forge.repository import Forge, find_forge
from evaluator.ci.git.branch import push_branch, write_commit
from evaluator.ci.ledger.form_notes import (
    FormNote,
    form_branch,
    form_files,
    form_note,
    names_of_forms,
)
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.ci.opened.heads import PullRequestRef, base_commit
from evaluator.ci.opened.pull_request import open_pull_request
from evaluator.ci.policy.judge import judge
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.ci.steps.reports import ON_ISSUE, RUN_NAME, WORKFLOW
from evaluator.ci.steps.submit import MAX_BYTES
from evaluator.core.errors import PlatformError, Problem, UsageError, errors_in
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.json_reader import form_reader
from evaluator.core.formats.names import NAME as VALID
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.schema import dump_yaml
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.git.repository import Repo
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.plugins.forms.answers import (
    EntryIssue,
    FormRefusedError,
    in_words,
    read_answers,
    read_issue,
)
from evaluator.plugins.forms.attachment import fetch, file_in, unpack
from evaluator.plugins.forms.issue_form import (
    FILE,
    NAME,
    PHASE,
    SHEET,
    TERMS,
    Field,
    fields_of,
    terms_of,
    text_file,
    with_form,
)

MOST_A_DAY = 20
"""Forms of one account that are read on a day; later ones get no answer."""
_MAX_SHOWN = 20
_ENDED = "A change of this issue has no effect, nor has a comment: open another form instead."


class Dropped(msgspec.Struct, forbid_unknown_fields=True):
    """What the job that fetches hands over: files as they are, or why there are none."""

    files: dict[str, bytes] = {}
    sha256: str = ""
    """Of the bytes that were fetched."""
    faults: list[str] = []
    """Markdown."""


read_dropped = form_reader(Dropped, max_bytes=2 * MAX_BYTES)


@dataclass(frozen=True, kw_only=True)
class _Form:
    """An issue beside the base branch's bundle."""

    repo: Repo
    ref: PullRequestRef
    base: str
    issue: EntryIssue
    snapshot: Snapshot

    @cached_property
    def benchmark(self) -> Benchmark:
        for one in with_form(self.snapshot):
            if one.name == self.issue.benchmark:
                return one
        named = quoted(self.issue.benchmark)
        raise FormRefusedError(f"No benchmark with a form has the name {named}.")

    @cached_property
    def fields(self) -> list[Field]:
        return fields_of(self.benchmark, terms_of(self.snapshot, self.benchmark))

    @cached_property
    def answers(self) -> dict[str, str | bool]:
        return read_answers(self.issue.body, self.fields)

    @property
    def path(self) -> str:
        """Of the submission. Raises FormRefusedError."""
        title, login = str(self.answers[NAME]), self.issue.login
        name = slug(title)
        if not VALID.fullmatch(name) or not VALID.fullmatch(login):
            raise FormRefusedError(
                f"*Name of your entry* is {quoted(title)}: use letters, digits and hyphens."
            )
        path = f"submissions/{self.benchmark.name}/{login}/{name}"
        if path in self.snapshot.tree.entries.folders:
            raise FormRefusedError(
                f"You have an entry {quoted(name)} already: choose another name."
            )
        return path

    @property
    def card(self) -> bytes:
        """submission.yaml, of the answers."""
        answers = {key: value for key, value in self.answers.items() if value != ""}
        if TERMS in answers:  # the box has the digest of today's in its text
            terms = terms_of(self.snapshot, self.benchmark)
            answers[TERMS] = hashlib.sha256(terms).hexdigest()
        entered: dict[str, object] = {
            key: answers[key] for key in (NAME, PHASE, TERMS) if key in answers
        }
        sheet = {
            key.removeprefix(SHEET): value for key, value in answers.items()
            if key.startswith(SHEET)
        }  # fmt: skip
        return dump_yaml(entered | ({"fact_sheet": sheet} if sheet else {}))


def _open(start: Path, ref: PullRequestRef, event: bytes) -> _Form | None:
    issue = read_issue(event)
    if issue is None:
        return None
    repo = open_repository(start)
    base = base_commit(repo, ref.base, ref.remote)
    snapshot = read_snapshot(read_tree(repo, base), participants=frozenset())
    return _Form(repo=repo, ref=ref, base=base, issue=issue, snapshot=snapshot)


def drop(start: Path, ref: PullRequestRef, event: bytes) -> Dropped:
    """Fetch and unpack the file of an issue; nothing is fetched for a form that is refused."""
    form = _open(start, ref, event)
    if form is None:
        return Dropped()
    try:
        file = file_in(str(form.answers[FILE]), form.benchmark)
    except FormRefusedError:
        return Dropped()  # who answers finds the same
    try:
        content, name = (
            (file, text_file(form.benchmark)) if isinstance(file, bytes) else (fetch(file), file)
        )
        digest = hashlib.sha256(content).hexdigest()
        return Dropped(files=unpack(name, content, form.benchmark), sha256=digest)
    except FormRefusedError as error:
        return Dropped(faults=list(error.sentences))
    except PlatformError as error:
        return Dropped(faults=[f"{prose(error.message.capitalize())}. Try again later."])


def enter(
    start: Path, ref: PullRequestRef, event: bytes, dropped: Dropped, now: dt.datetime
) -> str:
    """Open the pull request of an issue, or answer why not; return a line for the job's log.

    The first note of an issue counts: another run of the job goes on from it, whatever it fetched.
    """
    form = _open(start, ref, event)
    if form is None:
        return "no entry"
    settings, issue = form.snapshot.settings, form.issue
    forge = find_forge(settings.forge)
    if forge is None:
        raise UsageError("pullbench has no token to answer the issue",
                         hint="Set the forge's as GITHUB_TOKEN.")  # fmt: skip
    ledger = grown_ledger(form.repo, settings.ledger, ref.remote, form.snapshot.tree)
    names = names_of_forms(ledger, issue.account)
    known = next((name for name in names if name.endswith(f"-{issue.number}")), None)
    note = form_note(ledger, issue.account, known) if known else None
    if note is None:
        if sum(name.startswith(f"{now:%Y%m%d}-") for name in names) >= MOST_A_DAY:
            return f"more than {MOST_A_DAY} forms of one account today"
        blank = FormNote(issue=issue.number, account=issue.account, login=issue.login, at=now)
        try:
            note = blank.model_copy(
                update={"commit": _commit(form, dropped, now), "sha256": dropped.sha256}
            )
            said = ""
        except FormRefusedError as error:
            note, said = blank, "\n".join(f"- {one}" for one in error.sentences)
        add_to_ledger(
            form.repo, form_files(note), f"Note the form of issue {issue.number}\n",
            branch=settings.ledger, remote=ref.remote,
        )  # fmt: skip
        if not note.commit:
            text = f"This entry is refused, and does not count as an attempt:\n\n{said}\n\n{_ENDED}"
            forge.comment_sticky(issue.number, text)
            _close(forge, issue.number)
    if not note.commit:
        return f"issue {issue.number} is refused"
    return _propose(form, forge, note)


def _commit(form: _Form, dropped: Dropped, now: dt.datetime) -> str:
    """Commit on a branch of its own what is judged and good. Raises FormRefusedError."""
    path = form.path
    file_in(str(form.answers[FILE]), form.benchmark)
    if dropped.faults or not dropped.files:
        raise FormRefusedError(*dropped.faults or ["Your file could not be fetched."])
    files = {f"{path}/{name}": content for name, content in dropped.files.items()}
    files[f"{path}/{FILE_NAME}"] = form.card
    message = f"Submit {path.removeprefix('submissions/')}\n"
    tried = write_commit(form.repo, form.base, files, message)
    here = open_pull_request(form.repo, PullRequestRef(base=form.base, head=tried), now)
    pull = replace(here, ref=replace(form.ref, head=tried))
    if errors := errors_in(judge(pull, form.issue.login)):
        raise FormRefusedError(*_in_words(errors, path, form.fields))
    return push_branch(
        form.repo, form_branch(form.issue.number), files, remote=form.ref.remote or "",
        base=form.ref.base, message=message,
    )  # fmt: skip


def _in_words(problems: Iterable[Problem], path: str, fields: list[Field]) -> list[str]:
    sentences = []
    for problem in problems:
        file = problem.file.removeprefix(f"{path}/")
        label = in_words(problem.key, fields) if file == FILE_NAME else ""
        if label:
            place = label
        elif file in (path, FILE_NAME):
            place = "Your entry"
        else:
            place = quoted(file) + (f", line {problem.line}" if problem.line else "")
        hint = prose(problem.hint)
        sentences.append(f"{place}: {prose(problem.message).rstrip('.')}. {hint}".rstrip())
    more = len(sentences) - _MAX_SHOWN
    return [*sentences[:_MAX_SHOWN], *([f"And {more} more."] if more > 0 else [])]


def _propose(form: _Form, forge: Forge, note: FormNote) -> str:
    """Open the pull request of a note, start its evaluation and say so; twice is once."""
    issue, base = form.issue, form.ref.base
    address = forge.open_pull_request(
        head=form_branch(issue.number), base=base, title=f"Entry of {note.login} by a form",
        body=f"By the form of issue {issue.number}.",
    )  # fmt: skip
    number = address.rpartition("/")[2]
    if number.isdecimal():
        forge.dispatch(WORKFLOW, base, {"pull_request": number}, f"{RUN_NAME}{number}")
    forge.comment_sticky(
        issue.number, f"{ON_ISSUE.format(address)} CI says here, too, what becomes of it."
    )
    _close(forge, issue.number)
    return f"issue {issue.number} is {address}"


def _close(forge: Forge, issue: int) -> None:
    call = Call(doing=f"close issue {issue}", needs="issues: write")
    forge.client.ask("PATCH", f"issues/{issue}", call, data={"state": "closed"})
