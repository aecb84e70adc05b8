"""How the work of an instance is done over time, for the site to draw. Standard library alone."""

from collections.abc import Sequence

from episode import Played
from task import Task

STEPS, END = 60, 3
"""Points after the first, and the last of them in multiples of the optimum."""


def curves(task: Task, played: Sequence[Played]) -> dict:
    """Return curves.json: the share of the work that is done, the mean over episodes."""
    x = [END * step / STEPS for step in range(STEPS + 1)]
    y = [sum(_done(one, at * task.optimum) for one in played) / (len(played) * task.worst)
         for at in x]  # fmt: skip
    series = {"work done": {"x": x, "y": [round(one, 6) for one in y]}}
    return {"series": series, "x": "time / optimal makespan", "y": "share of the work that is done"}


def _done(one: Played, time: float) -> float:
    return sum(max(0.0, min(time, end) - start) for _, _, start, end in one.shop.segments)
