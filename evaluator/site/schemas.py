"""JSON Schemas: of the files that people write, for editors, and of what programs read."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
from pydantic import BaseModel, TypeAdapter

from evaluator.core.formats.approvals import Approvals
from evaluator.core.formats.competition import Competition
from evaluator.core.formats.record_lines import LogsFile
from evaluator.core.formats.scores_file import ScoresFile
from evaluator.core.formats.submission import SubmissionFile
from evaluator.core.plugins import load, offers
from evaluator.site.data_files import IndexData
from evaluator.site.exports.badges import EndpointData
from evaluator.site.exports.board_json_form import BoardData
from evaluator.site.leaderboard.checkpoints import FormerData
from evaluator.site.view_form import ViewData

_MODELS: dict[str, type[BaseModel]] = {
    "competition": Competition,
    "approvals": Approvals,
    "submission": SubmissionFile,
}
_PUBLISHED: dict[str, Any] = {
    "board": BoardData,
    "index": IndexData,
    "view": ViewData,
    "former": FormerData,
    "badge": EndpointData,
}
"""What the site publishes: boards, now and as they were, their list, badges."""


def schema_files() -> Iterator[tuple[str, bytes]]:
    """Path on the site -> JSON Schema (draft 2020-12)."""
    schemas = {name: model.model_json_schema(mode="validation") for name, model in _MODELS.items()}
    schemas["scores"] = msgspec.json.schema(ScoresFile)
    schemas["logs"] = msgspec.json.schema(LogsFile)
    published = _PUBLISHED | {name: load("schemas", name) for name in offers("schemas")}
    schemas |= {name: TypeAdapter(kind).json_schema() for name, kind in published.items()}
    for name, content in schemas.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | content
        yield f"schemas/{name}.json", (json.dumps(schema, indent=2) + "\n").encode()
