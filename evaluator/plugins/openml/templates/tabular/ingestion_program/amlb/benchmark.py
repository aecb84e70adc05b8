"""The configuration of one fold, as framework modules expect it."""

from typing import Any

from amlb.utils import Namespace


class TaskConfig(Namespace):
    """Attributes: name, fold, type, metric, seed, max_runtime_seconds, cores, and so on."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(**values)
        self.ext = Namespace()
