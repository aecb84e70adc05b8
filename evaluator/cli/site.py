"""``pullbench site``."""

from pathlib import Path

import click

from evaluator.cli.group import cli
from evaluator.log import say
from evaluator.pipeline.site import build_site, serve_site


@cli.command()
@click.option("--serve", is_flag=True, help="Serve it on a loopback address afterwards.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.pass_obj
def site(start: Path, serve: bool, port: int) -> None:
    """Build the site into build/site; `mkdocs build --strict` does the same."""
    folder = build_site(start)
    say(f"the site is in {folder}")
    if serve:
        serve_site(folder, port)
