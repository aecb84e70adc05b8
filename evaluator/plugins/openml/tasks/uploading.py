"""Suites, runs, data sets and tasks -> a server, by the package `openml`, in `child`'s process."""

import hashlib
from collections import OrderedDict
from pathlib import Path
from typing import Any


def publish_suite(item: dict[str, Any]) -> dict[str, Any]:
    import openml

    suite = openml.study.create_benchmark_suite(
        name=item["name"], description=item["description"], task_ids=item["tasks"],
        alias=item["alias"],
    )  # fmt: skip
    suite.publish()
    return {"id": suite.study_id}


def change_suite(item: dict[str, Any]) -> dict[str, Any]:
    import openml

    size = 0
    for name, change in (
        ("attach", openml.study.attach_to_suite),
        ("detach", openml.study.detach_from_suite),
    ):
        if item[name]:
            size = change(item["id"], item[name])
    return {"size": size}


def publish_run(item: dict[str, Any]) -> dict[str, Any]:
    """Upload a run, and its flow where the server has none of that version; return both numbers."""
    import openml

    flow = openml.flows.OpenMLFlow(
        name=item["flow"], description=item["description"], external_version=item["version"],
        model=None, components=OrderedDict(), parameters=OrderedDict(),
        parameters_meta_info=OrderedDict(), tags=[], language="English", dependencies="pullbench",
    )  # fmt: skip
    number = openml.flows.flow_exists(flow.name, flow.external_version)
    if number:
        flow.flow_id = number
    else:
        flow.publish()
    run = openml.runs.OpenMLRun(
        task_id=item["task"], flow_id=flow.flow_id, flow=flow, dataset_id=item["dataset"],
        parameter_settings=[], setup_string=item["flow"], data_content=item["rows"],
        description_text=item["description"], tags=item["tags"],
    )  # fmt: skip
    run.publish()
    return {"id": run.run_id, "flow": flow.flow_id}


class UnsupportedError(Exception):
    """What the server or this program does not take as it is, with what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def find_dataset(item: dict[str, Any]) -> dict[str, Any]:
    """Return what would be sent of a data set, and the numbers that the server has of it already.

    A data set is the same where its name and the MD5 of its file are; a task of it, where target
    and estimation procedure are.
    """
    import openml

    dataset = _dataset(item)
    procedures = openml.tasks.functions._get_estimation_procedure_list()
    names = {one["id"]: one["name"] for one in procedures if one["task_type_id"].value == 1}
    if item["procedure"] not in names:
        known = ", ".join(f"{number} ({name})" for number, name in sorted(names.items())[:20])
        raise UnsupportedError(
            f"the server has no estimation procedure {item['procedure']} of classification",
            f"--procedure takes one of {known}.",
        )
    content = str(dataset._dataset).encode()
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    number = _number_of(item["name"], md5)
    task = _task_of(number, item["target"], names[item["procedure"]]) if number else None
    return {
        "md5": md5, "bytes": len(content), "data": number, "task": task,
        "procedure": names[item["procedure"]],
    }  # fmt: skip


def publish_dataset(item: dict[str, Any]) -> dict[str, Any]:
    import openml

    there = find_dataset(item)
    if there["data"] is None:
        dataset = _dataset(item)
        dataset.publish()
        there["data"] = int(dataset.dataset_id)
    if there["task"] is None:
        task: Any = openml.tasks.create_task(
            task_type=openml.tasks.TaskType.SUPERVISED_CLASSIFICATION,
            dataset_id=there["data"], target_name=item["target"],
            estimation_procedure_id=item["procedure"],
        )  # fmt: skip
        try:
            task.publish()
        except openml.exceptions.OpenMLServerException as error:
            raise UnsupportedError(
                f"the data set {item['name']} is there as d/{there['data']}; its task is refused: "
                f"{error}",
                "A server looks at new data first: run the command again in some minutes.",
            ) from error
        there["task"] = int(task.task_id)
    return there


def _dataset(item: dict[str, Any]) -> Any:
    import openml
    import pandas

    frame = pandas.read_parquet(Path(item["table"]))
    citation: Any = item["citation"] or None
    rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return openml.datasets.create_dataset(
        name=item["name"], description=item["description"], creator=item["creator"] or None,
        contributor=None, collection_date=None, language="English", licence=item["licence"],
        attributes=[(name, kind) for name, kind in item["attributes"]], data=rows,
        default_target_attribute=item["target"], ignore_attribute=None,
        citation=citation,
    )  # fmt: skip


def _number_of(name: str, md5: str) -> int | None:
    import openml

    listed: Any = openml.datasets.list_datasets(
        data_name=name, status="all", output_format="dataframe"
    )
    for number in sorted(int(row["did"]) for row in listed.to_dict(orient="records")):
        about = openml.datasets.get_dataset(
            number, download_data=False, download_qualities=False,
            download_features_meta_data=False,
        )  # fmt: skip
        if about.md5_checksum == md5:
            return number
    return None


def _task_of(number: int, target: str, procedure: str) -> int | None:
    import openml

    listed: Any = openml.tasks.list_tasks(
        task_type=openml.tasks.TaskType.SUPERVISED_CLASSIFICATION, data_id=number, status="all",
        output_format="dataframe",
    )  # fmt: skip
    for row in listed.to_dict(orient="records"):
        if (row.get("target_feature"), row.get("estimation_procedure")) == (target, procedure):
            return int(row["tid"])
    return None
