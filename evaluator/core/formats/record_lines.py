"""Records <-> the lines of a scores file, and the file with the ends of logs beside it."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.record import PAGE, Part, Provenance, Record, RecordKeys, Step, StepName
from evaluator.core.formats.scores_file import (
    Given,
    Line,
    Run,
    ScoresFile,
    Took,
    checked,
    decode,
    encode,
    order,
    run_name,
)

_OF_LINES = {"submission", "repeat", "input_data", "reference_data"}
"""Parts of keys that do not stand among the parts of a run."""


def file_of(records: Iterable[Record], *, logs: bool = False) -> ScoresFile:
    """A checked file, which with ``logs`` travels alone. Raises ValueError."""
    return checked(lines_of(records, logs=logs))


def lines_of(records: Iterable[Record], *, logs: bool = False) -> ScoresFile:
    """The same unchecked, as it is read and not written. Raises ValueError."""
    runs: dict[str, Run] = {}
    cells: list[Line] = []
    first: CellId | None = None
    for record in records:
        first = record.cell
        run = checked(_run(record))
        name = run_name(run)
        runs[name] = run
        cells.append(_line(record, name, logs=logs))
    if first is None:
        raise ValueError("has no cells")
    cells.sort(key=order)
    return ScoresFile(
        version=2, benchmark=first.benchmark, participant=first.participant,
        submission=first.submission, phase=first.phase, runs=runs, cells=cells,
    )  # fmt: skip


def to_json(record: Record) -> bytes:
    """A scores file of one cell with its logs, as it travels alone. Raises ValueError."""
    return encode(file_of([record], logs=True))


def from_json(content: bytes) -> Record:
    """Read a scores file of one cell. Raises ValueError with the first reason why it is none."""
    file = decode(content)
    if len(file.cells) > 1:
        raise ValueError(f"is not the record of one cell: it holds {len(file.cells)}")
    return next(records_of(file))


def records_of(file: ScoresFile) -> Iterator[Record]:
    for line in file.cells:
        yield record_of(file, line)


def record_of(file: ScoresFile, line: Line) -> Record:
    run = file.runs[line.run]
    return Record(
        cell=CellId(
            benchmark=file.benchmark, participant=file.participant, submission=file.submission,
            phase=file.phase, task=line.task, repeat=line.repeat,
        ),
        keys=RecordKeys(score=line.key, parts=parts_of(run, line)),
        status=line.status,
        scores=line.scores,
        extra=line.extra,
        attachments=({PAGE: line.details} if line.details else {}) | (line.files or {}),
        error=line.error,
        earlier=line.earlier,
        tries=line.tries,
        steps=_steps(line, run),
        sealed=line.sealed,
        id=line.id,
        provenance=Provenance(
            submission_tree=run.submission, commit=run.commit, submitted=run.submitted,
            started=line.started.isoformat(),
            finished=(line.started + dt.timedelta(seconds=line.seconds)).isoformat(),
            evaluator=run.evaluator, image=run.image, image_used=run.image_used,
            image_id=run.image_id, isolation=run.isolation, queue=run.queue, cpu=run.cpu,
            cpus=run.cpus, memory=run.memory, reused_predictions=line.reused,
        ),
    )  # fmt: skip


def parts_of(run: Run, line: Line) -> dict[str, str]:
    return {
        **run.parts, "submission": run.submission, "repeat": str(line.repeat or 0),
        "input_data": line.input, "reference_data": line.reference,
    }  # fmt: skip


def _steps(line: Line, run: Run) -> list[Step]:
    both: tuple[tuple[StepName, Took | None], ...] = (
        ("ingestion", line.ingestion), ("scoring", line.scoring),
    )  # fmt: skip
    steps: list[Step] = []
    for name, took in both:
        if took is not None:
            given = run.steps.get(name) or _NOT_KNOWN
            steps.append(Step(
                step=name, wall_seconds=took.wall_seconds, cpu_seconds=took.cpu_seconds,
                peak_memory=took.peak_memory, exit_code=took.exit_code, gpus=given.gpus,
                granted=given.granted, less=given.less, log=line.logs.get(name, ""),
            ))  # fmt: skip
    return steps


_NOT_KNOWN = Given()


def _run(record: Record) -> Run:
    provenance, parts = record.provenance, record.keys.parts
    return Run(
        submission=provenance.submission_tree, submitted=provenance.submitted,
        parts={name: part for name, part in parts.items() if name not in _OF_LINES},
        commit=provenance.commit, evaluator=provenance.evaluator, image=provenance.image,
        image_used=provenance.image_used, image_id=provenance.image_id,
        isolation=provenance.isolation, queue=provenance.queue, cpu=provenance.cpu,
        cpus=provenance.cpus, memory=provenance.memory,
        steps={
            step.step: given
            for step in record.steps
            if (given := Given(granted=step.granted, gpus=step.gpus, less=step.less)) != _NOT_KNOWN
        },
    )  # fmt: skip


def _line(record: Record, run: str, *, logs: bool) -> Line:
    provenance = record.provenance
    started, ended = _time(provenance.started, "started"), _time(provenance.finished, "finished")
    took = {
        step.step: Took(step.wall_seconds, step.cpu_seconds, step.peak_memory, step.exit_code)
        for step in record.steps
    }
    return Line(
        task=record.cell.task, repeat=record.cell.repeat, status=record.status,
        scores=record.scores, key=record.keys.score, run=run,
        input=record.keys.parts.get("input_data", ""),
        reference=record.keys.parts.get("reference_data", ""),
        started=started, seconds=(ended - started) / dt.timedelta(seconds=1),
        ingestion=took.get("ingestion"), scoring=took.get("scoring"), extra=record.extra,
        error=record.error, earlier=record.earlier, tries=record.tries,
        reused=provenance.reused_predictions, details=record.attachments.get(PAGE),
        files={name: one for name, one in record.attachments.items() if name != PAGE} or None,
        sealed=record.sealed, id=record.id,
        logs={step.step: step.log for step in record.steps if step.log} if logs else {},
    )  # fmt: skip


def _time(text: str, name: str) -> dt.datetime:
    try:
        time = dt.datetime.fromisoformat(text)
        return time.astimezone(dt.UTC) if time.tzinfo else time.replace(tzinfo=dt.UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"provenance.{name}: {text!r} is no time") from None


MAX_LOGS_BYTES = 2**26
Logs = dict[StepName, str]
"""Of one cell, by step."""


class LogsFile(Part, frozen=True, kw_only=True):
    """``submissions/<benchmark>/<participant>/<name>/scores/<phase>.logs.json``."""

    version: Literal[2]
    logs: dict[str, Logs]
    """By cell: ``task`` or ``task.repeat``."""


_encode = msgspec.json.Encoder(order="deterministic").encode


def encode_logs(logs: Mapping[str, Logs]) -> bytes | None:
    lines = [
        b"%b:%b" % (_encode(name), _encode(logs_of_cell))
        for name, logs_of_cell in sorted(logs.items())
        if logs_of_cell
    ]
    return b'{\n"version":2,\n"logs":{\n%b\n}\n}\n' % b",\n".join(lines) if lines else None


def decode_logs(content: bytes) -> dict[str, Logs]:
    """The logs by cell. Raises ValueError with the first reason why it is no such file."""
    data = read_json(content, max_bytes=MAX_LOGS_BYTES)
    try:
        return msgspec.convert(data, LogsFile).logs
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(f"is not a file of logs: {error}") from None


def logs_of(record: Record) -> Logs:
    return {step.step: step.log for step in record.steps if step.log}


def with_logs(record: Record, logs: Mapping[StepName, str]) -> Record:
    if not logs:
        return record
    steps = [step.replace(log=step.log or logs.get(step.step, "")) for step in record.steps]
    return record.replace(steps=steps)


def without_logs(record: Record) -> Record:
    if not any(step.log for step in record.steps):
        return record
    return record.replace(steps=[step.replace(log="") for step in record.steps])
