"""Budgets of a prediction step: seconds for each item on average, for the whole run, or both."""

from typing import Annotated

from pydantic import Field, model_validator

from evaluator.core.formats.parsing import Strict

Seconds = Annotated[float, Field(gt=0, le=10**8, allow_inf_nan=False)]
Items = Annotated[int, Field(ge=1, le=10**12)]


class Budget(Strict):
    """What the prediction step of a task may take, all that it does included.

    It counts wall-clock time from the container's start to its end: loading, preprocessing and
    constructors are in it. Each repeat of a task has the whole budget.
    """

    seconds_per_item: Seconds | None = None
    """On average over ``items``."""
    seconds: Seconds | None = None
    """For the whole run of a task; where both are given, the smaller one holds."""
    items: Items | dict[int, Items] | None = None
    """Number of things that a task predicts, such as molecules: one for all tasks of the phase, or
    by index of the task."""

    @model_validator(mode="after")
    def _says_something(self) -> "Budget":
        if self.seconds_per_item is None and self.seconds is None:
            raise ValueError("needs 'seconds_per_item', 'seconds' or both")
        if self.seconds_per_item is not None and self.items is None:
            raise ValueError("needs 'items', over which 'seconds_per_item' is the average")
        return self

    def items_of(self, task: int) -> int | None:
        return self.items.get(task) if isinstance(self.items, dict) else self.items

    def seconds_of(self, task: int) -> float:
        items = self.items_of(task)
        limits = [] if self.seconds is None else [self.seconds]
        if self.seconds_per_item is not None and items is not None:
            limits.append(self.seconds_per_item * items)
        return min(limits, default=float("inf"))

    def text(self, task: int) -> str:
        items, total = self.items_of(task), f"{self.seconds_of(task):.10g} s"
        if self.seconds_per_item is None or items is None:
            return total
        return f"{total}, {self.seconds_per_item:.10g} s for each of {items:,} items"

    def used(self, task: int, wall_seconds: float) -> str:
        items, total = self.items_of(task), f"{wall_seconds:.2f} s"
        if items is None:
            return total
        return f"{total}, {wall_seconds / items:.4g} s for each of {items:,} items"


def budget_part(budget: Budget | None, task: int) -> dict[str, str]:
    """What goes into the limits of a key: nothing where no budget is declared."""
    return {} if budget is None else {"budget": repr(budget.seconds_of(task))}
