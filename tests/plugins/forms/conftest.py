"""A desk for each test."""

import pytest

from tests import fake_forge
from tests.ci.steps.conftest import Forge, forge
from tests.ci.steps.test_statuses import hosted
from tests.plugins.forms.desk import Desk, make_desk

__all__ = ["forge", "hosted"]


@pytest.fixture
def desk(
    forge: Forge,
    hosted: fake_forge.FakeForge,
    monkeypatch: pytest.MonkeyPatch,
) -> Desk:
    return make_desk(forge, hosted, monkeypatch)
