"""``pullbench site``."""

import os
from pathlib import Path

import click

from evaluator.cli.group import cli
from evaluator.log import say
from evaluator.pipeline.site import build_site, serve_site


@cli.command()
@click.option("--serve", is_flag=True, help="Serve it on a loopback address afterwards.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--carry", type=click.Path(path_type=Path, dir_okay=False), envvar="PULLBENCH_SITE_CARRY",
    help="Use what the machine that built the site before has packed into this file, and pack it "
    "for the next one; with the key in PULLBENCH_SITE_KEY, and not without.",
)  # fmt: skip
@click.pass_obj
def site(start: Path, serve: bool, port: int, carry: Path | None) -> None:
    """Build the site into build/site; `mkdocs build --strict` does the same."""
    folder = build_site(start, carry, os.environ.get("PULLBENCH_SITE_KEY", ""))
    say(f"the site is in {folder}")
    if serve:
        serve_site(folder, port)
