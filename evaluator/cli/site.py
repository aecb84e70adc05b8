"""``pullbench site``: git begins to look at the files before the programs for pages are loaded."""

from pathlib import Path

import click

from evaluator.cli.group import cli
from evaluator.formats.bulk import without_collection
from evaluator.git.tree import begin_reading
from evaluator.log import say


@cli.command()
@click.option("--serve", is_flag=True, help="Serve it on a loopback address afterwards.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.pass_obj
def site(start: Path, serve: bool, port: int) -> object:
    """Build the site into build/site; `mkdocs build --strict` does the same."""
    tree = begin_reading(start)
    with without_collection():
        from evaluator.site import build, serving

    built = build.build_site(start, tree)
    say(f"the site is in {built.folder}")
    if not serve:
        return built  # it takes long to free, and so the process ends without that
    folder = built.folder
    del built
    serving.serve(folder, port)
    return None
