"""The command itself: what holds for every verb, and where each is defined."""

from importlib import import_module
from pathlib import Path

import click

from evaluator import __version__

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_VERBS = {
    "submissions": ("validate", "submit"),
    "evaluation": ("plan", "run", "reproduce", "log"),
    "pulls": ("pr",),
    "forge": ("github",),
    "collection": ("commit", "collect", "hand-in", "rerun", "withdraw", "overdue"),
    "archives": ("archive", "restore"),
    "boards": ("leaderboard", "results", "analyze"),
    "site": ("site",),
    "bundles": ("init", "export", "fact-sheet", "solutions"),
    "imports": ("import",),
    "suites": ("suite",),
    "secrets": ("pin", "keygen"),
}
"""Module of this folder -> its verbs."""
_MODULES = {verb: f"evaluator.cli.{module}" for module, verbs in _VERBS.items() for verb in verbs}


class Verbs(click.Group):
    """Loads the module of a verb when somebody names it, as click's documentation has it."""

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a verb, or None where there is none of that name."""
        if name in _MODULES:
            import_module(_MODULES[name])
        return super().get_command(context, name)

    def list_commands(self, context: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all."""
        return sorted(_MODULES)


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
