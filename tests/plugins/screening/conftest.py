"""Pull requests share the forge of tests/ci/steps."""

from pathlib import Path

import pytest

from tests.ci.steps.conftest import Forge, forge, make_forge
from tests.repository import Repository

__all__ = ["forge"]


@pytest.fixture
def screened(tmp_path: Path) -> Forge:
    """The bundle ``screened``, which has a screen, on a bare origin."""
    return make_forge(tmp_path, Repository(tmp_path / "repo").with_bundle("screened"))
