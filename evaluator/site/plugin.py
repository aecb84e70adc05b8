"""Pages of boards: the static site.

Without it boards are printed, and nothing is published.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.site": "evaluator.site.verbs:site",
        "settings.site": "evaluator.site.settings:SiteSettings",
        "bundle_keys.citation": "evaluator.site.settings:Citation",
        "bundle_keys.tags": "evaluator.site.settings:Tags",
        "phase_keys.anonymous_until": "evaluator.site.anonymity:AnonymousUntil",
        "anonymity.phases": "evaluator.site.anonymity:anonymous_phases",
        "anonymity.names": "evaluator.site.anonymity:without_names",
        "anonymity.links": "evaluator.site.anonymity:without_links",
        "submission_keys.based_on": "evaluator.site.leaderboard.lineage:BasedOn",
        "checks.lineage": "evaluator.site.leaderboard.lineage:check_lineage",
        "checks.anonymity": "evaluator.site.anonymity:check_phases",
        "exporters.json": "evaluator.site.exports.board_json:to_json",
        "exporters.latex": "evaluator.site.exports.paper_tables:to_latex",
        "exporters.markdown": "evaluator.site.exports.paper_tables:to_markdown",
    },
    help_sections={"Read and check results": ("site",)},
)
