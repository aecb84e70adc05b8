"""What runners share. Pull requests share the forge of tests/ci/steps."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ci.steps.conftest import forge

__all__ = ["forge"]

PWNED = (Path("/tmp/pwned"), Path("pwned"))
"""What attacks write that hope to be run by a shell."""


@pytest.fixture(autouse=True)
def _nothing_ran() -> Iterator[None]:
    yield
    assert [path for path in PWNED if path.exists()] == []
