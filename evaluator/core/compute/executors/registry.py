"""Executors by their name, and which one a text asks for."""

from evaluator.core.errors import UsageError, nearest
from evaluator.core.formats.settings import ExecutorSettings, Settings
from evaluator.core.plugins import offers

LOCAL = "local"


def executor_place(text: str, settings: Settings) -> ExecutorSettings:
    """Return what ``--executor`` names: local, an address, or one of the settings' executors."""
    if text == LOCAL:
        return ExecutorSettings(kind=LOCAL)
    kind, is_address, address = text.partition("://")
    if is_address and kind in offers("executors"):
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
