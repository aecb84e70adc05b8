"""The mounts of containers: the one table on which the secrecy of reference data rests.

What is mounted cannot be written to; what can be, a step's outputs, is beside it in its RunSpec.

Paths are Codabench's, so that its bundles run unmodified.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path

from evaluator.core.compute.engine.spec import Image, Mount

PROGRAM = "/app/program"
OUTPUT = "/app/output"
INPUT_DATA = "/app/input_data"
INGESTED_PROGRAM = "/app/ingested_program"
INPUT = "/app/input"
REFERENCE = "/app/input/ref"
PREDICTIONS = "/app/input/res"
SHARED = "/app/shared"
DATA = "/app/data"


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Folders and images of one cell on the host; None if the bundle has none."""

    submission: Path
    """Without submission.yaml and scores/."""
    ingestion_program: Path | None
    """Folder that holds its metadata; so is ``scoring_program``."""
    input_data: Path | None
    scoring_program: Path
    reference_data: Path | None
    data: Path | None
    """What every program sees, as a folder of Codabench's workers."""
    image: Image
    """Of the scoring program."""
    code_image: Image
    """Of submitted code."""


def ingestion_mounts(inputs: Inputs) -> list[Mount]:
    """Mounts of the step in which participants' code runs. Reference data is not among them.

    The agent's side of parallel mode has the same: on Codabench it sees the reference data, and
    writes into the scorer's output.
    """
    program = inputs.ingestion_program or inputs.submission
    mounts = [
        Mount(source=program, target=PROGRAM),
        Mount(source=inputs.submission, target=INGESTED_PROGRAM),
    ]
    if inputs.input_data:
        mounts.append(_data(inputs.input_data, INPUT_DATA))
    if inputs.data:
        mounts.append(_data(inputs.data, DATA))
    return mounts


def scoring_mounts(inputs: Inputs) -> list[Mount]:
    """Mounts of the step that knows the answers. No participant's code is among them.

    The predictions are an output, which is filled before: Codabench lets scoring programs write
    among them.
    """
    mounts = [Mount(source=inputs.scoring_program, target=PROGRAM)]
    if inputs.reference_data:
        mounts.append(_data(inputs.reference_data, REFERENCE))
    if inputs.data:
        mounts.append(_data(inputs.data, DATA))
    return mounts


def environment_mounts(inputs: Inputs, submitted: Path) -> list[Mount]:
    """Mounts of the side of parallel mode that knows the answers.

    ``submitted`` holds the submission's files, mounted in the place of predictions. What the agent
    leaves in ``shared`` is its only output.
    """
    mounts = [*scoring_mounts(inputs), Mount(source=submitted, target=PREDICTIONS, is_plain=True)]
    if inputs.input_data:
        mounts.append(_data(inputs.input_data, INPUT_DATA))
    return mounts


def _data(source: Path, target: str) -> Mount:
    """Mount a folder itself, and a single file by its name in a folder.

    Folders have overlays, and files none: a fetched or decrypted file is alone in its folder.
    """
    if source.is_file() and len(list(itertools.islice(source.parent.iterdir(), 2))) == 1:
        source = source.parent
    return Mount(source=source, target=f"{target}/{source.name}" if source.is_file() else target)


def _substitutions(data: str, predictions: str) -> tuple[tuple[str, str], ...]:
    """Words of a command, in the order in which Codabench replaces them.

    See its compute_worker.py:264-286.
    """
    return (
        ("$input", data),
        ("$output", OUTPUT),
        ("$program", PROGRAM),
        ("$ingestion_program", PROGRAM),
        ("$hidden", REFERENCE),  # not mounted in the ingestion step
        ("$shared", SHARED),
        ("$submission_program", INGESTED_PROGRAM),
        ("$tmp", OUTPUT),
        ("$predictions", predictions),
    )


INGESTION_SUBSTITUTIONS = _substitutions(INPUT_DATA, OUTPUT)
SCORING_SUBSTITUTIONS = _substitutions(INPUT, PREDICTIONS)
AGENT_SUBSTITUTIONS = _substitutions(INPUT_DATA, INGESTED_PROGRAM)
"""Codabench maps ``$program`` to a path that is not mounted here, and ``$predictions`` to the
submission, which is at input/res in its scoring step."""
