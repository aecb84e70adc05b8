"""What the core itself offers."""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "validate": "evaluator.core.cli.submissions:validate",
        "plan": "evaluator.core.cli.evaluation:plan",
        "run": "evaluator.core.cli.evaluation:run",
        "leaderboard": "evaluator.core.cli.boards:leaderboard",
    },
    help_sections={
        "Take part": ("validate", "plan", "run"),
        "Read and check results": ("leaderboard",),
    },
    exporters={
        "table": "evaluator.core.leaderboard.tables:to_text",
        "csv": "evaluator.core.leaderboard.tables:to_csv",
    },
    kinds={
        "code": "evaluator.core.formats.kinds.code:Code",
        "results": "evaluator.core.formats.kinds.results:Results",
    },
    attachments={"html": "evaluator.core.compute.scoring:DetailedPage"},
    ranking_rules={
        "mean": "evaluator.core.ranking.rules:Mean",
        "none": "evaluator.core.ranking.rules:FirstTask",
        "mean_rank": "evaluator.core.ranking.rules:MeanRank",
        "win_rate": "evaluator.core.ranking.rules:WinRate",
    },
    engines={"docker": "evaluator.core.compute.engine.docker_engine:DOCKER"},
    executors={"local": "evaluator.core.compute.executors:LocalExecutor"},
)
