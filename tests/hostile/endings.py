"""Whether a cell ended as an attack.yaml says."""

from collections.abc import Iterator

from evaluator.core.formats.record import Record
from tests.hostile.cases import Ending


def ending(record: Record) -> str:
    error = record.error
    if error is None:
        return str(record.status)
    return f"failed, {error.reason}, {error.actor}, {error.step}: {error.message}"


def differences(record: Record, wanted: Ending) -> Iterator[str]:
    """Yield in which ways a record does not end as it should."""
    error = record.error
    if record.status != wanted.status:
        yield ending(record)
        return
    for name in ("reason", "actor", "step"):
        if getattr(wanted, name) not in (None, error and getattr(error, name)):
            yield f"{name}: {ending(record)}"
    if error is not None and wanted.says not in error.message:
        yield f"says {error.message!r}"
    numbers = {**record.extra, **record.scores}
    for key, value in wanted.scores.items():
        if numbers.get(key) != value:
            yield f"{key} is {numbers.get(key)}, not {value}"
    for key, value in wanted.at_most.items():
        if not numbers[key] <= value:
            yield f"{key} is {numbers[key]}, which is more than {value}"
