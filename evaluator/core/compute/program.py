"""metadata.yaml of a program -> the command to run."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from evaluator.core.compute.engine.output import read_regular
from evaluator.core.compute.engine.spec import ProgramError
from evaluator.core.errors import Actor
from evaluator.core.formats.schema import MAX_BYTES, read_yaml

METADATA = ("metadata.yaml", "metadata")


def read_command(
    folder: Path, name: str, substitutions: Sequence[tuple[str, str]], actor: Actor
) -> list[str]:
    """Return argv. There is no shell: quotes group words, nothing else is special.

    ``name`` is the program's path in the repository, for messages. Raises ProgramError.
    """
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
    """Return the folder with the metadata: the program's, else the one folder in it that has some.

    Zips are often made of a folder and not of its content; CodaLab took them so
    (its worker.py:41-54).
    """
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
    """Return the command as written; None without metadata or without the key."""
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
