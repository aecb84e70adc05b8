"""Options of commands that ask a server of OpenML, and of imports that write its data."""

import click

from evaluator.core.formats.quantities import to_bytes
from evaluator.plugins.openml.tasks.client import SECONDS, SERVER

server_option = click.option(
    "--server", metavar="URL",
    help=f"API of another server than {SERVER}, such as https://test.openml.org/api/v1/xml.",
)  # fmt: skip
timeout_option = click.option(
    "--timeout", "patience", type=click.FloatRange(min=1), default=SECONDS, show_default=True,
    help="Seconds that the server may take for one task.",
)  # fmt: skip


def _size(_context: click.Context, _option: click.Parameter, text: str | None) -> int | None:
    try:
        return None if text is None else to_bytes(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


memory_option = click.option(
    "--memory", metavar="SIZE", callback=_size,
    help="Memory of a fold of each task that sets none, such as 8 GiB; 4 GiB by default.",
)  # fmt: skip
private_option = click.option(
    "--private/--in-git", default=None,
    help="Where data go: below the data folder, pinned, or into git; by size by default.",
)  # fmt: skip
