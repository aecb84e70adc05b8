"""What runs leave in an engine, by labels that say whose it is."""

import contextlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from evaluator.core.compute.engine.accounting import remove_cgroups
from evaluator.core.compute.engine.docker_client import FAULTS, DockerClient, platform_faults

RUN_LABEL = "org.pullbench.run"
"""Label of our containers: which run they belong to, so that a later one can clear up."""
PLACE_LABEL = "org.pullbench.place"
"""And the folder of runs that has that run's: there one sees whether the run is alive."""
_REMOVALS = 4
"""Containers that are removed at once at the end of a run."""


def unremoved_runs(client: DockerClient, place: str) -> set[str]:
    with platform_faults("look for what other runs left"):
        left = _left(client, PLACE_LABEL, place)
    return {item["Labels"][RUN_LABEL] for items in left for item in items}


def remove_run(client: DockerClient, run_id: str) -> bool:
    """Remove what a run has there; whether nothing is left."""
    with platform_faults("remove what a run left"):
        with ThreadPoolExecutor(_REMOVALS) as pool:
            for container in _left(client, RUN_LABEL, run_id)[0]:
                pool.submit(client.remove_container, container["Id"])
        remove_volumes(client, (item["Name"] for item in _left(client, RUN_LABEL, run_id)[1]))
        is_left = any(_left(client, RUN_LABEL, run_id))
    remove_cgroups(run_id)
    return not is_left


def remove_volumes(client: DockerClient, names: Iterable[str]) -> None:
    for name in names:
        with contextlib.suppress(*FAULTS):  # the next run removes what stays
            client.remove_volume(name)


def _left(client: DockerClient, label: str, value: str) -> tuple[list[Any], list[Any]]:
    wanted = f"{label}={value}"
    return client.containers(wanted), client.volumes(wanted)
