"""The base of all models of files that people write."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import PydanticKnownError, core_schema


class Strict(BaseModel):
    """Frozen; unknown keys are reported."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class NameIn:
    """Annotates a text that must be a name of a registry; what is added to it later counts."""

    def __init__(self, registry: Mapping[str, Any]) -> None:
        self._registry = registry

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Refuse any other value as a Literal of the names does."""
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, _schema: Any, _handler: Any) -> dict[str, Any]:
        """Describe a Literal of the names."""
        return {"enum": list(self._registry), "type": "string"}

    def _check(self, value: object) -> object:
        if value not in list(self._registry):
            *names, last = map(repr, self._registry)
            expected = f"{', '.join(names)} or {last}"
            raise PydanticKnownError("literal_error", {"expected": expected})
        return value
