"""Constraints of the AutoML Benchmark: what each fold of each task may use."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluator.core.errors import Actor, InvalidInputError, Problem, UsageError, errors_in
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import Document, read_yaml


def read_document(path: Path) -> Document:
    """Read a file. Raises UsageError, InvalidInputError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown(str(path))} cannot be read: {error.strerror}") from None
    document = read_yaml(content, path.name, Actor.ORGANISER, lenient=True, lists=True)
    raise_errors(document.problems)
    return document


def raise_errors(problems: list[Problem]) -> None:
    """Raise InvalidInputError where one of the problems is an error."""
    if errors_in(problems):
        raise InvalidInputError(problems)


Count = Annotated[int, Field(ge=-1)]


class Constraint(BaseModel):
    """Every key of a constraint, of ``__defaults__`` and of a task alike; None is not set."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    folds: Annotated[int, Field(ge=1, le=1000)] | None = None
    max_runtime_seconds: Annotated[int, Field(ge=1)] | None = None
    cores: Count | None = None
    """-1: not limited."""
    max_mem_size_mb: Count | None = None
    """-1: not limited."""
    min_vol_size_mb: Count | None = None
    quantile_levels: list[Annotated[float, Field(gt=0, lt=1)]] | None = None
    ec2_instance_type: str | None = None
    ec2_volume_type: str | None = None


def _hours(
    hours: int, cores: int, volume: int | None = None, kind: str | None = None
) -> Constraint:
    return Constraint(
        folds=10, max_runtime_seconds=3600 * hours, cores=cores, min_vol_size_mb=volume,
        ec2_volume_type=kind,
    )  # fmt: skip


SHIPPED = {
    "test": Constraint(folds=2, max_runtime_seconds=600, cores=4),
    "1h4c": _hours(1, 4),
    "1h8c": _hours(1, 8, 16384),
    "4h8c": _hours(4, 8, 65536),
    "8h8c": _hours(8, 8, 131072),
    "1h8c_gp3": _hours(1, 8, 100000, "gp3"),
    "4h8c_gp3": _hours(4, 8, 100000, "gp3"),
}
"""Those that come with the AutoML Benchmark."""
DEFAULTS = Constraint(
    folds=10, max_runtime_seconds=3600, cores=-1, max_mem_size_mb=-1, min_vol_size_mb=-1,
    quantile_levels=[round(level / 10, 1) for level in range(1, 10)],
)  # fmt: skip
"""Defaults of the AutoML Benchmark (its config.yaml, benchmarks.defaults)."""


def find_constraint(name: str, files: Sequence[Path]) -> Constraint:
    """Find a constraint by name, whatever its case; later files win. Raises UsageError."""
    constraints = dict(SHIPPED)
    for path in files:
        document = read_document(path)
        if not isinstance(document.data, dict):
            document.report((), "must hold names of constraints and their keys")
        else:
            for key, entry in document.data.items():
                constraints[str(key).lower()] = parse_constraint(entry, document, (str(key),))
        raise_errors(document.problems)
    constraint = constraints.get(name.lower())
    if constraint is None:
        names = ", ".join(sorted(constraints))
        raise UsageError(
            f"there is no constraint '{name}'", hint=f"Known are {names}; --constraints adds files."
        )
    return constraint


def parse_constraint(entry: Any, document: Document, at: tuple[str | int, ...]) -> Constraint:
    """Read the keys of one entry; what is wrong is reported at its key."""
    if not isinstance(entry, dict):
        document.report(at, "must hold keys and values")
        return Constraint()
    try:
        return Constraint.model_validate(entry)
    except ValidationError as error:
        for fault in error.errors():
            document.report((*at, *fault["loc"][:1]), fault["msg"].lower())
        return Constraint()


def merge(*parts: Constraint) -> Constraint:
    """Merge; what comes first wins."""
    values: dict[str, Any] = {}
    for part in reversed(parts):
        values |= part.model_dump(exclude_none=True)
    return Constraint(**values)


def job_timeout(seconds: int) -> int:
    """The seconds after which AMLB stops a job that was given so many."""
    return min(2 * seconds, seconds + 3600)
