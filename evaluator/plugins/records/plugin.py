"""A rule by which only clear improvements are records, and the page of who held the record.

Without it `accept` is an unknown key, which gives a warning.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "bundle_keys.accept": "evaluator.plugins.records.keys:Accept",
        "checks.accept": "evaluator.plugins.records.keys:check_accept",
        "records.records": "evaluator.plugins.records.entries:compare",
        "board_pages.records": "evaluator.plugins.records.page:records_page",
        "schemas.records": "evaluator.plugins.records.page:RecordsData",
    },
)
