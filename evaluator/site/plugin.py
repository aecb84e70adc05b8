"""Pages of boards: the static site.

Without it boards are printed, and nothing is published.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.site": "evaluator.site.build.verbs:site",
        "settings.site": "evaluator.site.content.settings:SiteSettings",
        "bundle_keys.citation": "evaluator.site.content.settings:Citation",
        "bundle_keys.tags": "evaluator.site.content.settings:Tags",
        "submission_keys.based_on": "evaluator.site.content.lineage:BasedOn",
        "checks.lineage": "evaluator.site.content.lineage:check_lineage",
        "exporters.json": "evaluator.site.boards.exports.board_json:to_json",
        "exporters.latex": "evaluator.site.boards.exports.paper_tables:to_latex",
        "exporters.markdown": "evaluator.site.boards.exports.paper_tables:to_markdown",
    },
    help_sections={"Read and check results": ("site",)},
)
