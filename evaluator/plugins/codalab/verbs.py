"""The verb that writes a bundle for Codabench."""

from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import at_option
from evaluator.core.cli.shown import notes
from evaluator.core.errors import UsageError
from evaluator.core.log import say


@cli.command()
@click.argument("benchmark")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; BENCHMARK.zip by default.",
)  # fmt: skip
@click.option(
    "--image",
    metavar="NAME",
    default="",
    help="Image at a registry, in place of the bundle's, which no worker of Codabench can pull.",
)
@click.option(
    "--as-is",
    is_flag=True,
    help="For another pullbench: change nothing, and refuse nothing that Codabench would.",
)
@click.option(
    "--light",
    is_flag=True,
    help="For another pullbench: as it is, with keys in place of programs and data.",
)
@click.option(
    "--files", type=click.Path(path_type=Path, file_okay=False),
    help="With --light: folder for what is left out, as KEY.zip.",
)  # fmt: skip
@at_option
@click.pass_obj
def export(
    start: Path,
    benchmark: str,
    output: Path | None,
    image: str,
    as_is: bool,
    light: bool,
    files: Path | None,
    at: str | None,
) -> None:
    """Write a bundle that Codabench takes; with --as-is, one that comes back byte for byte.

    What Codabench would refuse is mended in the zip, or refused with the reason; what it does
    otherwise is said.
    """
    if files is not None and not light:
        raise UsageError("--files belongs to --light")
    if image and (as_is or light):
        raise UsageError("--image is for Codabench, --as-is and --light are for another pullbench")
    from evaluator.core.planning.export import bundle_files
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.plugins.codalab.codabench_bundle import export_bundle

    original, content = bundle_files(load_snapshot(start, at, only=benchmark), benchmark)
    exported = export_bundle(original, content, image=image, light=light, as_is=as_is)
    target = output or Path(f"{benchmark}.zip")
    target.write_bytes(exported.content)
    if files is not None:
        files.mkdir(parents=True, exist_ok=True)
        for key, part in exported.parts.items():
            (files / f"{key}.zip").write_bytes(part)
    notes(exported.problems)
    say(f"{target}: {len(exported.content):,} bytes")
