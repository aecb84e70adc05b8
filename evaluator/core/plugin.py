"""What the core itself offers."""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.validate": "evaluator.core.cli.submissions:validate",
        "verbs.plan": "evaluator.core.cli.evaluation:plan",
        "verbs.run": "evaluator.core.cli.evaluation:run",
        "verbs.leaderboard": "evaluator.core.cli.boards:leaderboard",
        "exporters.table": "evaluator.core.leaderboard.tables:to_text",
        "exporters.csv": "evaluator.core.leaderboard.tables:to_csv",
        "kinds.code": "evaluator.core.formats.kinds.code:CODE",
        "kinds.results": "evaluator.core.formats.kinds.results:RESULTS",
        "attachments.html": "evaluator.core.compute.scoring:DETAILED_PAGE",
        "ranking_rules.mean": "evaluator.core.ranking.rules:MEAN",
        "ranking_rules.none": "evaluator.core.ranking.rules:FIRST_TASK",
        "ranking_rules.mean_rank": "evaluator.core.ranking.rules:MEAN_RANK",
        "ranking_rules.win_rate": "evaluator.core.ranking.rules:WIN_RATE",
        "entry_rules.scores": "evaluator.core.planning.rules:score_rules",
        "engines.docker": "evaluator.core.compute.engine.docker_kind:DOCKER",
        "executors.local": "evaluator.core.compute.executors:LocalExecutor",
    },
    help_sections={
        "Take part": ("validate", "plan", "run"),
        "Read and check results": ("leaderboard",),
    },
)
