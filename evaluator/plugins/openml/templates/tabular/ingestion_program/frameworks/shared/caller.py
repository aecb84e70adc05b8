"""What a framework's ``__init__.py`` calls to have its exec.py run."""

import copy
import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
from amlb.results import NoResultError, save_result
from amlb.utils import Namespace, run_cmd

from frameworks.shared import callee


def run_cmd_in_venv(caller_file: str, cmd: str, *args: Any, **options: Any) -> Any:
    """Run a command with the image's Python."""
    return run_cmd(cmd.format(py=sys.executable, pip=f"{sys.executable} -m pip"), *args, **options)


def run_in_venv(
    caller_file: str, script_file: str, *args: Any, input_data: Any, dataset: Any, config: Any,
    options: Any = None, process_results: Any = None, python_exec: str | None = None,
    retained_env_vars: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """Run a script of the submission on its input data, in this process."""

    def as_sent(key: str, value: Any, parents: Any = None) -> tuple[str, Any]:
        # Vectors arrive as columns, as they do over there.
        is_vector = key == "y" or key.startswith("y_")
        if is_vector and isinstance(value, np.ndarray):
            value = value.reshape(-1, 1)
        return key, value

    data = Namespace.walk(Namespace.from_dict(input_data), as_sent)
    script = Path(caller_file).resolve().parent / script_file
    return run_in_process(script, dataset, config, data, process_results)


def run_in_process(
    script: Path, dataset: Any, config: Any, data: Any = None, process_results: Any = None
) -> dict[str, Any]:
    """Read a script and call its ``run``; returns durations and whatever else it tells."""
    folder = str(script.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    given = copy.copy(config)
    given.framework_params = dict(config.framework_params or {})
    names = runpy.run_path(str(script), run_name="__main__")
    run = callee.taken() or names.get("run")
    if run is None:
        raise NoResultError(f"{script.name} has no function run(dataset, config)")
    found = run(dataset if data is None else data, given)
    if not isinstance(found, dict):
        raise NoResultError(f"{script.name} returned no result(...)")
    if "output_file" not in found:
        return found
    if callable(process_results):
        changed = process_results(Namespace(found))
        found = changed if isinstance(changed, dict) else Namespace.dict(changed)
    return save_result(dataset, found)
