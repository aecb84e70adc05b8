"""Scores of single samples, and curves, beside the records of cells.

Without it a bundle with ``samples`` or ``curves`` is refused; all others work as they do with it.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "bundle_keys.samples": "pydantic:StrictBool",
        "bundle_keys.curves": "evaluator.plugins.samples.keys:CurvesKey",
        "columns.curves": "evaluator.plugins.samples.keys:area_columns",
        "curves.curves": "evaluator.plugins.samples.curves:board_curves",
        "samples.samples": "evaluator.plugins.samples.blocks:board_samples",
        "board_pages.samples": "evaluator.plugins.samples.page:samples_page",
        "attachments.samples.jsonl.gz": "evaluator.plugins.samples.stored:SAMPLE_FILE",
        "attachments.curves.json.gz": "evaluator.plugins.samples.stored:CURVE_FILE",
    },
)
