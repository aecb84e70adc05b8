"""Every rule by which a board may rank, by the name that bundles give it."""

from collections.abc import Mapping

from evaluator.ranking.mean_rank import MeanRank
from evaluator.ranking.rule import RankingRule
from evaluator.ranking.values import FirstTask, Mean
from evaluator.ranking.win_rate import WinRate

RULES: Mapping[str, RankingRule] = {
    rule.name: rule for rule in (Mean(), FirstTask(), MeanRank(), WinRate())
}
