"""A run by number asks the forge, and believes nobody else."""

import pytest

from tests.ci.steps.conftest import Forge
from tests.ci.steps.test_commands import Talk
from tests.ci.steps.test_statuses import hosting


def attack(forge: Forge) -> None:
    with pytest.MonkeyPatch.context() as patch, hosting(forge, patch) as server:
        talk = Talk(forge, server)
        pull = server.pulls[0]
        for changed, ends in (({"state": "closed"}, {0}),
                              ({"base": {"ref": "next", "sha": "b" * 40}}, {1, 2}),
                              ({"number": 99}, {1, 2})):  # fmt: skip
            server.pulls[0] = pull | changed
            for verb in ("receive", "approve"):
                assert talk.proceed(verb) in ends
        assert not forge.ledger.approvals()
        assert not server.comments
