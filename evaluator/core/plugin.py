"""What the core itself offers."""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    kinds={
        "code": "evaluator.formats.kinds.code:Code",
        "results": "evaluator.formats.kinds.results:Results",
        "reported": "evaluator.formats.kinds.reported:ReportedScores",
        "dataset": "evaluator.formats.kinds.dataset:DataSet",
    },
    ranking_rules={
        "mean": "evaluator.ranking.values:Mean",
        "none": "evaluator.ranking.values:FirstTask",
        "mean_rank": "evaluator.ranking.mean_rank:MeanRank",
        "win_rate": "evaluator.ranking.win_rate:WinRate",
    },
    engines={"docker": "evaluator.compute.engine.docker_kind:DOCKER"},
    executors={"local": "evaluator.compute.executors.local:LocalExecutor"},
)
