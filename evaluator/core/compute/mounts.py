"""The mounts of containers, on which the secrecy of reference data rests, and their commands.

What is mounted cannot be written to; what can be, a step's outputs, is beside it in its RunSpec.

Paths are Codabench's, so that its bundles run unmodified.
"""

import itertools
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.core.compute.engine.output import read_regular
from evaluator.core.compute.engine.spec import Image, Mount, ProgramError
from evaluator.core.errors import Actor
from evaluator.core.formats.schema import MAX_BYTES, read_yaml

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
class CellInputs:
    """Folders and images of one cell on the host; None if the bundle has none."""

    submission: Path
    ingestion_program: Path | None
    """Folder that holds its metadata; so is ``scoring_program``."""
    input_data: Path | None
    scoring_program: Path
    reference_data: Path | None
    data: Path | None
    """What every program sees, as a folder of Codabench's workers."""
    image: Image
    code_image: Image


def ingestion_mounts(inputs: CellInputs) -> list[Mount]:
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
        mounts.append(data_mount(inputs.input_data, INPUT_DATA))
    if inputs.data:
        mounts.append(data_mount(inputs.data, DATA))
    return mounts


def scoring_mounts(inputs: CellInputs) -> list[Mount]:
    """Mounts of the step that knows the answers. No participant's code is among them.

    The predictions are an output, which is filled before: Codabench lets scoring programs write
    among them.
    """
    mounts = [Mount(source=inputs.scoring_program, target=PROGRAM)]
    if inputs.reference_data:
        mounts.append(data_mount(inputs.reference_data, REFERENCE))
    if inputs.data:
        mounts.append(data_mount(inputs.data, DATA))
    return mounts


def data_mount(source: Path, target: str) -> Mount:
    """Mount a folder, also of a lone file, so that it has an overlay; else the file by its name."""
    if source.is_file() and len(list(itertools.islice(source.parent.iterdir(), 2))) == 1:
        source = source.parent
    return Mount(source=source, target=f"{target}/{source.name}" if source.is_file() else target)


def substitutions(data: str, predictions: str) -> tuple[tuple[str, str], ...]:
    """Words of a command, in the order of Codabench's compute_worker.py:264-286."""
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


INGESTION_SUBSTITUTIONS = substitutions(INPUT_DATA, OUTPUT)
SCORING_SUBSTITUTIONS = substitutions(INPUT, PREDICTIONS)
METADATA = ("metadata.yaml", "metadata")
"""Files of a program that may hold its command."""


def read_command(
    folder: Path, name: str, substitutions: Sequence[tuple[str, str]], actor: Actor
) -> list[str]:
    """Argv for no shell: quotes group words, nothing else. Raises ProgramError."""
    command = _find_command(folder, name, actor)
    if not command or isinstance(command, dict):
        raise ProgramError(
            f"{name}: its metadata.yaml names no command",
            hint="Add a line such as 'command: python3 $program/main.py $input $output'.",
            actor=actor,
        )
    try:
        # A list is one command whose words are given apart.
        words = (
            [str(word) for word in command]
            if isinstance(command, list)
            else shlex.split(str(command))
        )
    except ValueError as error:
        raise ProgramError(f"{name}: its command cannot be read: {error}", actor=actor) from None
    for old, new in substitutions:
        words = [word.replace(old, new) for word in words]
    return words


def program_root(folder: Path) -> Path:
    """The folder with metadata, else the one in it: see CodaLab's worker.py:41-54."""
    if _has_metadata(folder):
        return folder
    try:
        inner = [path for path in folder.iterdir() if not path.is_symlink() and _has_metadata(path)]
    except NotADirectoryError:
        return folder
    return inner[0] if len(inner) == 1 else folder


def _has_metadata(folder: Path) -> bool:
    return any((folder / name).is_file() for name in METADATA)


def _find_command(folder: Path, name: str, actor: Actor) -> object:
    for file in METADATA:
        content = read_regular(folder / file, MAX_BYTES)
        if content is None:
            continue
        document = read_yaml(content, f"{name}/{file}", actor)
        if document.problems:
            raise ProgramError("\n".join(map(str, document.problems)), actor=actor)
        command: object = document.data.get("command")
        return command
    return None
