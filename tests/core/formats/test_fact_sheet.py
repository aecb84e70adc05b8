from typing import Any

import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.fact_sheet import Question, Sheet, check_answers
from evaluator.core.formats.schema import Document

QUESTIONS = {
    "method": Question(key="method", type="text", title="Method", is_required=True),
    "deep": Question(key="deep", type="checkbox", title="Deep"),
    "size": Question(key="size", type="select", title="Size", selection=["1", "2"]),
}


def check(**answers: Any) -> tuple[dict[str, str | bool], list[str]]:
    document = Document("submission.yaml", Actor.PARTICIPANT)
    accepted = check_answers(Sheet(questions=QUESTIONS), answers, document)
    return accepted, [f"{problem.key} {problem.message}" for problem in document.problems]


def test_answers() -> None:
    assert check(method="trees", deep=False, size=2) == (
        {"method": "trees", "deep": False, "size": "2"},
        [],
    )


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({}, "method must be answered"),
        ({"method": "x", "deep": "yes"}, "deep answers a checkbox with 'yes'"),
        ({"method": "x", "size": 3}, "size is not an accepted answer: '3'"),
        ({"method": ["x"]}, "method must be one line"),
        ({"method": None}, "method must be one line"),
        ({"method": "x" * 3000}, "method is longer"),
        ({"method": "x", "colour": "red"}, "colour is not a question"),
    ],
)
def test_refused(answers: dict[str, Any], message: str) -> None:
    _, (found,) = check(**answers)
    assert message in found


@pytest.mark.parametrize(
    ("given", "flag"), [("true", True), ("False", False), (" TRUE ", True), (True, True)]
)
def test_flags_may_be_strings(given: object, flag: bool) -> None:
    data = {"key": "a", "type": "text", "title": "A", "selection": "", "is_required": given}
    assert Question.model_validate(data).is_required is flag


def test_choices_may_be_one_string() -> None:
    question = Question(key="a", type="select", title="A", selection="small, large,")
    assert question.choices == ("small", "large")
