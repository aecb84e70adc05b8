"""Pull requests share the forge of tests/ci/steps."""

from tests.ci.steps.conftest import forge

__all__ = ["forge"]
