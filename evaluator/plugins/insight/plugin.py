"""Plots of boards, and the analysis of their results.

Without it boards have their ranks and intervals, and no plots and no page of analysis.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "analyze": "evaluator.plugins.insight.verbs:analyze",
    },
    help_sections={
        "Read and check results": ("analyze",),
    },
    insights={"insight": "evaluator.plugins.insight.insight:INSIGHT"},
    schemas={
        "analysis": "evaluator.plugins.insight.study_form:AnalysisData",
        "confidence": "evaluator.plugins.insight.study_form:ConfidenceData",
        "plots": "evaluator.plugins.insight.plots.figure:PlotsData",
        "plot": "evaluator.plugins.insight.plots.figure:FigureData",
    },
    figures={
        "Score over time": "evaluator.plugins.insight.plots.over_time:over_time",
        "Score against time": "evaluator.plugins.insight.plots.trade_off:against_time",
        "Score against memory": "evaluator.plugins.insight.plots.trade_off:against_memory",
        "Score against cost": "evaluator.plugins.insight.plots.trade_off:against_cost",
        "Curves": "evaluator.plugins.insight.plots.curves:curves",
        "Scores on each task": "evaluator.plugins.insight.plots.distribution:distribution",
        "Difficulty of the tasks": "evaluator.plugins.insight.plots.difficulty:difficulty",
        "Ranks across tasks": "evaluator.plugins.insight.plots.ranks:ranks",
    },
)
