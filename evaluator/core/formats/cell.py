"""A cell, and the two keys that identify it by content.

Keys are SHA-256 over canonical JSON. What goes into a key and what does not is decided here and
nowhere else; tests/core/formats/test_cell.py freezes literal keys.
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

import msgspec

from evaluator.core.formats.attachments import ATTACHMENTS

KEY_VERSION = 1

PREDICTION_PARTS = (
    "submission", "ingestion_program", "input_data", "image", "limits", "repeat",
)  # fmt: skip
SCORE_PARTS = ("scoring_program", "reference_data", "columns")

_OF_SUBMISSION = ("submission", "repeat")
"""The first and the last of the parts of a prediction: those that are not the task's."""

STAGES = "stages"
"""A further part of predictions, of cells of workflows in stages alone; so all others keep the keys
that they have always had."""

SCORES = "scores"
"""The folder of a submission that CI alone writes."""
OPENED = f"{SCORES}/opened"
"""What was sealed in a submission, once its date has come."""
LOGS = ".logs.json"
"""Ends the name of a file of logs. Names of phases hold no dots."""
SEALED = ".sealed"
"""Ends the name of a file that is encrypted to the organisers, and stays so."""


class CellId(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    order=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
):
    """One submission x one task in one phase (x one repeat). All parts are path segments."""

    benchmark: str
    participant: str
    submission: str
    phase: str
    task: str
    repeat: int | None = None
    """None where the benchmark has one run per task."""

    def __str__(self) -> str:
        return f"{self.submission_id}/{self.phase}/{self.file_stem}"

    @property
    def submission_id(self) -> str:
        return f"{self.benchmark}/{self.participant}/{self.submission}"

    @property
    def file_stem(self) -> str:
        return self.task if self.repeat is None else f"{self.task}.{self.repeat}"

    @property
    def scores_path(self) -> str:
        return self.place.scores_path

    @property
    def logs_path(self) -> str:
        return f"{self.scores_path.removesuffix('.json')}{LOGS}"

    @property
    def part_path(self) -> str:
        return self.attachment_path("json")

    def attachment_path(self, suffix: str) -> str:
        return f"{self.scores_path.removesuffix('.json')}/{self.file_stem}.{suffix}"

    @property
    def predictions_path(self) -> str:
        """Where a job hands over encrypted predictions, which another one scores."""
        return self.attachment_path("predictions.age")

    @property
    def place(self) -> "Place":
        return Place(self.benchmark, self.participant, self.submission, self.phase)

    @property
    def attachment_paths(self) -> list[str]:
        plain = [self.attachment_path(suffix) for suffix in ATTACHMENTS]
        return [path for one in plain for path in (one, f"{one}{SEALED}")]


def is_score(path: str) -> bool:
    parts = path.split("/", 5)
    return len(parts) == 6 and parts[0] == "submissions" and parts[4] == SCORES


def attachment_of(path: str) -> tuple[CellId, str] | None:
    """Invert ``attachment_paths``: return a cell and a suffix; None if the path is none of them."""
    plain = path.removesuffix(SEALED)
    for suffix in ATTACHMENTS:
        stem = plain.removesuffix(f".{suffix}")
        if stem != plain and (cell := _cell_of_stem(stem)):
            return cell, suffix
    return None


def cell_of_part(path: str) -> CellId | None:
    stem = path.removesuffix(".json")
    return None if stem == path else _cell_of_stem(stem)


_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")  # Python refuses to read thousands of digits


def _cell_of_stem(path: str) -> CellId | None:
    parts = path.split("/")
    if len(parts) != 7 or parts[0] != "submissions" or parts[4] != SCORES or not parts[6]:
        return None
    if "/".join(parts[4:6]) == OPENED:  # it is a participant's, and no score
        return None
    _, benchmark, participant, submission, _, phase, stem = parts
    task, dot, number = stem.rpartition(".")
    # One spelling for each cell: "t.00" would be a second name of "t.0".
    if dot and (not task or not _NUMBER.fullmatch(number)):
        return None
    return CellId(
        benchmark=benchmark, participant=participant, submission=submission, phase=phase,
        task=task if dot else stem, repeat=int(number) if dot else None,
    )  # fmt: skip


class Place(NamedTuple):
    """One submission in one phase: what a scores file is of."""

    benchmark: str
    participant: str
    submission: str
    phase: str

    @property
    def scores_path(self) -> str:
        return (
            f"submissions/{self.benchmark}/{self.participant}/{self.submission}"
            f"/{SCORES}/{self.phase}.json"
        )

    def cell(self, task: str, repeat: int | None = None) -> CellId:
        return CellId(
            benchmark=self.benchmark, participant=self.participant, submission=self.submission,
            phase=self.phase, task=task, repeat=repeat,
        )  # fmt: skip


def place_of(path: str) -> Place | None:
    return None if path.endswith(LOGS) else _place(path, ".json")


def place_of_logs(path: str) -> Place | None:
    return _place(path, LOGS)


def _place(path: str, end: str) -> Place | None:
    parts = path.split("/")
    if len(parts) != 6 or parts[0] != "submissions" or parts[4] != SCORES:
        return None
    phase = parts[5].removesuffix(end)
    return None if phase in ("", parts[5]) else Place(parts[1], parts[2], parts[3], phase)


class Keys(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What identifies the content of a cell."""

    prediction: str
    score: str
    shared: Mapping[str, str]
    """Digests of those parts that are the same for all submissions."""
    of_submission: tuple[str, ...] = ()
    """Digests of the parts in ``_OF_SUBMISSION``, where they are not among ``shared``."""

    @property
    def parts(self) -> dict[str, str]:
        return {**self.shared, **dict(zip(_OF_SUBMISSION, self.of_submission, strict=False))}


def cell_keys(parts: Mapping[str, str]) -> Keys:
    """Make keys of PREDICTION_PARTS, SCORE_PARTS and perhaps STAGES; no file is an empty text."""
    names = (*PREDICTION_PARTS, STAGES) if STAGES in parts else PREDICTION_PARTS
    prediction = digest([KEY_VERSION, *(parts[name] for name in names)])
    score = digest([KEY_VERSION, prediction, *(parts[name] for name in SCORE_PARTS)])
    return Keys(prediction=prediction, score=score, shared=parts)


class TaskKeys:
    """Computes the keys of all submissions to one task, in a third of the time of ``cell_keys``."""

    def __init__(self, parts: Mapping[str, str]) -> None:
        """``parts`` are all but the submission and the repeat."""
        self._parts = parts
        prediction_parts = [parts[name] for name in PREDICTION_PARTS if name not in _OF_SUBMISSION]
        scoring = [parts[name] for name in SCORE_PARTS]
        self._plain = _is_plain("".join((*prediction_parts, *scoring)))
        self._prediction = ",".join(f'"{word}"' for word in prediction_parts)
        self._score = ",".join(f'"{word}"' for word in scoring)

    def of(self, submission: str, repeat: int, stages: str | None = None) -> Keys:
        if stages is not None or not (self._plain and _is_plain(submission)):
            parts = {**self._parts, "submission": submission, "repeat": str(repeat)}
            return cell_keys(parts if stages is None else {**parts, STAGES: stages})
        prediction, score = self._digests(submission, repeat)
        return Keys(
            prediction=prediction, score=score, shared=self._parts,
            of_submission=(submission, str(repeat)),
        )  # fmt: skip

    def score(self, submission: str, repeat: int, stages: str | None = None) -> str:
        """The score key alone, which says what is stale; ``submission`` is a digest."""
        if stages is None and self._plain:
            return self._digests(submission, repeat)[1]
        return self.of(submission, repeat, stages).score

    def _digests(self, submission: str, repeat: int) -> tuple[str, str]:
        text = f'[{KEY_VERSION},"{submission}",{self._prediction},"{repeat}"]'
        prediction = sha256(text.encode("ascii")).hexdigest()
        text = f'[{KEY_VERSION},"{prediction}",{self._score}]'
        return prediction, sha256(text.encode("ascii")).hexdigest()


def _is_plain(text: str) -> bool:
    return text.isascii() and (text.isalnum() or not text)


_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def digest(value: object) -> str:
    """SHA-256 of canonical JSON, without floats, which print differently between languages."""
    return sha256(_canonical(value).encode("ascii")).hexdigest()


def changed_parts(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[str, ...]:
    parts = (*PREDICTION_PARTS, STAGES, *SCORE_PARTS)
    return tuple(name for name in parts if old.get(name) != new.get(name))
