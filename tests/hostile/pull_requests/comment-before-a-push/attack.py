"""The head that an organiser read is evaluated, or none."""

import datetime as dt

import pytest

from evaluator.core.clock import utc_now
from tests.ci.steps.conftest import ORGANISER, Forge, entry
from tests.ci.steps.test_commands import Talk
from tests.ci.steps.test_statuses import hosting, pr


def attack(forge: Forge) -> None:
    with pytest.MonkeyPatch.context() as patch, hosting(forge, patch) as server:
        talk = Talk(forge, server)
        read, said_at = talk.source, utc_now() + dt.timedelta(seconds=1)
        talk.show(forge.open(1, entry("carol", content="print('worse')\n")))
        assert talk.say("/evaluate", ORGANISER, at=said_at)
        assert pr(forge, "receive", talk.source, "carol") == 0
        assert talk.say("/evaluate", ORGANISER, at=said_at - dt.timedelta(minutes=1))
        talk.show(forge.push(1, read.head))
        assert talk.say("/evaluate", ORGANISER)
        assert talk.proceed("approve") == 1
        assert not forge.ledger.approvals()
