"""results.csv of the AutoML Benchmark, as its own tools write and read it."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evaluator.core.errors import Actor, InvalidInputError, Problem
from evaluator.plugins.openml.tabular.metrics import metric_names

FIXED = (
    "id", "task", "framework", "constraint", "fold", "type", "result", "metric", "mode", "version",
    "params", "app_version", "utc", "duration", "training_duration", "predict_duration",
    "models_count", "seed", "info",
)  # fmt: skip
"""AMLB's columns, in its order; metrics follow alphabetically, and then all others."""
TEXTS = frozenset({"id", "task", "framework", "constraint", "type", "metric", "mode", "version",
                   "params", "app_version", "utc", "info"})  # fmt: skip
_INTEGERS = frozenset({"fold", "models_count", "seed"})
_COARSE = frozenset({"duration", "training_duration", "predict_duration"})
_HINT = "Give results.csv as the AutoML Benchmark wrote it."
MAX_BYTES = 2**26
MAX_INFO = 200
"""Characters of a reason for failure, as AMLB cuts it."""


@dataclass(frozen=True, kw_only=True)
class AmlbRow:
    """One fold of one framework."""

    task: str
    framework: str
    fold: int
    result: float | None
    """Higher is better; None where it failed."""
    metric: str
    """``neg_`` and a name for a loss."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Those of TEXTS that are no field of their own, ``info`` among them."""
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def info(self) -> str:
        """Why it failed; empty where it did not."""
        return self.texts.get("info", "")

    def value(self, key: str, metrics: Sequence[str]) -> float | None:
        """A column or a metric of a task; the first of these is what its ``result`` is.

        A loss that is only in ``result`` changes its sign.
        """
        if key == "result":
            if not metrics or self.metric == metrics[0]:
                return self.result if metrics else None
            loss = metrics[0].removeprefix("neg_")
            number = self.numbers.get(loss)
            return -number if number is not None and loss != metrics[0] else number
        if metrics and key in metric_names() and not {key, f"neg_{key}"} & {*metrics}:
            return None  # the same name may be another metric: an area of two classes, or of more
        if key in self.numbers:
            return self.numbers[key]
        if self.result is not None and self.metric in (key, f"neg_{key}"):
            return -self.result if self.metric.startswith("neg_") else self.result
        return None


def write_rows(rows: Iterable[AmlbRow]) -> str:
    """Write results.csv: columns, order and number formats are AMLB's."""
    lines = [_fields(row) for row in rows]
    further = {key for line in lines for key in line} - set(FIXED)
    metrics = sorted(further & metric_names())
    stream = io.StringIO()
    head = [*FIXED, *metrics, *sorted(further - set(metrics))]
    writer = csv.DictWriter(stream, head, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return stream.getvalue()


def _fields(row: AmlbRow) -> dict[str, str]:
    numbers = {**row.numbers, "fold": float(row.fold)}
    if row.result is not None:
        numbers["result"] = row.result
    fields = {key: _text(key, value) for key, value in numbers.items()}
    texts = {**row.texts, "task": row.task, "framework": row.framework, "metric": row.metric}
    info = texts.get("info", "")
    if len(info) > MAX_INFO:
        texts["info"] = f"{info[: MAX_INFO - 1]}…"
    return {**fields, **texts}


def rounded_result(result: float) -> float:
    return float(_text("result", result) or "nan")


def _text(key: str, value: float) -> str:
    """Write a number as AMLB does: rounded as text, then written as the shortest float."""
    if not math.isfinite(value):
        return ""
    if key in _INTEGERS:
        return str(int(value))
    if key in _COARSE:
        return repr(float(f"{value:.1g}" if value < 1 else f"{value:.1f}"))
    return repr(float(f"{value:.6g}"))


def read_rows(content: bytes, file: str) -> list[AmlbRow]:
    """Read results.csv, of any version of AMLB. Raises InvalidInputError with every bad row."""
    if len(content) > MAX_BYTES:
        raise refusal(file, f"is larger than {MAX_BYTES >> 20} MiB", _HINT)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"is not UTF-8: byte {error.start} cannot be read"
        raise refusal(file, message, _HINT) from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        head = reader.fieldnames or []
    except csv.Error:
        head = []
    missing = [key for key in ("task", "framework", "fold", "result") if key not in head]
    if missing:
        seen = f"lacks the columns {', '.join(missing)}; it has {', '.join(head)[:300] or 'none'}"
        raise refusal(file, seen, _HINT, line=1)
    rows: list[AmlbRow] = []
    problems: list[Problem] = []
    try:
        for line in reader:
            try:
                rows.append(_row(line))
            except ValueError as error:
                problems += refusal(file, str(error), _HINT, line=reader.line_num).problems
    except csv.Error as error:
        problems += refusal(file, f"is not CSV: {error}", _HINT, line=reader.line_num).problems
    if problems:
        raise InvalidInputError(problems)
    return rows


def _row(line: Mapping[str | None, str | list[str] | None]) -> AmlbRow:
    if None in line or None in line.values():
        raise ValueError("has not as many fields as the header")
    fields = {str(key): str(value).strip() for key, value in line.items()}
    if not fields["task"] or not fields["framework"]:
        raise ValueError("names no task or no framework")
    fold = _number(fields["fold"])
    if fold is None or fold != int(fold) or not 0 <= fold < 1000:
        raise ValueError(f"has the fold '{fields['fold'][:20]}'")
    numbers = {
        key: value
        for key, text in fields.items()
        if key not in TEXTS and key not in ("fold", "result")
        and (value := _number(text)) is not None
    }  # fmt: skip
    required = {"task", "framework", "metric"}
    return AmlbRow(
        task=fields["task"], framework=fields["framework"], fold=int(fold),
        result=_number(fields["result"]), metric=fields.get("metric", ""),
        texts={key: fields[key] for key in TEXTS - required if fields.get(key)},
        numbers=numbers,
    )  # fmt: skip


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def refusal(file: str, message: str, hint: str, line: int | None = None) -> InvalidInputError:
    problem = Problem(file=file, line=line, message=message, hint=hint, actor=Actor.ORGANISER)
    return InvalidInputError([problem])
