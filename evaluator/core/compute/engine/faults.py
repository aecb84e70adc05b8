"""Errors of Docker, the network or the disk are the platform's fault."""

import contextlib
from collections.abc import Iterator

import docker.errors
import requests.exceptions

from evaluator.core.errors import PlatformError, error_name

FAULTS = (docker.errors.DockerException, requests.exceptions.RequestException, OSError)


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
