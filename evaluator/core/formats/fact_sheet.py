"""Fact sheets: an organiser's questions about a submission, and a participant's answers."""

import math
import re
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.schema import Document

AnswerForm = Literal["url", "email", "number"]
_RESERVED = re.compile(r"(^|\.)(example\.(com|net|org)|example|invalid|test|localhost)$")
"""Names that RFC 2606 keeps for examples: an address there is a placeholder."""
_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}")
_BLANK = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff<>\"\\]")
_NUMBER = re.compile(
    r"([+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?) ?([kKMGBT]?)"
)
_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9, "t": 10**12}
"""Papers write 6.7M and 17.4B."""


def answer_number(text: str) -> float | None:
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    value = float(match[1].replace(",", "")) * _SIZES[match[2].lower()]
    return value if math.isfinite(value) else None


def form_fault(form: AnswerForm, text: str) -> str | None:
    if form == "number":
        return None if answer_number(text) is not None else "is no number"
    if form == "url":
        return _no_url(text)
    return None if _EMAIL.fullmatch(text) else "is no e-mail address such as name@university.edu"


def _no_url(text: str) -> str | None:
    if _BLANK.search(text):
        return "holds a blank or another character that no address has"
    try:
        parts = urllib.parse.urlsplit(text)
        host = parts.hostname or ""
        _ = parts.port  # checks it
    except ValueError:
        return "cannot be read as an address"
    if parts.scheme not in {"http", "https"}:
        return "is no address of a page: it must begin with https:// or http://"
    if not host:
        return "names no host"
    if parts.username is not None or parts.password is not None:
        return "holds a user name, which would be published"
    if _RESERVED.search(host.lower().rstrip(".")):
        return f"is a placeholder: {host} is a name for examples"
    return None


FACT_SHEET = "fact sheet"
MAX_ANSWER = 2000
"""Characters."""
_FORM_HINTS: Mapping[AnswerForm, str] = {
    "url": "Write the address of the page, such as https://arxiv.org/abs/2103.09430.",
    "email": "Write one address and nothing else.",
    "number": "Write it in digits, as 6700000, or shorter, as 6.7M or 17.4B.",
}


def _flag(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


Flag = Annotated[bool, BeforeValidator(_flag, json_schema_input_type=bool | str)]


class Question(Strict):
    """One question, with Codabench's six keys. Flags may be the strings "true" and "false"."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    key: str
    type: Literal["checkbox", "text", "select"]
    title: str
    selection: list[str] | str = ""
    is_required: Flag = False
    is_on_leaderboard: Flag = False

    @property
    def choices(self) -> tuple[str, ...]:
        if isinstance(self.selection, str):
            return tuple(part.strip() for part in self.selection.split(",") if part.strip())
        return tuple(self.selection)


def answer_text(answer: str | bool | None) -> str:
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return answer or ""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """What a benchmark asks of a submission of some kind."""

    title: str = FACT_SHEET
    questions: Mapping[str, Question]
    forms: Mapping[str, AnswerForm] = field(default_factory=dict)
    """Of questions whose answers are no mere text; a required one's may not be blank."""
    filled: str = ""
    """Another question whose answer may not be blank; empty for none."""


def check_answers(
    sheet: Sheet, answers: Mapping[str, Any], document: Document
) -> dict[str, str | bool]:
    questions, forms = sheet.questions, sheet.forms
    accepted: dict[str, str | bool] = {}
    for key, answer in answers.items():
        question = questions.get(key)
        at = ("fact_sheet", key)
        if question is None:
            names = ", ".join(questions) or "none"
            document.report(at, "is not a question of this benchmark.", f"It asks: {names}.")
        elif question.type == "checkbox":
            if isinstance(answer, bool):
                accepted[key] = answer
            else:
                document.report(at, f"answers a checkbox with {answer!r}.", "Write true or false.")
        elif isinstance(answer, (dict, list)) or answer is None:
            document.report(at, "must be one line of text.")
        elif question.type == "select" and str(answer) not in question.choices:
            document.report(
                at,
                f"is not an accepted answer: {str(answer)!r}.",
                f"Choose one of: {', '.join(question.choices)}.",
            )
        elif len(str(answer)) > MAX_ANSWER:
            document.report(at, f"is longer than {MAX_ANSWER} characters.")
        elif not str(answer).strip() and (
            key == sheet.filled or (key in forms and question.is_required)
        ):
            document.report(at, f"must be answered: {question.title}.", "Add the answer.")
        elif (
            key in forms
            and str(answer).strip()
            and (fault := form_fault(forms[key], str(answer).strip())) is not None
        ):
            document.report(at, f"{fault}: {str(answer)[:100]!r}.", _FORM_HINTS[forms[key]])
        else:
            accepted[key] = str(answer).strip() if key in forms else str(answer)
    for key, question in questions.items():
        if question.is_required and key not in answers:
            document.report(
                ("fact_sheet", key), f"must be answered: {question.title}.", "Add the answer."
            )
    return accepted
