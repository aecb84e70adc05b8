"""Courses: who may enter by a class list, and a gradebook of it.

Without it there are no verbs `grades` and `participants`.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.grades": "evaluator.plugins.courses.verbs:grades",
        "verbs.participants": "evaluator.plugins.courses.verbs:participants",
    },
    help_sections={"Organise benchmarks": ("grades", "participants")},
)
