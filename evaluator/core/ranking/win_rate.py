"""Ranking by win rates: how rows compare that have not all run on the same tasks.

On each task a row's share is how much of the others it beats there, a tie counting half; its win
rate is the mean over the tasks on which it has run. So a task that has not run yet costs nothing,
and neither does one that is hard for all. Each participant's rows together weigh as one opponent,
so that entering ten weak programs makes no win rate.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaluator.core.ranking.rule import Compared, RankingRule, RuleColumn, Wording

if TYPE_CHECKING:
    from evaluator.core.ranking.ranks import Floats

COVERAGE = "coverage"
"""Key of the column with the share of its tasks on which a row has run."""


class WinRate(RankingRule):
    """By the mean share of the others that a row beats."""

    name = "win_rate"
    columns = (
        RuleColumn(key="win_rate", title="Win rate", sorting="desc", precision=3, over_tasks=True),
        RuleColumn(key=COVERAGE, title="Coverage", sorting="desc", precision=2, over_tasks=True),
    )
    breaks_ties = False
    of_one_task = False
    failures_lose = True

    def parts(self, values: "Floats", compared: Compared) -> "Floats":
        """Return the share of the others that each row beats on each task."""
        from evaluator.core.ranking.ranks import rounded  # numpy: not to plan
        from evaluator.core.ranking.shares import shares

        near = rounded(values, compared.decimals)
        return shares(-near if compared.ascending else near, compared.participants)

    def overall(
        self, parts: Sequence[float], weights: Sequence[int], coverage: float
    ) -> dict[str, float]:
        """Return the win rate of a row that had an opponent, and its coverage."""
        return {COVERAGE: coverage, **super().overall(parts, weights, coverage)}

    def note(self, wording: Wording) -> str:
        """Say what a win rate is, and what it does not count."""
        exclusion = " Nobody's own data count for them." if wording.excludes_own else ""
        return (
            f"Win rate: on each task, how much of the others a row beats by {wording.column} "
            f"({wording.better}), a tie counting half; the mean over the tasks on which it has run."
            " What has not run yet costs nothing; below half of the tasks there is no rank. Each "
            f"participant's rows weigh as one opponent.{exclusion}"
        )
