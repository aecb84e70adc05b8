"""``pullbench site``."""

import json
import os
from pathlib import Path

import click

from evaluator.core.cli.actions import set_outputs
from evaluator.core.cli.group import cli
from evaluator.core.cli.options import json_option
from evaluator.core.errors import PlatformError, counted
from evaluator.core.log import complain, emit_json, say

MAX_QUEUE_BYTES = 2**20


@cli.command()
@click.option("--serve", is_flag=True, help="Serve it on a loopback address afterwards.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--carry", type=click.Path(path_type=Path, dir_okay=False), envvar="PULLBENCH_SITE_CARRY",
    help="Use what the machine that built the site before has packed into this file, and pack it "
    "for the next one; with the key in PULLBENCH_SITE_KEY, and not without.",
)  # fmt: skip
@click.option(
    "--queue", type=click.Path(path_type=Path, dir_okay=False),
    help="Show on the page of the status what `pullbench pr list --output` wrote into this file, "
    "if it is there.",
)  # fmt: skip
@json_option
@click.pass_obj
def site(
    start: Path, serve: bool, port: int, carry: Path | None, queue: Path | None, as_json: bool
) -> None:
    """Build the site into build/site; `mkdocs build --strict` does the same.

    A record, page or file that cannot be made is left out; the rest is written, and it ends with 3.
    """
    from evaluator.site.build.update import update_site

    said = b""
    if queue is not None and queue.is_file():
        with queue.open("rb") as stream:
            said = stream.read(MAX_QUEUE_BYTES)
    folder, left_out = update_site(start, carry, os.environ.get("PULLBENCH_SITE_KEY", ""), said)
    set_outputs({"built": "true"})
    say(f"the site is in {folder}")
    for path, reason in left_out.items():
        complain(f"left out: {path}: {reason}")
    if as_json:
        emit_json(json.dumps({"folder": str(folder), "left_out": dict(left_out)}, indent=2))
    if serve:
        from evaluator.site.build.serving import serve as serve_site

        serve_site(folder, port)
    if left_out:
        raise PlatformError(
            f"the site lacks {counted(len(left_out), 'parts')}, which are named above",
            hint="An organiser must act: mend or withdraw the record that is named; else report it "
            "with what `pullbench site` prints in a terminal.",
        )
