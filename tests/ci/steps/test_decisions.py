"""Who may write approvals.yaml: organisers alone."""

from tests.ci.steps.conftest import NOON, Forge
from tests.steps import receive

FILE = "benchmarks/adding/approvals.yaml"
YES = "decisions:\n- {submission: carol/one, decision: approved, date: 2026-01-02}\n"


def test_a_participant_cannot_approve(forge: Forge) -> None:
    source = forge.open(
        1,
        {
            FILE: YES,
            "submissions/adding/carol/one/submission.yaml": "kind: code\n",
            "submissions/adding/carol/one/main.py": "print(1)\n",
        },
    )
    step = receive(forge.ours.path, source, "carol", NOON)
    assert not step.ok
    (problem,) = (p for p in step.report.problems if p.file == FILE)
    assert problem.message == "is not a participant's to change"
