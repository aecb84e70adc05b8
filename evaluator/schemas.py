"""JSON Schemas of the files that people write, for editors that complete and check them."""

import json
from collections.abc import Iterator

from pydantic import BaseModel

from evaluator.formats.competition import Competition
from evaluator.formats.record import Record
from evaluator.formats.submission import SubmissionFile

_MODELS: dict[str, type[BaseModel]] = {
    "competition": Competition,
    "submission": SubmissionFile,
    "record": Record,
}


def schema_files() -> Iterator[tuple[str, bytes]]:
    """Path on the site -> JSON Schema (draft 2020-12)."""
    for name, model in _MODELS.items():
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
        schema |= model.model_json_schema(mode="validation")
        yield f"schemas/{name}.json", (json.dumps(schema, indent=2) + "\n").encode()
