"""Models of files that people write: every mistake at once, with the likely spelling."""

import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    PrivateAttr,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    ValidationError,
    create_model,
    model_serializer,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticKnownError, core_schema

from evaluator.core.errors import nearest
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import Document, Key, dotted
from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class Strict(BaseModel):
    """Frozen; unknown keys are reported."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", str_strip_whitespace=True, defer_build=True
    )


class Extensible(Strict):
    """A model beside whose keys plugins have theirs: ``of_plugins`` has their values, by key."""

    plugin_keys: ClassVar[Contract[Any]]
    """Keys of plugins, each with its type or model."""
    _of_plugins: Mapping[str, Any] = PrivateAttr({})

    @property
    def of_plugins(self) -> Mapping[str, Any]:
        """Values of the keys of plugins that are there, by key."""
        return self._of_plugins

    @model_validator(mode="wrap")
    @classmethod
    def _read_keys_of_plugins(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        is_table = isinstance(data, dict)
        written = {key: data[key] for key in cls.plugin_keys if key in data} if is_table else {}
        if not written:
            return handler(data)
        values = vars(_model_of(cls, tuple(written)).model_validate(written))
        model = handler({key: value for key, value in data.items() if key not in written})
        model._of_plugins = values
        return model

    @model_serializer(mode="wrap")
    def _write_keys_of_plugins(
        self, handler: SerializerFunctionWrapHandler, info: SerializationInfo
    ) -> dict[str, Any]:
        keys = _model_of(type(self), tuple(self.of_plugins))
        values = keys.model_construct(**self.of_plugins).model_dump(mode=info.mode)
        return {**handler(self), **values}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> Any:
        schema = handler.resolve_ref_schema(handler(core))
        names = tuple(cls.plugin_keys)
        if names:
            keys = _model_of(cls, names).__pydantic_core_schema__
            schema["properties"] |= handler.resolve_ref_schema(handler(keys))["properties"]
        return schema


@cache
def _model_of(model: type[Extensible], keys: tuple[str, ...]) -> type[BaseModel]:
    types: dict[str, Any] = {key: (model.plugin_keys[key], ...) for key in keys}
    return create_model("Keys", __base__=Strict, **types)


class NameIn:
    """Annotates a text that must be a name of a registry; what is added to it later counts."""

    def __init__(self, registry: Mapping[str, Any]) -> None:
        self._registry = registry

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, _schema: Any, _handler: Any) -> dict[str, Any]:
        return {"enum": list(self._registry), "type": "string"}

    def _check(self, value: object) -> object:
        if value not in list(self._registry):
            *names, last = map(repr, self._registry)
            expected = f"{', '.join(names)} or {last}"
            raise PydanticKnownError("literal_error", {"expected": expected})
        return value


Made = TypeVar("Made", bound="DataclassInstance")
Model = TypeVar("Model", bound=BaseModel)


def make(kind: type[Made], *models: BaseModel, **given: Any) -> Made:
    """Make a dataclass of what is given, else of what the last model has under the same name."""
    names = _names(kind)
    same = {n: value for model in models for n, value in vars(model).items() if n in names}
    return kind(**{**same, **given})


@cache
def _names(kind: type["DataclassInstance"]) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


# What stands in, one after the other, for a value that was refused, so that the checks after it
# still run and everything is reported together.
_ABSENT = object()
STAND_IN = "?"
_STAND_INS: tuple[Any, ...] = (_ABSENT, STAND_IN, "2000-01-01", 987_654_321, 1, [], [0], {})


def parse(
    model: type[Model], document: Document, *, ignored: frozenset[str] = frozenset()
) -> Model | None:
    """Check a document against a model and report every mistake in it.

    ``ignored`` are top-level keys that another program reads. Returns the model even where
    problems were reported, with stand-ins at the refused keys, so that the checks that follow
    can report theirs in the same run; None if nothing can be made of it.
    """
    data = document.data
    if not isinstance(data, dict):
        return None
    data = {key: value for key, value in data.items() if key not in ignored}
    tried: dict[Key, int] = {}
    for _ in range(30):
        try:
            return model.model_validate(data)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                location = tuple(detail["loc"])
                if location not in tried:
                    _report(document, model, detail)
                    # Where the key is not there, leaving it out is no other try; and a list
                    # without an item would give those after it wrong places.
                    listed = bool(location) and isinstance(location[-1], int)
                    tried[location] = 1 if detail["type"] == "missing" or listed else 0
                stand_in = _STAND_INS[min(tried[location], len(_STAND_INS) - 1)]
                tried[location] += 1
                literal = re.match("'(.*?)'", str(detail.get("ctx", {}).get("expected")))
                data = _replaced(data, location, literal[1] if literal else stand_in)
        document.refused |= tried.keys()
    return None


_NEEDED = {"feedback": "feedback", "passes": "races", "samples": "samples", "seal": "sealed"}
"""Keys that a bundle cannot do without -> their plugins, which cannot say so if they are missing.
"""


def _report(document: Document, model: type[BaseModel], detail: ErrorDetails) -> None:
    location: Key = tuple(detail["loc"])
    if detail["type"] == "extra_forbidden":
        name = str(location[-1])
        hint = nearest(name, _fields_at(model, location[:-1]), "")
        if name in _NEEDED and location[0] == "pullbench":
            plugin = _NEEDED[name]
            message = f"needs the plugin '{plugin}', which is not installed."
            document.report(location, message, f"Install evaluator/plugins/{plugin}.")
        elif hint:
            document.report(location, "is not a known key.", hint)
        else:
            # Codabench ignores keys that it does not know; so a bundle that works there may
            # carry some. Said, but no reason to refuse it.
            document.report(location, "is not a known key; it is ignored.", severity="warning")
        return
    if detail["type"] == "missing":
        siblings = _value_at(document.data, location[:-1])
        names = [str(key) for key in siblings] if isinstance(siblings, dict) else []
        likely = difflib.get_close_matches(str(location[-1]), names, n=1)
        document.report(
            location, "is missing.", f"Is '{likely[0]}' meant to be it?" if likely else "Add it."
        )
        return
    if any(problem.key == dotted(location) for problem in document.problems):
        return  # the YAML reader said it already
    message = detail["msg"].removeprefix("Value error, ")
    given = detail["input"]
    if isinstance(given, (str, int, float, bool)) or given is None:
        text = shown(str(given))
        message += f" (found {'nothing' if given is None else repr(text[:60])})"
    choices = re.findall("'(.*?)'", str(detail.get("ctx", {}).get("expected")))
    document.report(location, message[:1].lower() + message[1:], nearest(str(given), choices, ""))


def _fields_at(model: type[BaseModel], location: Key) -> list[str]:
    current: Any = model
    for part in location:
        if isinstance(part, int) or current is None:
            continue
        field = current.model_fields.get(part)
        if field is None and part in _offered(current):
            current = _model_in(current.plugin_keys[part])
        else:
            current = _model_in(field.annotation) if field else None
    if current is None:
        return []
    own = [field.alias or name for name, field in current.model_fields.items()]
    return [*own, *_offered(current)]


def _offered(model: type[BaseModel]) -> Collection[str]:
    return model.plugin_keys if issubclass(model, Extensible) else ()


def _model_in(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)


def _value_at(data: Any, location: Key) -> Any:
    for part in location:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _replaced(data: Any, location: Key, value: Any) -> Any:
    """Data with the value at a location replaced, or left out where it is _ABSENT."""
    if not location:
        return {}
    head, rest = location[0], location[1:]
    if isinstance(data, dict):
        copy = dict(data)
        if rest and head in copy:
            copy[head] = _replaced(copy[head], rest, value)
        elif rest or value is _ABSENT:
            copy.pop(head, None)
        else:
            copy[head] = value
        return copy
    if isinstance(data, list) and isinstance(head, int) and head < len(data):
        middle = [_replaced(data[head], rest, value)] if rest else [value]
        return [*data[:head], *(middle if middle != [_ABSENT] else []), *data[head + 1 :]]
    return data
