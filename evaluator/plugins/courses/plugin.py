"""Courses: a gradebook of a class list.

Without it there is no verb `grades`.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.grades": "evaluator.plugins.courses.verbs:grades",
    },
    help_sections={"Organise benchmarks": ("grades",)},
)
