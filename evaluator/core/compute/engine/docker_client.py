"""The Docker daemon that answers, and whose fault its errors are."""

import contextlib
from collections.abc import Iterator
from typing import Any

import docker
import docker.errors
import requests.exceptions
from docker.utils import kwargs_from_env

from evaluator.core.errors import PlatformError, error_name

FAULTS = (docker.errors.DockerException, requests.exceptions.RequestException, OSError)
"""Errors of Docker, the network or the disk."""


@contextlib.contextmanager
def platform_faults(doing: str) -> Iterator[None]:
    """Turn errors of the Docker client into PlatformError."""
    try:
        yield
    except FAULTS as error:
        raise PlatformError(
            f"could not {doing} ({error_name(error)})",
            hint="Is the Docker engine well? `docker info` tells.",
        ) from error


def connect() -> Any | None:
    try:
        client = new_client("auto", timeout=30)
        client.ping()
    except FAULTS:
        return None
    return client


def new_client(version: str, timeout: int) -> Any:
    return docker.APIClient(version=version, timeout=timeout, **kwargs_from_env())


def remove_container(client: Any, container: str) -> None:
    """Remove a container with its own volumes; what stays is left to the end of its run, or later.

    From any thread.
    """
    with contextlib.suppress(*FAULTS):
        client.remove_container(container, force=True, v=True)
