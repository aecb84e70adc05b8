"""Ranking by values themselves: their mean over the tasks, or those of the first task."""

from evaluator.core.ranking.rule import RankingRule


class Mean(RankingRule):
    """By the mean of the primary column over all tasks."""

    name = "mean"


class FirstTask(RankingRule):
    """By the first task, whatever the others say."""

    name = "none"
    of_first_task = True
