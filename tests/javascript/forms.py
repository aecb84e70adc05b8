"""The forms of files that scripts read, as TypeScript: made of their JSON Schemas, for `tsc`.

``python -m tests.javascript.forms FILE`` writes what ``// @ts-check`` modules import as ``forms``.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluator.site.build.data_files import schema_files

READ_BY_SCRIPTS = ("view", "plots", "former", "confidence")
Schema = dict[str, Any]
_WORDS = {
    "string": "string", "integer": "number", "number": "number", "boolean": "boolean",
    "null": "null",
}  # fmt: skip


def declarations() -> Iterator[str]:
    """Yield an interface for each object of the schemas, under the name that Python has for it."""
    schemas = {Path(name).stem: json.loads(content) for name, content in schema_files()}
    for name in READ_BY_SCRIPTS:
        schema: Schema = schemas[name]
        for each in (schema, *schema.get("$defs", {}).values()):
            if "properties" in each:
                yield f"export interface {each['title']} {_object(each)}\n"


def _object(schema: Schema) -> str:
    required = schema.get("required", [])
    lines = (
        f"  {json.dumps(key)}{'' if key in required else '?'}: {_type(value)};\n"
        for key, value in schema["properties"].items()
    )
    return f"{{\n{''.join(lines)}}}"


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": str(reference)}:
            return reference.rsplit("/", 1)[-1]
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(json.dumps(value) for value in values)
        case {"anyOf": kinds}:
            return " | ".join(_type(kind) for kind in kinds)
        case {"type": "array", "prefixItems": kinds}:
            return f"[{', '.join(_type(kind) for kind in kinds)}]"
        case {"type": "array", "items": kind}:
            return f"({_type(kind)})[]"
        case {"type": "object", "additionalProperties": dict(kind)}:
            # Which keys there are only the file knows: some may be left out.
            return f"{{ [key: string]: {_type(kind)} | undefined }}"
        case {"type": "object", "additionalProperties": True}:
            return "{ [key: string]: unknown }"
        case {"type": str(name)} if name in _WORDS:
            return _WORDS[name]
    raise ValueError(f"no type of TypeScript for {json.dumps(schema)}")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("".join(declarations()), encoding="utf-8")
