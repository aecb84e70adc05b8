"""``pullbench import``: a bundle by default, or what stands as a word before the source."""

import click

from evaluator.cli.main import cli

DEFAULT = "bundle"


class ImportGroup(click.Group):
    """Takes what is no command of its own as the source of a bundle."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command where none is named."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


@cli.group("import", cls=ImportGroup)
def imports() -> None:
    """Bring in a benchmark: `import SOURCE` a bundle, `import amlb FILE` a definition.

    SOURCE is a Codabench or CodaLab bundle: a zip, a directory, or an address. A directory with
    the name of a command is written ./NAME.
    """
