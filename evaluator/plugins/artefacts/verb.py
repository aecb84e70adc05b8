"""The verb ``point``: a pointer in an entry, in place of a large file."""

import hashlib
from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.schema import dump_yaml, read_yaml
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.log import say


@cli.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--at", "address", required=True, help="Where anybody can fetch the file: https://…")
@click.option(
    "--in", "folder", required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder of your entry.",
)  # fmt: skip
def point(file: Path, address: str, folder: Path) -> None:
    """Write a pointer to a large FILE into an entry, and its address into submission.yaml.

    Upload the file first. Programs see it in the entry's folder, under its own name. Git gets the
    pointer, of three lines, with the digest that the file has to have.
    """
    from evaluator.plugins.artefacts.keys import KEY, pointer

    with file.open("rb") as content:
        sha256 = hashlib.file_digest(content, "sha256").hexdigest()
    target, sheet = folder / file.name, folder / FILE_NAME
    if target.exists() and target.samefile(file):
        raise UsageError(
            f"{file} is in the entry's folder, where the pointer will be",
            hint="Move it out of the repository first.",
        )
    text = sheet.read_bytes() if sheet.is_file() else b""
    document = read_yaml(text if text.strip() else b"{}", str(sheet), Actor.PARTICIPANT)
    if document.problems or not isinstance(document.data, dict):
        raise UsageError(f"{sheet} cannot be read", hint="`pullbench validate` says why.")
    addresses = {**(document.data.get(KEY) or {}), file.name: address}
    sheet.write_bytes(dump_yaml({**document.data, KEY: addresses}))
    target.write_bytes(pointer(sha256, file.stat().st_size))
    say(f"{target} points to {address}; commit it with {FILE_NAME}.")
