"""The comment on a pull request to a phase whose participants are anonymous."""

from pathlib import Path

from evaluator.ci.steps.comment import to_markdown
from evaluator.site.content.anonymity import pseudonyms
from tests.ci.steps.conftest import NOON, ORGANISER, entry, make_forge
from tests.records import write_records
from tests.repository import Repository
from tests.steps import approve, finish


def test_the_comment_names_no_other_participant(small: Repository, tmp_path: Path) -> None:
    small.replace(
        "benchmarks/adding/competition.yaml",
        "\npullbench:\n",
        "\npullbench:\n  accept: {beats: record}\n  phases: {0: {anonymous_until: 2090-01-01}}\n",
    )
    write_records(small)
    forge = make_forge(tmp_path, small)
    source = forge.open(1, entry("carol"))
    approve(forge.ours.path, source, "carol", ORGANISER, NOON)
    done = finish(forge.ours.path, source, forge.evaluate(source), NOON)
    assert done.report.state == "scored"
    comment = to_markdown(done.report)
    for name in ("alice", "bob", "carol"):
        assert pseudonyms("adding", name, "")[0] in comment
    assert f"{'/'.join(pseudonyms('adding', 'carol', 'one'))}` is" in comment
    assert "record" in comment
    assert "alice" not in comment
    assert "bob" not in comment
