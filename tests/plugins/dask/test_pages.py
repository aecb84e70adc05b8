"""19.4: what the page about clusters has people write is what pullbench and Dask take."""

import inspect
import re
from pathlib import Path

import dask_jobqueue
import yaml

from evaluator.core.formats.settings import parse_settings

PAGE = Path(__file__).parents[3] / "site/runners/self-hosted.md"


def block(heading: str, language: str) -> str:
    _, _, part = PAGE.read_text().partition(f"### {heading}\n")
    match = re.search(rf"```{language}\n(.*?)```", part, re.DOTALL)
    assert match is not None
    return match[1]


def test_the_settings_for_slurm() -> None:
    place = parse_settings(block("Slurm", "toml").encode()).executors["slurm"]
    assert (place.cluster, place.workers) == ("SLURMCluster", (0, 20))
    taken = {
        name
        for kind in inspect.getmro(dask_jobqueue.slurm.SLURMJob)
        for name in inspect.signature(kind).parameters
    }
    assert taken >= place.options.keys()


def test_the_manifest_for_kubernetes() -> None:
    service, *deployments = yaml.safe_load_all(block("Kubernetes", "yaml"))
    assert [service["kind"], *(one["kind"] for one in deployments)] == [
        "Service", "Deployment", "Deployment",
    ]  # fmt: skip
    for one in deployments:
        labels = one["spec"]["template"]["metadata"]["labels"]
        assert one["spec"]["selector"]["matchLabels"] == labels
        containers = one["spec"]["template"]["spec"]["containers"]
        mounted = {mount["name"] for each in containers for mount in each.get("volumeMounts", ())}
        assert mounted == {
            volume["name"] for volume in one["spec"]["template"]["spec"].get("volumes", ())
        }
    assert service["spec"]["selector"] == deployments[0]["spec"]["selector"]["matchLabels"]
