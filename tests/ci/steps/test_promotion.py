"""A pull request to a phase that takes only the best of an earlier one."""

import datetime as dt
from pathlib import Path

from tests.ci.steps.conftest import ORGANISER, make_forge
from tests.plugins.races.test_promoted import AFTER, BEFORE, contest
from tests.repository import Repository
from tests.steps import approve, receive


def entry(who: str) -> dict[str, str | bytes | None]:
    folder = f"submissions/adding/{who}/second"
    return {f"{folder}/submission.yaml": "kind: code\nphase: closed\n", f"{folder}/main.py": "#\n"}


def test_only_the_promoted_may_enter_and_others_hear_why(repo: Repository, tmp_path: Path) -> None:
    forge = make_forge(tmp_path, contest(repo, "{from: open, best: 1}"))
    ada, dan = forge.open(1, entry("ada")), forge.open(2, entry("dan"))
    early = receive(forge.ours.path, ada, "ada", BEFORE)
    assert early.report.state == "refused"
    assert "ends on 2026-04-01" in early.report.problems[0].message

    assert receive(forge.ours.path, ada, "ada", AFTER).report.state == "received"
    refused = receive(forge.ours.path, dan, "dan", AFTER)
    assert refused.report.state == "refused"
    (problem,) = refused.report.problems
    assert "the best of phase 'Open'; 'dan' is not among them" in problem.message

    later = AFTER + dt.timedelta(hours=1)
    assert not approve(forge.ours.path, dan, "dan", ORGANISER, later).ok
    approved = approve(forge.ours.path, ada, "ada", ORGANISER, later)
    assert [str(item.cell.id) for item in approved.planned] == ["adding/ada/second/closed/two"]
    assert not any("/dan/" in path for path in forge.ledger.entries.below("attempts"))
