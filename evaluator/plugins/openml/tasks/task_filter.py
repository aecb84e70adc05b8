"""Which tasks of a server are asked for by their properties: ``tasks:rows=500..100000,tag=uci``."""

import re
from dataclasses import dataclass, field

from evaluator.core.errors import UsageError
from evaluator.core.formats.paths import shown

PREFIX = "tasks:"
TYPES = {"classification": 1, "regression": 2}
_RANGES = {
    "rows": "number_instances", "features": "number_features", "classes": "number_classes",
    "missing": "number_missing_values",
}  # fmt: skip
_WORDS = {"tag": "tag", "data_tag": "data_tag", "name": "data_name", "status": "status"}
_STATUSES = ("active", "in_preparation", "deactivated", "all")
_RANGE = re.compile(r"(?P<least>\d{1,12})?(?P<dots>\.\.)?(?P<most>\d{1,12})?")
_WORD = re.compile(r"[\w.()+-]{1,128}")
_ENDLESS = 10**12


@dataclass(frozen=True, kw_only=True)
class TaskFilter:
    """What a server is asked for."""

    type: str = "classification"
    options: dict[str, str] = field(default_factory=dict)
    """As OpenML's API names them; ranges are written ``500..100000``."""
    procedure: str = ""
    """Name of the estimation procedure; the server cannot be asked for one."""


def parse_filter(text: str) -> TaskFilter:
    """Read ``tasks:KEY=VALUE,KEY=VALUE``. Raises UsageError."""
    kind, procedure = "classification", ""
    options: dict[str, str] = {}
    parts = [part.partition("=") for part in text.removeprefix(PREFIX).split(",") if part.strip()]
    names = [name.strip() for name, _, _ in parts]
    if len(set(names)) < len(names):
        raise UsageError(f"'{shown(text)}' has a key twice")
    for name, (_, _, written) in zip(names, parts, strict=True):
        value = written.strip()
        if name == "type" and value in TYPES:
            kind = value
        elif name == "procedure" and value:
            procedure = value
        elif name in _RANGES:
            options[_RANGES[name]] = _range(name, value)
        elif name in _WORDS and _WORD.fullmatch(value):
            if name == "status" and value not in _STATUSES:
                raise _fault("status", value, f"It is one of {', '.join(_STATUSES)}.")
            options[_WORDS[name]] = value
        else:
            raise _fault(name, value, _HELP)
    return TaskFilter(type=kind, options=options, procedure=procedure)


_HELP = (
    f"Keys are type ({' or '.join(TYPES)}), {', '.join(_RANGES)} (7, 500.., ..5000, 2..10), "
    f"{', '.join(_WORDS)} and procedure."
)


def _range(name: str, text: str) -> str:
    match = _RANGE.fullmatch(text)
    if match is None or not (match["least"] or match["most"]):
        raise _fault(name, text, "Write 7, 500.., ..5000 or 2..10.")
    if match["dots"] is None:
        return text
    least, most = int(match["least"] or 0), int(match["most"] or _ENDLESS)
    if least > most:
        raise _fault(name, text, "Nothing lies between.")
    return f"{least}..{most}"


def _fault(name: str, value: str, hint: str) -> UsageError:
    return UsageError(f"'{shown(name)}={shown(value)}' selects no tasks", hint=hint)
