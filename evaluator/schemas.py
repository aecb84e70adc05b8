"""JSON Schemas: of the files that people write, for editors, and of what programs read."""

import json
from collections.abc import Iterator

from pydantic import BaseModel, TypeAdapter

from evaluator.board.data import BoardData
from evaluator.formats.approvals import Approvals
from evaluator.formats.competition import Competition
from evaluator.formats.record import Record
from evaluator.formats.submission import SubmissionFile
from evaluator.formats.suite import Suite

_MODELS: dict[str, type[BaseModel]] = {
    "competition": Competition,
    "approvals": Approvals,
    "submission": SubmissionFile,
    "record": Record,
    "suite": Suite,
}
_BOARD = "board"
"""``api/v1/<benchmark>/<phase>.json``."""


def schema_files() -> Iterator[tuple[str, bytes]]:
    """Path on the site -> JSON Schema (draft 2020-12)."""
    schemas = {name: model.model_json_schema(mode="validation") for name, model in _MODELS.items()}
    schemas[_BOARD] = TypeAdapter(BoardData).json_schema()
    for name, content in schemas.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | content
        yield f"schemas/{name}.json", (json.dumps(schema, indent=2) + "\n").encode()
