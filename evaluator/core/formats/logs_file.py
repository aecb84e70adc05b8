"""Ends of logs, beside the scores: one file for each submission and phase, a line for each cell.

Only a cell's own page shows them; boards never read this file.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.record import Part, Record, StepName

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
    """Return the file; None where there are no logs."""
    lines = [
        b"%b:%b" % (_encode(name), _encode(logs_of_cell))
        for name, logs_of_cell in sorted(logs.items())
        if logs_of_cell
    ]
    return b'{\n"version":2,\n"logs":{\n%b\n}\n}\n' % b",\n".join(lines) if lines else None


def decode_logs(content: bytes) -> dict[str, Logs]:
    """Return the logs by cell. Raises ValueError with the first reason why it is no such file."""
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
    steps = [
        step.model_copy(update={"log": step.log or logs.get(step.step, "")})
        for step in record.steps
    ]
    return record.model_copy(update={"steps": steps})
