"""Commands in comments on a pull request, or on the issue of a form that became one.

They are /evaluate, /retry, /withdraw and /log CELL.

A comment is a stranger's text: pullbench compares it with four words and the names of cells, and
repeats no other part of it.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from evaluator.ci.forge.client import ForgePullRequest
from evaluator.ci.forge.inert_markdown import block, prose, quoted
from evaluator.ci.forge.repository import Forge, find_forge
from evaluator.ci.ledger.arrivals import last_arrival
from evaluator.ci.ledger.command_notes import (
    COMMANDS,
    DONE,
    RETRIES,
    CommandNote,
    command_notes,
    command_path,
)
from evaluator.ci.ledger.form_notes import NOBODY, entrant_of, form_branch
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import RECEIVED, Outcome, key_of, note_json, outcome_file
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.ci.opened.heads import MovedError, PullRequestRef, base_commit, settings_of
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.case import MOVED
from evaluator.ci.policy.ownership import names_of
from evaluator.ci.policy.reviews import FEEDBACK
from evaluator.ci.policy.waiting import Waits, waiting_file
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.ci.steps.command_event import Command, read_command
from evaluator.ci.steps.reports import APPROVAL_LABEL, RUN_NAME, WORKFLOW
from evaluator.core.errors import RefusedError, UsageError, some_of
from evaluator.core.formats.settings import Settings
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.scores.redaction import disclose

_HOUR = dt.timedelta(hours=1)
_ANSWERS = 12
"""Most answers to one author in one pull request within an hour."""
_REFUSALS = 3
"""Answers within an hour after which people who may use no command get none."""
_LOG_LINES = 50


@dataclass(frozen=True)
class Reply:
    """The reply to a command."""

    text: str = ""
    """Markdown; empty if it is done, and the sticky comment shows the rest."""
    may: bool = True
    """Whether its author may use this command."""


def answer_comment(start: Path, ref: PullRequestRef, event: bytes, now: dt.datetime) -> str:
    """Carry out the command in a comment and answer it; return a line for the job's log."""
    command = read_command(event)
    if command is None:
        return "no command"
    settings = settings_of(start, ref)
    forge = find_forge(settings.forge)
    if forge is None:
        raise UsageError(
            "pullbench has no token to answer the comment", hint="Set the forge's as GITHUB_TOKEN."
        )
    if not command.pull_request:
        branch = form_branch(command.place)
        entry = forge.find_pull_request(branch, ref.base)
        if entry is None or entry.head.ref != branch:
            return "the issue is no entry that is open"
        command = replace(command, pull_request=entry.number)
    number = command.pull_request
    pull = forge.pull_request(number)
    if pull.base.ref != ref.base:
        return "a pull request to another branch"
    ref = replace(ref, head=pull.head.sha, number=number)
    handler = _Handler(start, ref, settings, forge, pull, command, now)
    answer = handler.answer()
    if not answer.text and not forge.react(command.comment):
        answer = Reply("Done; the comment of pullbench shows what happens.")
    if answer.text:
        limit = _ANSWERS if answer.may else _REFUSALS
        mark = f"<!-- to {command.comment} -->"
        earlier = forge.answers(command.place, command.by, min(command.at, now - _HOUR))
        if len(earlier) < limit and not any(mark in text for text in earlier):
            forge.answer(command.place, command.by, f"{mark}\n{answer.text}")
    return (
        f"/{command.word} of pull request {number}: {answer.text.partition(chr(10))[0] or 'done'}"
    )


@dataclass(frozen=True)
class _Handler:
    """Checks one command and carries it out."""

    start: Path
    ref: PullRequestRef
    settings: Settings
    forge: Forge
    shown: ForgePullRequest
    """The pull request as the forge shows it."""
    command: Command
    now: dt.datetime

    def answer(self) -> Reply:
        command, by = self.command, self.command.by
        methods: dict[str, Callable[[], Reply]] = {
            "evaluate": self._evaluate, "retry": self._retry, "withdraw": self._withdraw,
            "log": self._log,
        }  # fmt: skip
        if not self._is_organiser and (command.word == "evaluate" or not self._is_entrant):
            others = "" if command.word == "evaluate" else ", its author or the author's team"
            return Reply(
                f"Only an organiser{others} may use `/{command.word}`; {quoted(by)} may not.",
                may=False,
            )
        if bool(command.argument) != (command.word == "log"):
            form = "/log CELL" if command.word == "log" else f"/{command.word}"
            return Reply(f"Write `{form}` as the first line, and nothing else in it.")
        try:
            if command_path(command.pull_request, command.comment) in self._ledger.entries:
                # It was delivered before.
                return self._withdraw() if command.word == "withdraw" else self._start()
            if self.shown.state != "open":
                return Reply("This pull request is not open. Reopen it first.")
            if command.word in ("evaluate", "retry") and self._pull.has_moved:
                self._go_on()
                return Reply(MOVED.reason)
            return methods[command.word]()
        except (MovedError, RefusedError) as error:
            return Reply(f"{prose(error.message.capitalize())}. {prose(error.hint)}")

    @property
    def _is_organiser(self) -> bool:
        return self.settings.is_organiser(self.command.by)

    @property
    def _is_entrant(self) -> bool:
        """Whether it is the author, or a member of each team that is entered."""
        names, author = names_of(self.command.by, self.settings), self.shown.user
        login = author.login if author else NOBODY
        if login == self.forge.bot:
            login = entrant_of(login, self._ledger, self.ref.head)
        if login.casefold() == self.command.by.casefold():
            return True
        if len(names) == 1:
            return False  # in no team, so that nothing of the pull request is read
        try:
            entered = {name.split("/")[1].casefold() for name in self._pull.submissions}
        except (MovedError, RefusedError):
            return False
        return bool(entered) and entered <= names

    @cached_property
    def _pull(self) -> PullRequest:
        return open_pull_request(open_repository(self.start), self.ref, self.now)

    @cached_property
    def _ledger(self) -> Ledger:
        repo, ref = open_repository(self.start), self.ref
        tree = read_tree(repo, base_commit(repo, ref.base, ref.remote))
        return grown_ledger(repo, self.settings.ledger, ref.remote, tree)

    def _once(self, act: Callable[[], None], *more: tuple[str, bytes]) -> None:
        """Note a command and carry it out, if no earlier delivery of its comment was."""
        command, entries = self.command, self._ledger.entries
        path, done = (
            command_path(command.pull_request, command.comment, part) for part in (COMMANDS, DONE)
        )
        if done in entries:
            return
        if path not in entries:
            changed = "" if command.word == "withdraw" else self._pull.changed
            note = CommandNote(word=command.word, by=command.by, at=self.now,
                               head=self.ref.head, changed=changed)  # fmt: skip
            self._add(dict([(path, note_json(note)), *more]))
        act()
        self._add({done: b"{}\n"})

    def _add(self, files: Mapping[str, bytes]) -> None:
        add_to_ledger(
            open_repository(self.start), files,
            f"Note /{self.command.word} of pull request {self.command.pull_request}\n",
            branch=self.settings.ledger, remote=self.ref.remote,
        )  # fmt: skip

    def _go_on(self) -> None:
        number = self.command.pull_request
        inputs, title = {"pull_request": str(number)}, f"{RUN_NAME}{number}"
        self.forge.dispatch(WORKFLOW, self.ref.base, inputs, title)

    def _start(self) -> Reply:
        self._once(self._go_on)
        return Reply()

    def _evaluate(self) -> Reply:
        """Bind the head that could be read when the comment was written, and no other."""
        number = self.command.pull_request
        last = last_arrival(self._pull.ledger, number, self.now, RECEIVED)
        if not last or last[0] != self._pull.whole_path or last[1].at > self.command.at:
            return Reply(
                "CI has not received the newest commit before this comment, or the head was moved "
                f"back. Read the files again. Then comment again, or set `{APPROVAL_LABEL}`."
            )
        return self._start()

    def _retry(self) -> Reply:
        ledger, number = self._pull.ledger, self.command.pull_request
        if self.shown.has_label(APPROVAL_LABEL):  # its run waits; a start would take its place
            return Reply(f"The label `{APPROVAL_LABEL}` is set, so CI evaluates it again already.")
        if ledger.approval_of(number, self._pull.tree, self._pull.changed) is None:
            return Reply(
                "Nobody approved these files, so there is nothing to try again. An organiser "
                "approves them first."
            )
        due = (feedback.is_due(self._pull) for feedback in FEEDBACK.values())
        if not self._pull.cells(ledger).missing and not any(due):
            return Reply(
                "Each cell has a record, so there is nothing to try again. If the entry itself "
                "failed, push a new commit."
            )
        retries = sum(
            note.word == "retry" and note.head == self.ref.head
            for note in command_notes(ledger, number)
        )
        # Another commit, or another pull request, with the same files is no other entry.
        tries = max(retries, ledger.times_approved(self._pull.tree) - 1)
        if tries >= RETRIES and not self._is_organiser:
            return Reply(
                f"CI tried it again {tries} times. Now an organiser must comment `/retry`."
            )
        return self._start()

    def _withdraw(self) -> Reply:
        number, by = self.command.pull_request, self.command.by
        reason = "withdrawn by a comment"
        waits = Waits(head=self.ref.head, at=self.now, why="closed", actor=None, reason=reason)

        def end() -> None:
            self.forge.close(number)
            self.forge.cancel_runs(WORKFLOW, f"{RUN_NAME}{number}")

        # What was handed out is over: else it would be free when the pull request is reopened.
        over = [Outcome(approval=one.id, at=self.now) for one in self._ledger.unfinished(number)]
        self._once(end, waiting_file(number, waits), *map(outcome_file, over))
        return Reply(
            f"Withdrawn by {quoted(by)}, and closed. An attempt that counted still counts. To "
            "enter it again, reopen it."
        )

    def _log(self) -> Reply:
        ledger = self._pull.ledger
        planned = {str(name): item for name, item in self._pull.cells(ledger).planned.items()}
        item = planned.get(self.command.argument)
        # The base branch decides what is public: the pull request could change its own copy.
        benchmarks = self._pull.before.benchmarks
        if item is None or item.cell.benchmark.name not in benchmarks:
            names = some_of([quoted(name) for name in planned]) or "none"
            return Reply(f"There is no such cell. This pull request has: {names}.")
        key = key_of(item.cell.keys)
        records = [one for one in ledger.records([key])[key.score] if not ledger.is_withdrawn(one)]
        if not records:
            return Reply("This cell has no record yet.")
        record = records[0].replace(cell=item.cell.id)
        public = disclose(record, benchmarks[item.cell.benchmark.name])
        because = f", {prose(public.reason)}: {prose(public.message)}" if public.reason else ""
        lines = [f"{quoted(str(item.cell.id))} is {public.status}{because}"]
        for step in record.steps:
            log = public.logs.get(step.step, "")
            lines += [
                "",
                f"The end of the log of {step.step}:"
                if log
                else f"No log of {step.step} is shown.",
            ]
            lines += ["", *block(log, _LOG_LINES)] if log else []
        return Reply("\n".join(lines))
