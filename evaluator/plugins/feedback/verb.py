"""The verb that opens private feedback."""

from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import remote_option
from evaluator.core.errors import UsageError
from evaluator.core.log import emit, say


@cli.command()
@click.argument("source")
@click.option("--identity", type=click.Path(path_type=Path), default=Path("~/.ssh/id_ed25519"),
              show_default=True, help="Your secret SSH key.")  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path, file_okay=False),
              help="Folder for detailed results; without it they are only counted.")  # fmt: skip
@remote_option
@click.pass_obj
def feedback(
    start: Path, source: str, identity: Path, output: Path | None, remote: str | None
) -> None:
    """Print the scores and logs of your entry to a phase with private feedback.

    SOURCE is the number of the pull request, a file, or `-` for standard input.
    """
    from evaluator.plugins.feedback.archive import TEXT, open_feedback
    from evaluator.plugins.feedback.feedback import read_feedback

    if source.isdecimal():
        content = read_feedback(start, int(source), remote)
    else:
        try:
            with click.open_file(source, "rb") as file:
                content = file.read()
        except OSError as error:
            raise UsageError(
                f"{source} cannot be read: {error.strerror}",
                hint="Name a file, or the number of a pull request.",
            ) from None
    files = open_feedback(content, identity.expanduser())
    emit(files.pop(TEXT, b"").decode("utf-8", "replace"))
    pages = {name: page for name, page in files.items() if name.endswith(".html")}
    if output is None:
        if pages:
            say(f"{len(pages)} pages of detailed results: --output FOLDER writes them")
        return
    for name, page in pages.items():
        file_path = output / name.replace("/", "_")
        file_path.parent.mkdir(parents=True, exist_ok=True)
        file_path.write_bytes(page)
        say(f"wrote {file_path}")
