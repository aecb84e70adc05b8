"""The command itself: what holds for every verb, and where verbs are loaded from."""

from importlib import import_module
from pathlib import Path

import click

from evaluator import __version__

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_LIGHT = {"site": "evaluator.cli.site"}
"""Verbs that begin before most of this package is loaded."""


class Verbs(click.Group):
    """Loads a verb when somebody names it."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a verb, or None where there is none of that name."""
        import_module(_LIGHT.get(name, "evaluator.cli.verbs"))
        return super().get_command(context, name)

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all."""
        for module in ("evaluator.cli.verbs", *_LIGHT.values()):
            import_module(module)
        return super().list_commands(context)


@click.group(cls=Verbs, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="pullbench")
@click.option("--debug", is_flag=True, help="Show tracebacks of errors.")
@click.option(
    "-C", "--directory", type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(), help="Work in this repository instead of the current folder.",
)  # fmt: skip
@click.pass_context
def cli(context: click.Context, debug: bool, directory: Path) -> None:
    """Benchmarks you enter with a pull request.

    Exit codes: 0 done; 1 something failed or is not valid; 2 wrong usage; 3 the platform
    (Docker, git, disk) failed; 4 a defect of pullbench; 130 interrupted.
    """
    context.obj = directory.resolve()
    context.meta["debug"] = debug
