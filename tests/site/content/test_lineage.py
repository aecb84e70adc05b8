"""What a submission is based on: checked, shown as trees, and in the data."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evaluator.core.leaderboard.published import publish
from evaluator.site.build import build
from evaluator.site.content.lineage import MAX_SHOWN, Lineage, Lineages, Relative
from tests.ci.steps.conftest import NOON, entry, make_forge
from tests.core.leaderboard.boards import Entries, make_benchmark
from tests.records import write_records
from tests.repository import Repository
from tests.site.conftest import ROOT
from tests.steps import receive

ALICE = "submissions/adding/alice/right/submission.yaml"
BOB = "submissions/adding/bob/wrong/submission.yaml"


def based(repo: Repository, file: str, *parents: str) -> None:
    text = (repo.path / file).read_text()
    repo.write(file, f"{text}based_on: {json.dumps(parents if len(parents) > 1 else parents[0])}\n")


def problems(repo: Repository) -> dict[str, str]:
    return {one.severity: f"{one.message} {one.hint}" for one in repo.problems() if one.key}


def test_one_or_several_are_named(small: Repository) -> None:
    based(small, BOB, "alice/right")
    assert problems(small) == {}
    (bob,) = [one for one in small.snapshot().submissions if one.participant == "bob"]
    assert bob.of_plugins == {"based_on": ["alice/right"]}


@pytest.mark.parametrize(
    ("parent", "message"),
    [
        ("alice/rihgt", "is no submission to adding. Did you mean 'alice/right'?"),
        ("../echo/alice/same", "pattern"),
        ("bob/wrong", "which is this submission or is based on it"),
    ],
)
def test_what_is_not_there_is_refused(small: Repository, parent: str, message: str) -> None:
    based(small, BOB, parent)
    found = [one for one in small.problems() if one.key.startswith("based_on")]
    assert [one.severity for one in found] == ["error"]
    assert message in f"{found[0].message} {found[0].hint}"


def test_what_is_taken_away_later_is_a_warning(small: Repository) -> None:
    based(small, BOB, "alice/right")
    small.commit("Based on alice")
    small.git("rm", "-rq", "submissions/adding/alice")
    small.commit("Alice leaves")
    assert list(problems(small)) == ["warning"]


def test_a_pull_request_closes_no_circle(repo: Repository, tmp_path: Path) -> None:
    """Who judges it has read none of the others' submissions."""
    repo.copy_bundle("small")
    based(repo, BOB, "alice/right")
    forge = make_forge(tmp_path, repo)
    forge.theirs.git("fetch", "--quiet", "origin")
    text = forge.theirs.git("show", f"origin/main:{ALICE}")
    closing = forge.open(1, {ALICE: f"{text}\nbased_on: bob/wrong\n"})
    report = receive(forge.ours.path, closing, "alice", NOON).report
    assert report.state == "refused"
    assert "which is this submission or is based on it" in report.problems[0].message
    carol = entry("carol")
    (file,) = [path for path in carol if path.endswith("submission.yaml")]
    fine = forge.open(2, {**carol, file: "kind: code\nbased_on: [bob/wrong, alice/right]\n"})
    assert receive(forge.ours.path, fine, "carol", NOON).report.state == "received"


def lineages(**edges: list[str]) -> dict[str, Lineage | None]:
    """Return the lineage of each submission of ``a`` by its name."""
    entries = Entries(make_benchmark())
    for name in edges:
        entries.enter("a", name, {"a": 1})
    entries.submissions = [
        replace(one, of_plugins={"based_on": edges[one.name]}) for one in entries.submissions
    ]
    every = Lineages([publish(entries.board())])
    return {one.name: every.of(one) for one in entries.submissions}


def names(relatives: Sequence[Relative]) -> dict[str, object]:
    return {one.name: names(one.further) for one in relatives}


def test_a_circle_ends_and_what_is_gone_is_left_out() -> None:
    found = lineages(one=["a/two"], two=["a/three"], three=["a/one", "a/gone"], alone=[])
    assert found["alone"] is None
    one = found["one"]
    assert one is not None
    assert names(one.ancestors) == {"two": {"three": {}}}
    assert names(one.descendants) == {"three": {"two": {}}}


def test_each_is_once_in_a_tree() -> None:
    found = lineages(root=[], left=["a/root"], right=["a/root"], tip=["a/left", "a/right"])
    assert found["tip"] is not None
    assert found["root"] is not None
    assert names(found["tip"].ancestors) == {"left": {"root": {}}, "right": {}}
    assert names(found["root"].descendants) == {"left": {"tip": {}}, "right": {}}


def test_a_crowd_is_cut() -> None:
    crowd = {f"n{number}": ["a/root"] for number in range(2 * MAX_SHOWN)}
    found = lineages(root=[], **crowd)
    root, leaf = found["root"], found["n0"]
    assert root is not None
    assert leaf is not None
    assert (len(root.descendants), root.is_whole) == (MAX_SHOWN, False)
    assert (names(leaf.ancestors), leaf.is_whole) == ({"root": {}}, True)


def test_pages_and_data_show_it_and_follow_it(small: Repository) -> None:
    shutil.copytree(ROOT / "site", small.path / "site")
    shutil.copy(ROOT / "mkdocs.yml", small.path / "mkdocs.yml")
    write_records(small)
    small.commit("Records")
    parent = build.build_site(small.path).folder / "benchmarks/adding/submissions/alice/right"
    assert 'id="lineage"' not in (parent / "index.html").read_text()
    based(small, BOB, "alice/right")
    small.commit("Based on alice")
    site = build.build_site(small.path).folder
    child = site / "benchmarks/adding/submissions/bob/wrong/index.html"
    link = 'href="../../../submissions/%s/"'
    assert link % "alice/right" in child.read_text().partition('id="lineage"')[2]
    # Nothing of the parent's own files has changed.
    page = (parent / "index.html").read_text().partition('id="lineage"')[2]
    assert link % "bob/wrong" in page
    data = json.loads((site / "api/v1/adding/main.json").read_text())
    assert {row["participant"]: row["based_on"] for row in data["rows"]} == {
        "alice": [], "bob": ["alice/right"],
    }  # fmt: skip
