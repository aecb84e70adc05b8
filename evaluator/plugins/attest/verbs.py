"""``pullbench verify``: what proves of each number. ``pullbench attest``: what was checked."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from evaluator.core.cli.group import cli
from evaluator.core.cli.options import json_option, remote_option
from evaluator.core.clock import utc_now
from evaluator.core.errors import UsageError, counted
from evaluator.core.log import complain, emit_json, say
from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    from evaluator.core.planning.snapshot import Snapshot

FURTHER: "Contract[Callable[[Snapshot, str], Iterable[tuple[str, bool]]]]" = Contract("verify")
"""Each says sentences about what else a commit proves of NAME, and whether they are as they should
be."""


@cli.command()
@click.argument("name", required=False, default="")
@click.option("--at", "revision", default="HEAD", show_default=True,
              help="Commit, branch or tag whose numbers are checked.")  # fmt: skip
@click.option("--key", "keys", multiple=True, metavar="ed25519:...",
              help="Trust this public key alone, not those that the commits list.")  # fmt: skip
@click.option("--trusted-root", "root", type=click.Path(path_type=Path, dir_okay=False),
              help="Trusted root of sigstore; that of its package by default.")  # fmt: skip
@click.option("--tip", default="", metavar="DIGEST",
              help="A statement that the ledger had: without it, it is rolled back.")  # fmt: skip
@json_option
@click.pass_obj
def verify(
    start: Path, name: str, revision: str, keys: tuple[str, ...], root: Path | None, tip: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Say of every number who vouches for it, or of those of a benchmark, submission or cell NAME.

    attested: CI signed it. re-derived: somebody evaluated it again and signed that. reported: a
    source states it. unattested: it is older than the first key. removed: CI signed it, and its
    submission is gone. altered: CI signed something else. forged: nobody signed it. With the last
    two, or anything wrong with the ledger, the exit code is 1. It needs a whole clone with the
    ledger's branch, and no network.
    """
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.plugins.attest.checking import verify

    only = name.partition("/")[0] or None
    snapshot = load_snapshot(start, revision, only=only)
    report = verify(snapshot, name, keys=keys, root=root, tip=tip)
    bad, misfits = report.bad, 0
    for fault in report.faults:
        complain(fault)
    for cell, proof in bad.items():
        complain(f"{cell}: {proof.state} since {proof.since[:12]}: {proof.detail}")
    for path in report.unsigned_logs:
        say(f"{path}: not signed")
    for check in FURTHER.values():
        for said, is_true in check(snapshot, name):
            (say if is_true else complain)(said)
            misfits += not is_true
    if report.unlisted_since:
        say(f"{report.unlisted_since[:12]} took the keys away: nobody signs from then on")
    good = (proof for cell, proof in report.proofs.items() if cell not in bad)
    counts = Counter((one.state, f"by {one.by}" if one.by else one.detail) for one in good)
    for (state, by), count in sorted(counts.items()):
        say(f"{state}: {counted(count, 'numbers')}, {by}")
    say(f"{counted(len(report.proofs), 'numbers')} at {report.commit[:12]}, bad: {len(bad)}")
    if report.tip:
        say(f"last statement: {report.tip}")
    if as_json:
        cells = [
            {"cell": cell} | {key: value for key, value in proof._asdict().items() if value}
            for cell, proof in report.proofs.items()
        ]
        whole = {
            "commit": report.commit, "tip": report.tip, "cells": cells,
            "faults": list(report.faults), "unsigned_logs": list(report.unsigned_logs),
        }  # fmt: skip
        emit_json(json.dumps(whole, indent=2))
    if bad or report.faults or misfits:
        raise click.exceptions.Exit(1)


@cli.command()
@click.argument("comparison", type=click.File("rb"), default="-")
@click.option("--by", required=True, help="Who evaluated the cells again.")
@remote_option
@click.pass_obj
def attest(start: Path, comparison: BinaryIO, by: str, remote: str | None) -> None:
    """Sign what `pullbench reproduce --json` printed about HEAD, and keep it in the ledger.

    It needs the secret key of a pair that `[tool.pullbench.attest]` lists as a key or an auditor.
    """
    from evaluator.ci.ledger.ledger_state import grown_ledger
    from evaluator.ci.scores.ledger_records import change_ledger
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.plugins.attest.settings import Attest
    from evaluator.plugins.attest.signing import sign_verdicts, signer_of

    snapshot = load_snapshot(start, "HEAD")
    signer = signer_of(snapshot.settings, checks=True)
    if signer is None and snapshot.settings.of_plugins.get("attest", Attest()) == Attest():
        say("nothing is signed here: [tool.pullbench.attest] lists nobody")
        return
    if signer is None:
        raise UsageError(
            "nothing signs here",
            hint="Set PULLBENCH_SIGNING_KEY to the secret half of a key that "
            "[tool.pullbench.attest] lists.",
        )
    signed = sign_verdicts(snapshot, comparison.read(), by, utc_now(), signer)
    repo, branch = snapshot.tree.repository, snapshot.settings.ledger
    grown_ledger(repo, branch, remote, snapshot.tree)
    paths = change_ledger(repo, signed, "Sign {} statements\n", branch=branch, remote=remote).paths
    say(f"kept in the ledger: {', '.join(paths) or 'nothing, for no cell was evaluated again'}")
