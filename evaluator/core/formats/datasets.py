"""Data sets of participants: their role in a benchmark, and the origin of those that are tasks."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, model_validator

from evaluator.core.formats.fact_sheet import Question
from evaluator.core.formats.parsing import Strict

CHECK = "dataset-check"
"""Slug of the task with which a data set is checked; no other task may have it."""
_SEPARATOR = "~"
"""Between participant and name in the slug of a task that was a data set. Other slugs have none."""


class Datasets(Strict):
    """The ``datasets:`` key of the extension."""

    become: Literal["tasks", "rows"]
    """``tasks``: every accepted data set is a task for every program, so that the board grows in
    both directions. ``rows``: a data set is ranked like a program, and the organiser's programs
    are the tasks."""
    task: int | None = None
    """With ``tasks``: index of the task whose programs serve every data set."""
    check_program: str = ""
    """Program that accepts a data set or says in rejected.txt why not. It finds the data set where
    predictions stand; numbers that it writes are shown. Without one all are accepted."""
    input_data: Annotated[str, Field(min_length=1)] = "input_data"
    """With ``tasks``: the part of a data set that the ingestion program and programs see."""
    reference_data: Annotated[str, Field(min_length=1)] = "reference_data"
    """With ``tasks``: the part that the scoring program alone sees."""
    sheet: dict[str, Question] = {}
    """The datasheet: questions as those of ``fact_sheet``, asked of data sets instead."""
    own: Literal["exclude", "include"] = "exclude"
    """Whether results on data sets of the same participant count for the rank."""

    @model_validator(mode="after")
    def _task_fits(self) -> "Datasets":
        if (self.become == "tasks") != (self.task is not None):
            raise ValueError("'task' belongs to 'become: tasks', which needs it")
        return self


@dataclass(frozen=True, kw_only=True)
class Origin:
    """The data set that a task was made of."""

    participant: str
    name: str
    retired: str = ""
    """Why it no longer counts; empty while it does."""
    successor: str = ""
    """``participant/name`` of the version that replaced it, where one did."""

    @property
    def id(self) -> str:
        return f"{self.participant}/{self.name}"


def dataset_slug(participant: str, name: str) -> str:
    """Slug of the task that a data set becomes.

    Names hold dots, which end a slug; a doubled separator stands for each. No name begins or ends
    with a dot, so no two data sets share a slug.
    """
    parts = (part.replace(".", _SEPARATOR * 2) for part in (participant, name))
    return _SEPARATOR.join(parts)
