"""What an organiser's programs did on other files: the control of a failure.

Without it nothing is known of other files, and whoever brought what failed first must act.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(controls={"records": "evaluator.plugins.controls.controls:Controls"})
