"""Ranking by the mean, over the tasks, of each row's rank there."""

from typing import TYPE_CHECKING

from evaluator.core.ranking.rule import Compared, RankingRule, RuleColumn, Wording

if TYPE_CHECKING:
    from evaluator.core.ranking.ranks import Floats


class MeanRank(RankingRule):
    """By average rank; what failed on a task has the rank there that ``missing`` gives."""

    name = "mean_rank"
    columns = (RuleColumn(key="mean_rank", title="Mean rank", sorting="asc", precision=2),)
    fills_missing = True

    def parts(self, values: "Floats", compared: Compared) -> "Floats":
        from evaluator.core.ranking.ranks import ranks, rounded, with_missing  # numpy: not to plan

        near = rounded(values, compared.decimals)
        ranked = ranks(near, compared.ties, ascending=compared.ascending)
        return with_missing(ranked, compared.missing)

    def note(self, wording: Wording) -> str:
        """Say what is ranked on each task, and what stands for ties and missing values."""
        return (
            f"The mean rank is over the tasks of the phase: on each, {wording.rows} are ranked by "
            f"{wording.column} ({wording.better}); equal values have {wording.ties}, and what has "
            f"no value there has {wording.missing}."
        )
