"""The page of comments: one of each kind, by the steps that write them."""

import re
from dataclasses import replace

import markdown_it
import pytest

from evaluator.ci.steps.comment import to_markdown
from evaluator.ci.steps.reports import StepResult
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.planning.cells import cells
from tests.ci.policy.test_races import Race
from tests.ci.steps.conftest import NOON, ORGANISER, Forge, entry
from tests.ci.steps.test_merging import add_policy, change_base, hosted
from tests.records import failed, record_of
from tests.repository import BRANCH
from tests.site.conftest import ROOT
from tests.steps import approve, finish, proposed, receive

__all__ = ["hosted"]
PAGE = ROOT / "site/participants/comments.md"
WRITTEN = ROOT / "build/pages/comments.md"
HEAD = """# What the comment says

pullbench keeps one comment on each pull request. It says the state, who acts next, and what the
board would be. A test wrote these, with the steps that CI runs.
"""
KINDS = {
    "Received": "Your files are fine. CI evaluates nothing before somebody approves it.",
    "Refused": "Each problem names the file, the reason, and who must act. Push a correction.",
    "Waiting": "It's approved, and its cells wait for a machine.",
    "Scored": "The whole board as it would be after the merge, and what you can conclude.",
    "Record": "In a race, one sentence says whether the entry holds the record.",
    "Failed": "The reason comes first. If the benchmark shows logs, the end of the log follows.",
    "Hidden": "The organiser hides the board, so the comment says only whether the entry ran.",
}
"""Title -> what a reader wants to know of it."""
SLOW = {"message": "was stopped after 3 s, the limit of the phase", "hint": "Make it faster."}


@pytest.fixture
def comments(forge: Forge, request: pytest.FixtureRequest) -> dict[str, StepResult]:
    """By title; the board has alice and bob already."""
    for one in cells(forge.ours.snapshot(), NOON):
        value = 0.75 if one.id.participant == "alice" else 0.25
        keys = one.benchmark.leaderboard.score_keys
        forge.ours.put(record_of(one, scores=dict.fromkeys(keys, value)))
    forge.ours.commit("Records")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    ours = forge.ours.path

    def finished(number: int, who: str, *, fails: bool = False) -> StepResult:
        source = forge.open(number, entry(who, content=f"print({number})\n"))
        assert approve(ours, source, who, ORGANISER, NOON).ok
        place = replace(forge, folder=forge.folder / who)
        if not fails:
            scores = {"right": 0.5, "distance": 0.5}
            return finish(ours, source, place.evaluate(source, NOON, scores=scores), NOON)
        for one in cells(proposed(ours, source, NOON), NOON):
            if one.id.participant == who:
                record = failed(record_of(one), Actor.PARTICIPANT, Reason.TIMED_OUT)
                place.hand_in(record.replace(error=record.error and record.error.replace(**SLOW)))
        return finish(ours, source, place.folder, NOON)

    source = forge.open(1, entry("carol"))
    wrong = entry("dan") | {"README.md": "Mine", "submissions/adding/dan/one/scores/a.json": "{}"}
    said = {
        "Received": receive(ours, source, "carol", NOON),
        "Refused": receive(ours, forge.open(2, wrong), "dan", NOON),
        "Waiting": approve(ours, source, "carol", ORGANISER, NOON),
        "Scored": finished(3, "erin"),
        "Failed": finished(4, "frank", fails=True),
    }
    change_base(
        forge,
        lambda forge: forge.ours.replace(
            "benchmarks/adding/competition.yaml",
            "    key: results\n",
            "    key: results\n    hidden: true\n",
        ),
    )
    said["Hidden"] = finished(5, "grace")
    change_base(
        forge,
        lambda forge: forge.ours.replace(
            "benchmarks/adding/competition.yaml", "    hidden: true\n", ""
        ),
    )
    server = request.getfixturevalue("hosted")
    change_base(forge, add_policy("  accept: {beats: record, by: 0.1}\n"))
    race = Race(forge, server)
    first = race.come(6, "heidi")
    race.approve(first)
    return said | {"Record": race.finish(first, 0.9)}


def section(title: str, step: StepResult) -> str:
    """What the comment says, as a forge shows it; digests are those of no commit."""
    text = re.sub(r"\b[0-9a-f]{40}\b", "0123456789" * 4, to_markdown(step.report))
    text = re.sub(r"\b[0-9a-f]{10}\b", "0123456789", text)
    shown = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).render(text)
    shown = re.sub(r' style="text-align:(\w+)"', r' align="\1"', shown)  # the site allows no styles
    # Headings of the page are its own.
    shown = re.sub(r"<h[1-6]>(.*)</h[1-6]>", r"<p><strong>\1</strong></p>", shown)
    shown = shown.replace("<!-- pullbench -->\n", "")
    shown = re.sub(r"\n{2,}", "\n", shown)
    return f"## {title}\n\n{KINDS[title]}\n\n<blockquote>\n{shown}</blockquote>\n"


def test_the_page_has_a_comment_of_each_kind(comments: dict[str, StepResult]) -> None:
    text = "\n".join([HEAD, *(section(title, comments[title]) for title in KINDS)])
    WRITTEN.parent.mkdir(parents=True, exist_ok=True)
    WRITTEN.write_text(text)
    assert PAGE.read_text() == text, f"cp {WRITTEN} {PAGE}"
