"""Templates that are filled in, and a folder outside of git for what is secret of them."""

import json
from collections.abc import Mapping
from pathlib import Path

from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.importing.edited_yaml import with_value
from evaluator.importing.files import Files, write_files

_FILLED = (".yaml", ".md", ".py")


def write_private(folder: Path, files: Files) -> None:
    """Write what is secret. Raises UsageError where the folder is there."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        raise UsageError(
            f"{folder} is there already", hint="It may hold the only keys of a benchmark: move it."
        ) from None
    write_files(folder, files)


def filled(files: Files, values: Mapping[str, object], title: str) -> dict[str, tuple[bytes, bool]]:
    """Files with values in place of their names, and a bundle with its title."""
    done = {
        path: (_filled(content, values, path) if path.endswith(_FILLED) else content, executable)
        for path, (content, executable) in files.items()
    }
    content, executable = done[FILE_NAME]
    return {**done, FILE_NAME: (with_value(content, title, "title"), executable)}


def _filled(content: bytes, values: Mapping[str, object], path: str) -> bytes:
    """Content with values in place of their names: numbers bare, texts within their quotes."""
    text = content.decode()
    for name, value in values.items():
        if isinstance(value, int):
            text = text.replace(f'"{name}"', str(value))
        escaped = str(value) if path.endswith(".md") else json.dumps(str(value))[1:-1]
        text = text.replace(name, escaped)
    return text.encode()
