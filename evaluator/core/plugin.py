"""What the core itself offers."""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "enter": "evaluator.cli.submissions:enter",
        "validate": "evaluator.cli.submissions:validate",
        "plan": "evaluator.cli.evaluation:plan",
        "run": "evaluator.cli.evaluation:run",
        "log": "evaluator.cli.evaluation:log",
        "leaderboard": "evaluator.cli.boards:leaderboard",
        "reproduce": "evaluator.cli.evaluation:reproduce",
        "init": "evaluator.cli.bundles:init",
        "fact-sheet": "evaluator.cli.bundles:fact_sheet",
        "solutions": "evaluator.cli.bundles:solutions",
        "import": "evaluator.cli.imports:imports",
        "pin": "evaluator.cli.secrets:pin",
        "keygen": "evaluator.cli.secrets:keygen",
    },
    help_sections={
        "Take part": ("enter", "validate", "plan", "run", "log"),
        "Read and check results": ("leaderboard", "reproduce"),
        "Organise benchmarks": ("init", "fact-sheet", "solutions", "import", "pin", "keygen"),
    },
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
