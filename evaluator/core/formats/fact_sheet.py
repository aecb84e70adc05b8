"""Fact sheets: an organiser's questions about a submission, and a participant's answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from evaluator.core.formats.answer_forms import AnswerForm, form_fault
from evaluator.core.formats.schema import Document
from evaluator.core.formats.strict import Strict

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
        """Answers that a select question accepts."""
        if isinstance(self.selection, str):
            return tuple(part.strip() for part in self.selection.split(",") if part.strip())
        return tuple(self.selection)


def answer_text(answer: str | bool | None) -> str:
    """Return an answer as people read it; empty where there is none."""
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
    """Return the answers by key, and report each one that its question does not accept."""
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
