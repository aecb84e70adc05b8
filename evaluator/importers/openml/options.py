"""Options of commands that ask a server of OpenML, and of imports that write its data."""

import click

from evaluator.importers.openml.client import SECONDS, SERVER

server_option = click.option(
    "--server", metavar="URL",
    help=f"API of another server than {SERVER}, such as https://test.openml.org/api/v1/xml.",
)  # fmt: skip
timeout_option = click.option(
    "--timeout", "patience", type=click.FloatRange(min=1), default=SECONDS, show_default=True,
    help="Seconds that the server may take for one task.",
)  # fmt: skip
private_option = click.option(
    "--private/--in-git", default=None,
    help="Where data go: below the data folder, pinned, or into git; by size by default.",
)  # fmt: skip
