"""Verbs for organisers with private data: keys, digests and encryption."""

import re
from collections.abc import Callable
from pathlib import Path

import click

from evaluator.core.cli.group import cli
from evaluator.core.log import say
from evaluator.core.plugins import Service

NEW_SIGNING_KEY = Service[Callable[[], str]](
    "statements.keygen", "scores are signed by the plugin 'attest', which is not installed",
    "Install pullbench with evaluator/plugins/attest.",
)  # fmt: skip
"""Returns the setting and the secret of a new pair, each as a line."""


@cli.command()
@click.option(
    "--data", required=True, type=click.Path(path_type=Path, exists=True),
    help="File or folder of private data.",
)  # fmt: skip
@click.option(
    "--encrypt", "target", type=click.Path(path_type=Path, dir_okay=False),
    help="Write them, encrypted, to this file of the bundle too.",
)  # fmt: skip
@click.option(
    "--to", "recipients", multiple=True, metavar="AGE1...",
    help="Public key of who may open the file; `pullbench keygen --data` makes a pair.",
)  # fmt: skip
def pin(data: Path, target: Path | None, recipients: tuple[str, ...]) -> None:
    """Print the digest that a bundle pins for private data, and encrypt them where asked to.

    A folder is zipped first. Each run of it writes other bytes; the digest is of the content. Where
    the competition.yaml beside FILE pins it, its `sha256` is replaced.
    """
    if (target is None) != (not recipients):
        raise click.UsageError("--encrypt and --to belong together")
    from evaluator.core.formats.bundle import FILE_NAME
    from evaluator.importing.files import pack
    from evaluator.importing.pinned import content_digest
    from evaluator.importing.private_parts import encrypt

    source = data.resolve()
    digest = content_digest(source)
    if target is not None:
        target.write_bytes(encrypt(pack(source), recipients))
        if (bundle := target.parent / FILE_NAME).is_file():
            pinned = (
                rf"(\bencrypted: *[\"']?{re.escape(target.name)}\b(?:(?!encrypted:).)*?"
                r"\bsha256: *[\"']?)[0-9a-f]{64}"
            )
            old = bundle.read_text("utf-8")
            text, count = re.subn(pinned, rf"\g<1>{digest}", old, flags=re.DOTALL)
            if count:
                bundle.write_text(text, "utf-8")
                say(f"{bundle} pins these data")
    say(digest)


@cli.command()
@click.option("--data", is_flag=True, help="Make a pair for encrypted data instead.")
@click.option("--signing", is_flag=True, help="Make a pair for signed scores instead.")
def keygen(data: bool, signing: bool) -> None:
    """Make a key pair for sealing what is hidden of records, or for private data.

    The public key goes into `[tool.pullbench] seal`; the secret one is printed once, and becomes
    the secret PULLBENCH_IDENTITY of the environment `publish`. Whoever has it reads every score.

    With --data the public key is for `pullbench pin --encrypt FILE --to KEY`, and the secret one
    for the environment of the machines that score. With --signing the public key goes into
    `[tool.pullbench.attest] keys`, and the secret one becomes the secret PULLBENCH_SIGNING_KEY.
    """
    if signing:
        say(NEW_SIGNING_KEY.need()())
        return
    from evaluator.core.formats.pinned_files import DATA_IDENTITY
    from evaluator.core.formats.settings import SEAL_IDENTITY
    from evaluator.importing.private_parts import make_keys

    public, secret = make_keys()
    say(f"public = {public}" if data else f"seal = {public}")
    say(f"{DATA_IDENTITY if data else SEAL_IDENTITY} = {secret}")
