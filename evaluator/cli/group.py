"""The command itself: what holds for every verb, and where each is defined."""

from importlib import import_module
from pathlib import Path

import click

from evaluator import __version__
from evaluator.errors import nearest, printable

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_VERBS: dict[str, dict[str, tuple[str, ...]]] = {
    "Take part": {
        "submissions": ("enter", "validate", "submit"),
        "evaluation": ("plan", "run", "log"),
    },
    "Read and check results": {
        "boards": ("leaderboard", "results", "analyze"),
        "evaluation": ("reproduce",),
        "site": ("site",),
    },
    "Organise benchmarks": {
        "bundles": ("init", "export", "fact-sheet", "solutions"),
        "imports": ("import",),
        "suites": ("suite",),
        "secrets": ("pin", "keygen"),
        "collection": ("rerun", "withdraw", "disqualify", "overdue"),
        "archives": ("archive", "restore"),
        "forge": ("github",),
    },
    "Called by workflows": {
        "pulls": ("pr",),
        "collection": ("commit", "collect", "hand-in"),
    },
}
"""Whom verbs are for -> module of this folder -> its verbs."""
_MODULES = {
    verb: f"evaluator.cli.{module}"
    for modules in _VERBS.values()
    for module, verbs in modules.items()
    for verb in verbs
}


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

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the verb that is called; else say which one was meant. Raises UsageError."""
        if args[0] in _MODULES or args[0].startswith("-"):
            return super().resolve_command(context, args)
        hint = nearest(args[0], _MODULES, "`pullbench --help` lists them.")
        raise click.UsageError(f"No such command '{printable(args[0])}'. {hint}", context)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs, each below those whom it is for."""
        room = formatter.width - 6 - max(map(len, _MODULES))
        for role, modules in _VERBS.items():
            rows = []
            for name in sorted(verb for verbs in modules.values() for verb in verbs):
                command = self.get_command(context, name)
                rows.append((name, command.get_short_help_str(room) if command else ""))
            with formatter.section(role):
                formatter.write_dl(rows)


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
