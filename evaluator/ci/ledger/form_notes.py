"""Notes of entries by an issue form: whose the pull requests are that our bot opens."""

from pydantic import AwareDatetime

from evaluator.ci.forge.repository import bot_login
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import Note, note_json, shard

_FORMS, _ACCOUNTS = "forms", "forms/accounts"
NOBODY = ""
"""Login of an author that is not known."""


class FormNote(Note):
    """That somebody entered by an issue, or was refused."""

    issue: int
    account: int
    """Number of the account that wrote the issue; a login may change hands."""
    login: str
    sha256: str = ""
    """Of the bytes of the file that was dropped."""
    commit: str = ""
    """Head that was made of it; empty if it was refused."""
    at: AwareDatetime


def form_branch(issue: int) -> str:
    """Branch of the entry that an issue became."""
    return f"form/{issue}"


def form_files(note: FormNote) -> dict[str, bytes]:
    paths = [f"{_ACCOUNTS}/{note.account}/{note.at:%Y%m%d}-{note.issue}.json"]
    if note.commit:
        paths.append(form_path(note.commit))
    return dict.fromkeys(paths, note_json(note))


def names_of_forms(ledger: Ledger, account: int) -> list[str]:
    """Day and issue of each form of an account, as ``20260131-12``."""
    return [name.removesuffix(".json") for name in ledger.entries.names(f"{_ACCOUNTS}/{account}")]


def form_note(ledger: Ledger, account: int, name: str) -> FormNote | None:
    return ledger.note(f"{_ACCOUNTS}/{account}/{name}.json", FormNote)


def entered_by_form(ledger: Ledger, head: str) -> FormNote | None:
    note = ledger.note(form_path(head), FormNote)
    return note if note and note.commit == head else None


def entrant_of(author: str, ledger: Ledger, head: str) -> str:
    """Login that enters with a pull request: its ``author``'s, or by the note of a form.

    What our bot opened without a note is NOBODY's, whatever its files, branch or commits say. A
    note counts for nobody who opens a pull request with the same head.
    """
    if author.casefold() != bot_login().casefold():
        return author
    note = entered_by_form(ledger, head)
    return note.login if note else NOBODY


def form_path(commit: str) -> str:
    """Path of the note of who entered a head."""
    return f"{shard(f'{_FORMS}/heads', commit)}/{commit}.json"
