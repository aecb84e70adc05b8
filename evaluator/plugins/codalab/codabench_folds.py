"""Folds of one table as folders of files, as Codabench and programs of any bundle read them."""

import tempfile
from pathlib import Path

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Task
from evaluator.core.formats.table_folds import INPUTS, REFERENCE, lay_out
from evaluator.plugins.codalab.codabench_rules import Bundle


def with_folders(benchmark: Benchmark, bundle: Bundle) -> list[str]:
    """Lay out the folds of each task that has them as rows of a table; return the tasks' names.

    Private data, which are not in the bundle, stay as they are. Raises FoldError.
    """
    changed = []
    for task in benchmark.tasks:
        path = task.reference_data
        if benchmark.repeat_data_of(task) != "rows" or path is None or not bundle.holds(path):
            continue
        _lay_out(benchmark, task, path, bundle)
        changed.append(task.name)
    if changed:
        extension = bundle.data["pullbench"]
        extension["repeat_data"] = True
        for entry in (extension.get("tasks") or {}).values():
            entry.pop("repeat_data", None)
    return changed


def _lay_out(benchmark: Benchmark, task: Task, path: str, bundle: Bundle) -> None:
    inputs = f"{INPUTS}/{task.slug}"
    with tempfile.TemporaryDirectory(prefix="pullbench-") as scratch:
        source, target = Path(scratch, "source"), Path(scratch, "target")
        for name in [name for name in bundle.files if name.startswith(f"{path}/")]:
            file = source / name.removeprefix(f"{path}/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(bundle.files.pop(name)[0])
        for repeat in range(benchmark.repeats_of(task)):
            lay_out(source, repeat, target)
            for part, folder in ((INPUTS, inputs), (REFERENCE, path)):
                for file in (target / part).iterdir():
                    bundle.files[f"{folder}/{repeat}/{file.name}"] = (file.read_bytes(), False)
                (target / part).rename(target / f"{part}-{repeat}")
    for entry in bundle.data["tasks"]:
        if entry["index"] == task.index:
            entry["input_data"] = inputs
