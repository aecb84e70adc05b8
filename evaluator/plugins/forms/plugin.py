"""Entries by an issue form: for people who do not use git.

Without it the key `form` is unknown, which gives a warning, and nobody enters by an issue.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "bundle_keys.form": "evaluator.plugins.forms.issue_form:IssueForm",
        "checks.forms": "evaluator.plugins.forms.issue_form:check_forms",
        "written_by_init.forms": "evaluator.plugins.forms.issue_form:write_forms",
        "pr_verbs.download": "evaluator.plugins.forms.verbs:download",
        "pr_verbs.enter": "evaluator.plugins.forms.verbs:enter",
        "verbs.forms": "evaluator.plugins.forms.verbs:forms",
    },
    help_sections={"Organise benchmarks": ("forms",)},
)
