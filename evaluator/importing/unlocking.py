"""The verb that decrypts the data of some cells for a run without the key."""

import os
import re
from pathlib import Path

import click

from evaluator.core.cli.evaluation import MERGE
from evaluator.core.cli.group import cli
from evaluator.core.cli.options import head_option, pull_request_option, remote_option
from evaluator.core.clock import utc_now
from evaluator.core.errors import (
    PlatformError,
    PullbenchError,
    UsageError,
    counted,
    error_name,
    printable,
)
from evaluator.core.formats.pinned_files import PREDICTIONS, UNLOCKED
from evaluator.core.log import complain, say


@cli.command()
@click.argument("cells", nargs=-1, required=True, envvar="PULLBENCH_CELLS")
@click.option("--base", envvar="PULLBENCH_BASE", help="Branch or commit whose data are opened.")
@head_option
@remote_option
@pull_request_option
@click.option(
    "--into", "folder", required=True, envvar=UNLOCKED,
    type=click.Path(path_type=Path), help="A new folder in memory.",
)  # fmt: skip
@click.option(
    "--from", "source", type=click.Path(path_type=Path, file_okay=False),
    help="Folder with the artifacts of jobs that ran programs.",
)  # fmt: skip
@click.pass_obj
def unlock(
    start: Path, cells: tuple[str, ...], base: str | None, head: str | None, remote: str | None,
    pull_request: int | None, folder: Path, source: Path | None,
) -> None:  # fmt: skip
    """Decrypt the data that CELLS are scored with, for a run that has no key.

    The run finds them where PULLBENCH_UNLOCKED says. For a cell with a participant's program that
    are its predictions, too, which another job handed over. Nothing is opened for a benchmark that
    the pull request changes.
    """
    from evaluator.core.compute.engines import engine_kind
    from evaluator.core.compute.run_folder import held
    from evaluator.core.compute.steps import CellFailedError
    from evaluator.core.compute.store import PredictionStore
    from evaluator.core.planning.snapshot import load_snapshot
    from evaluator.core.scores.hand_over import is_scored_apart, refuse_programs
    from evaluator.core.scores.runnable import engine_of
    from evaluator.core.scores.selection import choose
    from evaluator.importing.handed_over import take_predictions
    from evaluator.importing.private_parts import Pin, fault_file, open_private

    trusted = snapshot = load_snapshot(start, base)
    if base and head:
        snapshot = MERGE.need()(start, base, head, remote, pull_request, utc_now())
    chosen = [item.cell for item in choose(snapshot, utc_now(), cells, fresh=False)]
    refuse_programs(chosen, trusted.settings)
    for path in {cell.benchmark.path for cell in chosen}:
        if snapshot.tree.digest(path) != trusted.tree.digest(path):
            raise UsageError(
                f"the pull request changes {path}, whose programs would see the data",
                hint="Its cells are scored once it is merged.",
            )
    _make_anew(folder)
    click.get_current_context().with_resource(held(folder))
    pins: dict[str, Pin] = {
        f"{cell.benchmark.path}/{pin.encrypted}": pin
        for cell in chosen
        for pin in cell.task.private
        if pin.encrypted
    }
    for entry in (cell.submission for cell in chosen):
        if entry.sealed and not snapshot.tree.under(entry.opened_path):
            pins[f"{entry.path}/{entry.sealed.source}"] = entry.sealed
    contents = snapshot.tree.read(pins)
    for path, pin in pins.items():
        if (folder / pin.sha256).exists():
            continue  # a file that is a copy of another can be damaged, and does it no harm
        fault = fault_file(pin, folder)
        try:
            open_private(pin, contents.get(path, b""), folder, trusted.settings.max_data)
            fault.unlink(missing_ok=True)
        except PullbenchError as error:
            complain(error.message)
            fault.write_text(f"{error.message}\n{error.hint or ''}")
        except CellFailedError as error:  # what it says may be of an entry's content
            complain(f"{path} cannot be opened")
            fault.write_text(f"\n{error.error.message}")
    if source and (programs := [one for one in chosen if is_scored_apart(one, trusted.settings)]):
        isolation = engine_kind(engine_of("auto", snapshot)).isolation(trusted.settings)
        store = PredictionStore(folder / PREDICTIONS, isolation)
        recipient = trusted.settings.seal
        for reason in take_predictions(source, programs, recipient, store, folder):
            complain(reason)
    say(f"unlocked for {counted(len(chosen), 'cells')}: {counted(len(pins), 'files')}")


_UNLOCKED_NAME = re.compile(rf"[0-9a-f]{{64}}(\.fault)?|{PREDICTIONS}")


def _make_anew(folder: Path) -> None:
    """Make a folder for this account alone; remove what a killed run left. Raises PlatformError."""
    from evaluator.core.compute.run_folder import held, remove_tree

    if os.path.lexists(folder):
        with held(folder):
            names = [path.name for path in folder.iterdir()]
            if other := [name for name in names if not _UNLOCKED_NAME.fullmatch(name)]:
                raise PlatformError(
                    f"{folder} holds '{printable(min(other))[:100]}', which is not of `unlock`",
                    hint="Name a folder that does not exist, or remove this one yourself.",
                )
            remove_tree(folder)
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise PlatformError(
            f"{folder} cannot be made: {error_name(error)}",
            hint="Name a folder in memory that this account can make.",
        ) from None
