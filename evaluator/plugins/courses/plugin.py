"""Courses: who may enter by a class list and until when, and a gradebook of it.

Without it there are no verbs `grades` and `participants`; `late` and `until` of a phase are unknown
keys, which give a warning, and phases close at their end.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "phase_keys.late": "evaluator.plugins.courses.lateness:Late",
        "phase_keys.until": "evaluator.plugins.courses.lateness:Until",
        "more_time.courses": "evaluator.plugins.courses.lateness:more_time",
        "entry_rules.late": "evaluator.plugins.courses.lateness:late_rules",
        "checks.deadlines": "evaluator.plugins.courses.lateness:check_deadlines",
        "verbs.grades": "evaluator.plugins.courses.verbs:grades",
        "verbs.participants": "evaluator.plugins.courses.verbs:participants",
    },
    help_sections={"Organise benchmarks": ("grades", "participants")},
)
