"""Who leads, and who goes on: records, phases for the best of an earlier phase, ``pass@k``.

Without it a bundle with ``passes`` is refused, ``accept`` and ``promote`` are unknown keys, which
give a warning, and everybody may enter each phase.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "bundle_keys.accept": "evaluator.plugins.races.accept:Accept",
        "checks.accept": "evaluator.plugins.races.accept:check_accept",
        "records.records": "evaluator.plugins.races.contenders:compare",
        "races.alternate": "evaluator.plugins.races.turns:ALTERNATE_RACE",
        "attachments.race.jsonl": "evaluator.plugins.races.race_file:RACE_ATTACHMENT",
        "row_marks.claims": "evaluator.plugins.races.page:claim_marks",
        "board_pages.records": "evaluator.plugins.races.page:records_page",
        "schemas.records": "evaluator.plugins.races.page:RecordsData",
        "bundle_keys.passes": "evaluator.plugins.races.passes:Passes",
        "columns.passes": "evaluator.plugins.races.pass_rates:pass_columns",
        "checks.passes": "evaluator.plugins.races.passes:check_passes",
        "phase_keys.promote": "evaluator.plugins.races.promoted:Promote",
        "policies.promotion": "evaluator.plugins.races.promoted:policy",
        "promotions.promotion": "evaluator.plugins.races.promoted:promoted",
        "checks.promotion": "evaluator.plugins.races.promoted:check_phases",
        "phase_notes.promotion": "evaluator.plugins.races.promoted:note",
    },
)
