import json

from evaluator.ci.steps.comment import to_markdown
from evaluator.plugins.screening.screening import FILE
from tests.hostile.screens import StepResult, approved, enter, ran

HTML = "<img src=x onerror=alert(1)> @olga [a](https://evil) `"


def attack(forge) -> StepResult:
    source = enter(forge, {"main.py": "import socket\n"})
    file = ran(forge, source) / FILE
    verdicts = json.loads(file.read_text())
    for reason in (f"{HTML}\x1b[2J", f"{HTML}\n::add-mask::x", HTML):
        verdicts["verdicts"][0]["reason"] = reason
        file.write_text(json.dumps(verdicts))
        step = approved(forge, source, file.parent)
        assert not step.ok
        # With characters of control it is no verdict, and no label counts before there is one.
        (problem,) = step.report.problems
        assert ("has not read it yet" in problem.message) == (reason != HTML)
    comment = to_markdown(step.report)
    assert "<img" not in comment
    assert "@olga" not in _plain(comment)
    return step


def _plain(comment: str) -> str:
    """Return what is in no code span."""
    return "".join(comment.split("`")[::2])
