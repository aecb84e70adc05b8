"""Every executor by its name, and which one a text asks for."""

from collections.abc import Callable, Mapping

from evaluator.compute.executors.local import LocalExecutor
from evaluator.compute.executors.spec import Executor, Order
from evaluator.errors import UsageError, nearest
from evaluator.formats.settings import ExecutorSettings, Settings
from evaluator.optional import need

LOCAL = "local"


def _dask(order: Order) -> Executor:
    need("distributed", extra="dask")
    from evaluator.compute.executors.dask import DaskExecutor

    return DaskExecutor(order)


EXECUTORS: Mapping[str, Callable[[Order], Executor]] = {LOCAL: LocalExecutor, "dask": _dask}


def executor_place(text: str, settings: Settings) -> ExecutorSettings:
    """Return what ``--executor`` names: local, an address, or one of the settings' executors."""
    if text == LOCAL:
        return ExecutorSettings(kind=LOCAL)
    kind, is_address, address = text.partition("://")
    if is_address and kind in EXECUTORS:
        scheme = "" if "://" in address else "tcp://"
        return ExecutorSettings(kind=kind, address=f"{scheme}{address}")
    if text in settings.executors:
        return settings.executors[text]
    raise UsageError(
        f"there is no executor '{text}'",
        hint=nearest(
            text, [LOCAL, *settings.executors],
            "It is local, dask://HOST:PORT, or a NAME of [tool.pullbench.executors.NAME].",
        ),
    )  # fmt: skip
