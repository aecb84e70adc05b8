"""What is signed, by whom, and what becomes of scores that nobody signs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluator.core.errors import UsageError
from evaluator.importing.private_data import keygen
from evaluator.plugins.attest.plugin import PLUGIN
from tests.plugging import leave_out
from tests.plugins.attest.conftest import LEDGER, ONE, SCORES, TWO, Deployment, make_key, sign
from tests.repository import Repository

ECHO = "echo/alice/same/main/echo"


def test_without_a_key_nothing_is_signed_and_the_report_says_so(small: Repository) -> None:
    deployment = Deployment(small, *make_key())
    deployment.collect("echo")
    assert deployment.statements() == []
    cells, _ = deployment.verify()
    assert cells[ECHO]["state"] == "unattested"
    assert cells[ECHO]["detail"] == "[tool.pullbench.attest] lists no key and no identity"

    first = deployment.settings(deployment.public)
    deployment.collect("adding")
    cells, _ = deployment.verify()
    assert cells[ECHO]["detail"] == f"older than the first key, which came with {first[:12]}"
    assert cells[ONE]["state"] == "attested"
    # The key goes, and what was to be signed still is.
    deployment.settings()
    deployment.repo.put(deployment.record(ECHO).replace(scores={"agreement": 1.0}))
    since = deployment.repo.commit("Best of all")
    cells, _ = deployment.verify()
    assert (cells[ECHO]["state"], cells[ECHO]["since"]) == ("forged", since)
    assert cells[ONE]["state"] == "attested"


def test_a_secret_that_is_missing_or_not_listed_is_named(deployment: Deployment) -> None:
    deployment.collect("echo", secret="")
    assert deployment.states()[ECHO] == "forged"
    public, secret = make_key()
    for wrong, reason in ((secret, f"belongs to {public}"), ("0", "holds no signing key")):
        done = deployment.repo.pullbench(
            "collect", "--remote", "", "--rerun", ECHO, environment={"PULLBENCH_SIGNING_KEY": wrong}
        )
        assert done.returncode in (0, 2)
        deployment.repo.put(deployment.record(ONE))
        done = deployment.repo.pullbench("commit", environment={"PULLBENCH_SIGNING_KEY": wrong})
        assert done.returncode == 2, done.stdout
        assert reason in done.stderr


def test_commit_signs_as_collect_does(deployment: Deployment) -> None:
    deployment.repo.put(deployment.record(ONE))
    environment = {"PULLBENCH_SIGNING_KEY": deployment.secret}
    done = deployment.repo.pullbench("commit", environment=environment)
    assert done.returncode == 0, done.stderr
    assert deployment.states() == {ONE: "attested"}


def test_a_withdrawal_is_signed_and_what_is_put_back_is_altered(signed: Deployment) -> None:
    before = (signed.repo.path / SCORES).read_bytes()
    done = signed.repo.pullbench("withdraw", ONE, "--reason", "a leak", "--remote", "")
    assert done.returncode == 0, done.stderr
    signed.collect("nothing")
    states = signed.states()
    assert ONE not in states
    assert set(states.values()) == {"attested"}
    assert len(signed.statements()) == 4
    signed.repo.write(SCORES, before)
    since = signed.repo.commit("It was not that bad")
    cells, _ = signed.verify("adding/alice")
    assert cells[ONE] == {
        "state": "altered", "detail": "CI took this line away, and it is back", "since": since
    }  # fmt: skip
    assert cells[TWO]["state"] == "attested"


def test_a_submission_that_came_back_is_altered_until_ci_collects(signed: Deployment) -> None:
    folder = signed.repo.path / "submissions/echo/alice/same"
    files = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    signed.repo.git("rm", "-rq", str(folder))
    gone = signed.repo.commit("Leave")
    cells, said = signed.verify()
    assert (cells[ECHO]["state"], cells[ECHO]["since"]) == ("removed", gone)
    assert f"removed: 1 number, echo/alice/same was taken off in {gone[:12]}" in said
    for path, content in files.items():
        signed.repo.write(str(path.relative_to(signed.repo.path)), content)
    signed.repo.commit("Come again")
    cells, _ = signed.verify()
    assert (cells[ECHO]["state"], cells[ECHO]["since"]) == ("altered", gone)
    signed.collect("echo")
    assert signed.states()[ECHO] == "attested"


def test_a_statement_whose_commit_lost_a_race_says_nothing(signed: Deployment) -> None:
    lost = sign(signed.secret, signed.repo.git("rev-parse", "HEAD"))
    signed.write_ledger({"statements/202601/20260101T000000000000-0.json": lost})
    assert set(signed.states().values()) == {"attested"}


def test_a_clone_that_is_shallow_or_has_no_ledger_says_so(
    signed: Deployment, tmp_path: Path
) -> None:
    signed.repo.git("clone", "-q", "--depth=1", f"file://{signed.repo.path}", str(tmp_path / "one"))
    done = Repository(tmp_path / "one").pullbench("verify")
    assert done.returncode == 2
    assert "git fetch --unshallow" in done.stderr
    tip = json.loads((signed.repo.path / "submissions/ledger.json").read_text())["tip"]
    signed.repo.git("branch", "-D", LEDGER)
    done = signed.repo.pullbench("verify")
    assert done.returncode == 2
    assert f"this clone has no branch '{LEDGER}'" in done.stderr
    assert f"submissions/ledger.json names its tip {tip[:12]}" in done.stderr


@pytest.mark.parametrize("role", ["key", "auditor"])
def test_what_was_evaluated_again_vouches_for_a_number(deployment: Deployment, role: str) -> None:
    public, secret = make_key()
    keys = [deployment.public, *([public] if role == "key" else [])]
    deployment.settings(*keys, auditor=public if role == "auditor" else "")
    deployment.collect("adding/alice")
    deployment.repo.put(deployment.record(ECHO))
    deployment.repo.commit("From another machine")
    assert deployment.states()[ECHO] == "forged"
    bob = "adding/bob/wrong/main/one"
    deployment.attest(secret, **{ECHO: "identical", ONE: "close", TWO: "differs", bob: "new"})
    cells, _ = deployment.verify()
    assert cells[ECHO]["state"] == "forged", "nobody who may sign scores did"
    assert cells[ECHO]["detail"].endswith("identical when Ada checked")
    assert cells[ONE]["state"] == "re-derived"
    assert cells[ONE]["detail"].startswith(f"close, by Ada (key {public}) on ")
    assert f"attested by key {deployment.public}" in cells[ONE]["detail"]
    assert cells[TWO]["state"] == "attested"
    assert cells[TWO]["detail"].endswith("differs when Ada checked")
    # Another line was never evaluated again.
    deployment.forge('"agreement":0.5', '"agreement":1.0', ECHO_SCORES)
    assert deployment.states()[ECHO] == "forged"


ECHO_SCORES = "submissions/echo/alice/same/scores/main.json"


def test_an_auditor_signs_no_scores(deployment: Deployment) -> None:
    public, secret = make_key()
    deployment.settings(deployment.public, auditor=public)
    deployment.repo.put(deployment.record(ONE))
    done = deployment.repo.pullbench("commit", environment={"PULLBENCH_SIGNING_KEY": secret})
    assert "is not trusted here" in done.stderr
    head = deployment.repo.git("rev-parse", "HEAD")
    deployment.collect("echo")
    deployment.write_ledger({"statements/202601/20260101T000000000000-0.json": sign(secret, head)})
    assert "whom [tool.pullbench.attest] does not list" in deployment.verify()[1]


def test_what_is_no_comparison_is_refused(deployment: Deployment) -> None:
    other = json.dumps([{"cell": "adding/zoe/right/main/one", "verdict": "identical"}])
    for text, reason in (("{}", "not what `pullbench reproduce"), (other, "no cell that was")):
        comparison = deployment.repo.write("build/compared.json", text)
        done = deployment.repo.pullbench(
            "attest", str(comparison), "--by", "Ada", "--remote", "",
            environment={"PULLBENCH_SIGNING_KEY": deployment.secret},
        )  # fmt: skip
        assert done.returncode == 2
        assert reason in done.stderr
    done = deployment.repo.pullbench("attest", str(comparison), "--by", "Ada", "--remote", "")
    assert "nothing signs here" in done.stderr
    deployment.repo.write("pyproject.toml", "[tool.pullbench]\n")
    deployment.repo.commit("No keys")
    done = deployment.repo.pullbench("attest", str(comparison), "--by", "Ada", "--remote", "")
    assert (done.returncode, done.stderr) == (0, "")


def test_keygen_prints_a_pair_that_signs(small: Repository) -> None:
    done = small.pullbench("keygen", "--signing")
    setting, secret = done.stdout.splitlines()
    deployment = Deployment(small, setting.split('"')[1], secret.partition(" = ")[2])
    assert setting == f'keys = ["{deployment.public}"]'
    deployment.settings(deployment.public)
    deployment.collect("echo")
    assert deployment.states() == {ECHO: "attested"}


def test_without_the_plugin_a_key_for_signing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out(monkeypatch, PLUGIN)
    done = CliRunner().invoke(keygen, ["--signing"])
    assert isinstance(done.exception, UsageError)
    assert "signed by the plugin 'attest', which is not installed" in str(done.exception)
