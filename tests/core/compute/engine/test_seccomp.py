"""1.4: the filter of system calls is nowhere weaker than the engine's own, and has no way around.

What newer engines refuse by their own profile (``AF_VSOCK``, io_uring) this one refuses on all.
"""

import errno
import json
import platform
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluator.core.compute.engine.confinement import USER, Confinement
from evaluator.core.compute.engine.docker_client import DockerClient
from evaluator.core.compute.engine.enforcement import UnenforcedError, examine
from evaluator.core.compute.engine.spec import Image, RunSpec
from evaluator.core.formats.extension import Limits

pytestmark = pytest.mark.docker

IMAGE = "python:3.11-slim"
PROBE = (Path(__file__).parent / "probe_calls.py").read_text()
SPEC = RunSpec(
    image=Image(name=IMAGE, context=None, digest=""), command=["python3", "-c", PROBE], mounts=[],
    workdir="/", outputs={}, limits=Limits(), seconds=60,
)  # fmt: skip
REFUSED = {str(errno.EPERM), str(errno.ENOSYS)}
UNIX, INET, INET6, NETLINK, VSOCK = 1, 2, 10, 16, 40


class Unfiltered(DockerClient):
    """An engine that takes a filter, and applies none."""

    def create_container(self, **config: Any) -> str:
        config["HostConfig"]["SecurityOpt"] = ["no-new-privileges", "seccomp=unconfined"]
        return super().create_container(**config)


def said(client: DockerClient, container: str) -> dict[str, str]:
    try:
        client.start(container)
        client.wait(container)
        answer: dict[str, str] = json.loads(
            b"".join(client.logs(container, stdout=True, stderr=True))
        )
        return answer
    finally:
        client.remove_container(container)


@pytest.fixture(scope="module")
def engines_own() -> Mapping[str, str]:
    """What becomes of each call under the engine's own profile, with no right else, either."""
    host = {"NetworkMode": "none", "CapDrop": ["ALL"], "SecurityOpt": ["no-new-privileges"]}
    with DockerClient() as client:
        return said(
            client,
            client.create_container(
                Image=IMAGE, Cmd=list(SPEC.command), User=USER, HostConfig=host
            ),
        )


@pytest.fixture(scope="module", params=[True, False], ids=["with links", "without links"])
def ours(request: pytest.FixtureRequest) -> Mapping[str, str]:
    with DockerClient() as client:
        spec = replace(SPEC, links=request.param)
        confinement = Confinement(runtime="runc", labels={})
        return said(client, confinement.create(client, spec, IMAGE, network_disabled=True))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the probe has the numbers of x86-64")
def test_what_the_engines_own_profile_refuses_is_refused(
    engines_own: Mapping[str, str], ours: Mapping[str, str]
) -> None:
    refused = {call for call, outcome in engines_own.items() if outcome in REFUSED}
    assert len(refused) > 50
    assert {call: ours[call] for call in refused if ours[call] not in REFUSED} == {}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the probe has the numbers of x86-64")
def test_only_sockets_of_programs_and_no_io_uring(ours: Mapping[str, str]) -> None:
    made = {
        int(call.split()[1])
        for call, end in ours.items()
        if call[:7] == "socket " and end == "done"
    }
    assert {UNIX, INET, NETLINK} <= made <= {UNIX, INET, INET6, NETLINK}
    assert ours[f"socket {VSOCK} 1"] == str(errno.EPERM)
    assert {ours[f"call {number}"] for number in (425, 426, 427)} <= REFUSED
    assert ours["io_uring_setup"] in REFUSED


def test_a_filter_that_is_not_applied_is_noticed() -> None:
    with Unfiltered() as client, pytest.raises(UnenforcedError, match="seccomp"):
        confinement = Confinement(runtime="runc", labels={})
        examine(client, confinement, IMAGE, client.remove_container)
