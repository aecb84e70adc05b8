"""The rules by which a board may rank: by values, mean ranks, or win rates."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.core.ranking.rule import ComparedRows, RankingRule, RuleColumn, Wording

if TYPE_CHECKING:
    from evaluator.core.ranking.ranks import Floats

COVERAGE = "coverage"
"""Key of the column with the share of its tasks on which a row has run."""


class Mean(RankingRule):
    """By the mean of the primary column over all tasks."""

    name = "mean"


class FirstTask(RankingRule):
    """By the first task, whatever the others say."""

    name = "none"
    of_first_task = True


class MeanRank(RankingRule):
    """By average rank; what failed on a task has the rank there that ``missing`` gives."""

    name = "mean_rank"
    columns = (RuleColumn(key="mean_rank", title="Mean rank", sorting="asc", precision=2),)
    fills_missing = True

    def parts(self, values: "Floats", compared: ComparedRows) -> "Floats":
        from evaluator.core.ranking.ranks import ranks, rounded, with_missing  # numpy: not to plan

        near = rounded(values, compared.decimals)
        ranked = ranks(near, compared.ties, ascending=compared.ascending)
        return with_missing(ranked, compared.missing)

    def note(self, wording: Wording) -> str:
        return (
            "The mean rank is over the tasks of the phase: on each, the submissions of this board "
            f"are ranked by {wording.column} ({wording.better}); equal values have "
            f"{wording.ties}, and what has no value there has {wording.missing}."
        )


class WinRate(RankingRule):
    """By win rates: how rows compare that have not all run on the same tasks.

    On each task a row's share is how much of the others it beats there, a tie counting half; its
    win rate is the mean over the tasks on which it has run. So a task that has not run yet costs
    nothing, and neither does one that is hard for all. Each participant's rows together weigh as
    one opponent, so that entering ten weak programs makes no win rate.
    """

    name = "win_rate"
    columns = (
        RuleColumn(key="win_rate", title="Win rate", sorting="desc", precision=3, over_tasks=True),
        RuleColumn(key=COVERAGE, title="Coverage", sorting="desc", precision=2, over_tasks=True),
    )
    breaks_ties = False
    of_one_task = False
    failures_lose = True

    def parts(self, values: "Floats", compared: ComparedRows) -> "Floats":
        from evaluator.core.ranking.ranks import rounded, shares  # numpy: not to plan

        near = rounded(values, compared.decimals)
        return shares(-near if compared.ascending else near, compared.participants)

    def overall(
        self, parts: Sequence[float], weights: Sequence[int], coverage: float
    ) -> dict[str, float]:
        return {COVERAGE: coverage, **super().overall(parts, weights, coverage)}

    def note(self, wording: Wording) -> str:
        exclusion = " Nobody's own data count for them." if wording.excludes_own else ""
        return (
            f"Win rate: on each task, how much of the others a row beats by {wording.column} "
            f"({wording.better}), a tie counting half; the mean over the tasks on which it has run."
            " What has not run yet costs nothing; below half of the tasks there is no rank. Each "
            f"participant's rows weigh as one opponent.{exclusion}"
        )


MEAN = Mean()
FIRST_TASK = FirstTask()
MEAN_RANK = MeanRank()
WIN_RATE = WinRate()
