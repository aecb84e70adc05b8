"""Plots of boards, and the analysis of their results.

Without it boards have their ranks and intervals, and no plots and no page of analysis.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.analyze": "evaluator.plugins.insight.verbs:analyze",
        "insights.insight": "evaluator.plugins.insight.insight:INSIGHT",
        "schemas.analysis": "evaluator.plugins.insight.study_form:AnalysisData",
        "schemas.confidence": "evaluator.plugins.insight.study_form:ConfidenceData",
        "schemas.plots": "evaluator.plugins.insight.plots.figure:PlotsData",
        "schemas.plot": "evaluator.plugins.insight.plots.figure:FigureData",
        "figures.Score over time": "evaluator.plugins.insight.plots.over_time:over_time",
        "figures.Score against time": "evaluator.plugins.insight.plots.trade_off:against_time",
        "figures.Score against memory": "evaluator.plugins.insight.plots.trade_off:against_memory",
        "figures.Score against cost": "evaluator.plugins.insight.plots.trade_off:against_cost",
        "figures.Curves": "evaluator.plugins.insight.plots.curves:curves",
        "figures.Scores on each task": "evaluator.plugins.insight.plots.distribution:distribution",
        "figures.Difficulty of the tasks": "evaluator.plugins.insight.plots.difficulty:difficulty",
        "figures.Ranks across tasks": "evaluator.plugins.insight.plots.ranks:ranks",
    },
    help_sections={"Read and check results": ("analyze",)},
)
