"""The command itself: what holds for every verb, and where each is defined."""

from pathlib import Path
from typing import ClassVar

import click

from evaluator import __version__
from evaluator.core.errors import nearest, printable
from evaluator.core.plugins import Contract, plugins

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_SECTIONS = ("Take part", "Read and check results", "Organise benchmarks", "Called by workflows")
_OTHERS = "From other plugins"

NEEDS_CI = (
    "nothing is installed that knows pull requests",
    "Install all of pullbench: its folder evaluator/ci was deleted.",
)
"""What a verb says that cannot do without."""
VERBS = Contract[click.Command]("verbs")


class Verbs(click.Group):
    """Loads the module of a verb when somebody names it, as click's documentation has it."""

    contract: ClassVar[Contract[click.Command]]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in self.contract:
            return self.contract[name]
        return super().get_command(context, name)

    def list_commands(self, context: click.Context) -> list[str]:
        return sorted({*super().list_commands(context), *self.contract})


class _Root(Verbs):
    contract = VERBS

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in VERBS or args[0].startswith("-"):
            return super().resolve_command(context, args)
        hint = nearest(args[0], VERBS, "`pullbench --help` lists them.")
        raise click.UsageError(f"No such command '{printable(args[0])}'. {hint}", context)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        room = formatter.width - 6 - max(map(len, VERBS))
        sections: dict[str, list[str]] = {heading: [] for heading in _SECTIONS}
        for plugin in plugins():
            for heading, names in plugin.help_sections.items():
                sections.setdefault(heading, []).extend(names)
        listed = {name for names in sections.values() for name in names}
        sections[_OTHERS] = [name for name in VERBS if name not in listed]
        for heading, names in sections.items():
            rows = []
            for name in sorted(names):
                command = self.get_command(context, name)
                rows.append((name, command.get_short_help_str(room) if command else ""))
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


@click.group(cls=_Root, context_settings=CONTEXT)
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
