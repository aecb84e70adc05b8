"""Every rule by which a board may rank, by the name that bundles give it."""

from evaluator.core.plugins import Offered
from evaluator.core.ranking.rule import RankingRule

RULES: Offered[RankingRule] = Offered("ranking_rules")
