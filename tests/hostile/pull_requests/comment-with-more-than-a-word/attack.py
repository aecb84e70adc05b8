"""A comment is compared with four words, and silences nobody else."""

import pytest

from evaluator.ci.ledger.command_notes import command_notes
from tests.ci.steps.conftest import Forge
from tests.ci.steps.test_commands import Talk
from tests.ci.steps.test_statuses import hosting

BODIES = ("/evaluate $(evil)", "/retry\n/evaluate", "/log `evil`", "/withdraw ::error::evil",
          "/log adding/carol/one/main/one\x00evil", "/evaluate\u2028evil", "<!-- evil -->\n/retry")  # fmt: skip


def attack(forge: Forge) -> None:
    with pytest.MonkeyPatch.context() as patch, hosting(forge, patch) as server:
        talk = Talk(forge, server)
        for body in BODIES * 2:
            assert "evil" not in talk.say(body, "mallory")
            talk.hosted.add_comment("mallory", "<!-- pullbench: answer -->\nDone.")
        assert len([one for one in server.comments if one["user"]["login"] != "mallory"]) <= 3
        assert not command_notes(forge.ledger, 1)
        assert not talk.made("dispatches")
        assert not server.made("PATCH")
        assert "no such cell" in talk.say("/log x", "carol")
