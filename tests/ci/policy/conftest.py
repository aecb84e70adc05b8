"""Pull requests share the forge of tests/ci/pull_requests."""

from tests.ci.pull_requests.conftest import forge

__all__ = ["forge"]
