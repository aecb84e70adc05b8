"""1.4: the filter of system calls is nowhere weaker than the engine's own, and has no way around.

What newer engines refuse by their own profile (``AF_VSOCK``, io_uring) this one refuses on all.
"""

import errno
import json
import platform
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import docker
import pytest
from docker.utils import kwargs_from_env

from evaluator.core.compute.engine.confinement import USER, Confinement
from evaluator.core.compute.engine.docker_client import remove_container
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


class Unfiltered(docker.APIClient):
    """An engine that takes a filter, and applies none."""

    def create_container(self, *arguments: Any, **named: Any) -> Any:
        named["host_config"]["SecurityOpt"] = ["no-new-privileges", "seccomp=unconfined"]
        return super().create_container(*arguments, **named)


def connected(kind: type[docker.APIClient] = docker.APIClient) -> docker.APIClient:
    return kind(version="auto", **kwargs_from_env())


def said(client: docker.APIClient, container: str) -> dict[str, str]:
    try:
        client.start(container)
        client.wait(container)
        answer: dict[str, str] = json.loads(client.logs(container))
        return answer
    finally:
        client.remove_container(container, force=True, v=True)


@pytest.fixture(scope="module")
def engines_own() -> Mapping[str, str]:
    """What becomes of each call under the engine's own profile, with no right else, either."""
    with connected() as client:
        host = client.create_host_config(
            network_mode="none", cap_drop=["ALL"], security_opt=["no-new-privileges"]
        )
        created = client.create_container(
            IMAGE, command=list(SPEC.command), user=USER, host_config=host
        )
        return said(client, created["Id"])


@pytest.fixture(scope="module", params=[True, False], ids=["with links", "without links"])
def ours(request: pytest.FixtureRequest) -> Mapping[str, str]:
    with connected() as client:
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
    with connected(Unfiltered) as client, pytest.raises(UnenforcedError, match="seccomp"):
        examine(
            client, Confinement(runtime="runc", labels={}), IMAGE, partial(remove_container, client)
        )
