"""Where a definition names a task of OpenML."""

from evaluator.importers.amlb.definition import TaskDefinition
from evaluator.importers.amlb.folds import TaskWriter, WrittenTask
from evaluator.importers.amlb.locations import DatasetError


def openml_task(task: TaskDefinition, slug: str, writer: TaskWriter) -> WrittenTask:
    """Write the folds of a task of OpenML: ``writer.write`` writes one. Raises DatasetError."""
    raise DatasetError(
        f"{writer.source} names the task {task.openml_task_id} of OpenML for '{slug}'; "
        f"import that with `pullbench import openml t/{task.openml_task_id}`"
    )
