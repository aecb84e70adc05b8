from tests.ci.policy.test_decide import BUNDLE, EVERYONE
from tests.ci.steps.conftest import NOON, SETTINGS, entry
from tests.steps import approve, receive


def attack(forge):
    stop = '\n[tool.pullbench.policy]\nstop = "A leak."\n'
    forge.ours.write("pyproject.toml", SETTINGS + stop)
    forge.ours.commit("Stop")
    forge.ours.git("push", "--quiet", "origin", "HEAD:main")
    text = (forge.ours.path / BUNDLE).read_text()
    policy = f"\npullbench:\n  policy: {{{EVERYONE}, merge: true}}\n"
    mine = {BUNDLE: text.replace("\npullbench:\n", policy), "pyproject.toml": SETTINGS}
    source = forge.open(1, entry("mallory") | mine)
    assert receive(forge.ours.path, source, "mallory", NOON).next == ""
    assert not approve(forge.ours.path, source, "mallory", None, NOON).ok
    assert not forge.ledger.approvals()
    return source
