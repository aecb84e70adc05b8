"""Programs that ask models, through a gateway that holds key, budget and transcript.

Without it a bundle with ``models`` is refused; all others work as they do with it.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "bundle_keys.models": "evaluator.plugins.models.keys:Models",
        "entry_rules.models": "evaluator.plugins.models.keys:entry_rules",
        "key_parts.models": "evaluator.plugins.models.keys:key_part",
        "checks.models": "evaluator.plugins.models.keys:check_models",
        "board_pages.transcripts": "evaluator.plugins.models.page:transcripts_page",
        "columns.models": "evaluator.plugins.models.keys:spent_columns",
        "gateways.models": "evaluator.plugins.models.way_out:GATEWAY",
        "attachments.judges.jsonl.gz": "evaluator.plugins.models.transcript:JUDGES_FILE",
        "attachments.transcript.jsonl.gz": "evaluator.plugins.models.transcript:TRANSCRIPT_FILE",
    },
)
