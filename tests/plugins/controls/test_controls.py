"""A control says in advance what becomes of it; a weaker scoring program is noticed."""

import shutil

import pytest

from evaluator.core.errors import Actor
from evaluator.core.formats.record import ACTOR_OF, Reason
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.plugins.controls.keys import controls_of
from evaluator.plugins.controls.mutants import mutants
from evaluator.plugins.controls.outcomes import OUTCOMES as PLACE
from evaluator.plugins.controls.outcomes import (
    ControlOutcome,
    encode_outcomes,
    fault_of,
    read_outcomes,
)
from evaluator.plugins.controls.page import controls_page
from evaluator.plugins.controls.plugin import PLUGIN
from tests.plugging import leave_out
from tests.repository import Repository

COMPETITION, SCORER = "benchmarks/sums/competition.yaml", "benchmarks/sums/scoring_program/score.py"
OUTCOMES = "benchmarks/sums/controls/outcomes.json"
BUNDLE = """version: 2
title: Sums
image: logo.svg
terms: terms.md
pages: [{title: Overview, file: overview.md}]
docker_image: python:3.11-slim
tasks: [{index: 0, name: Sum, scoring_program: scoring_program, reference_data: reference_data}]
phases: [{index: 0, name: Main, start: 2020-01-01, tasks: [0], execution_time_limit: 20}]
leaderboards:
  - {title: Board, key: board, columns: [{title: Share, key: share, index: 0, sorting: desc}]}
pullbench:
  limits: {memory: 128 MiB, cpus: 1, pids: 32, output_size: 1 MiB, log_size: 64 KiB}
  controls:
    - {submission: controls/right, of: oracle, expect: {share: {min: 1}}}
    - {submission: controls/ones, of: random, expect: {share: {max: 0.5}}}
    - {submission: controls/short, of: cheat, class: missing-output, expect: failed}
    - {submission: controls/words, of: cheat, class: weak-matching, expect: failed}
    - {submission: controls/none, of: cheat, class: isolation, expect: refused}
    - {submission: controls/own, of: cheat, class: trusted-report, at_most: random}
    - {class: shipped-answers, why: There is no input data.}
    - {class: untrusted-input, why: Numbers are read as numbers.}
    - {class: judge-injection, why: No model judges.}
    - {class: permissions, why: No submission runs.}
"""
SCORING = """import json, pathlib, sys
source, output = map(pathlib.Path, sys.argv[1:3])
true = (source / "ref" / "true.txt").read_text().split()
given = (source / "res" / "sums.txt").read_text().split()
if len(given) != len(true):
    (output / "rejected.txt").write_text("has another number of rows")
    sys.exit("rows")
try:
    values = [float(one) for one in given]
except ValueError:
    (output / "rejected.txt").write_text("has words")
    sys.exit("words")
hits = [value == float(one) for value, one in zip(values, true)]
scores = {"share": sum(hits) / len(hits)}
(output / "scores.json").write_text(json.dumps(scores))
"""


@pytest.fixture
def sums(repo: Repository) -> Repository:
    repo.write(COMPETITION, BUNDLE)
    repo.copy_bundle("protocol")
    for name in ("logo.svg", "terms.md", "overview.md"):
        (repo.path / "benchmarks/protocol" / name).rename(repo.path / "benchmarks/sums" / name)
    shutil.rmtree(repo.path / "benchmarks/protocol")
    shutil.rmtree(repo.path / "submissions")
    repo.write(SCORER, SCORING)
    repo.write("benchmarks/sums/scoring_program/metadata.yaml",
               "command: python3 $program/score.py $input $output\n")  # fmt: skip
    repo.write("benchmarks/sums/reference_data/true.txt", "1 2 3 4\n")
    for name, text in (
        ("right", "1 2 3 4"), ("ones", "1 1 1 1"), ("short", "1"), ("words", "1 2 3 nan?"),
        ("own", "7 7 7 7"),
    ):  # fmt: skip
        repo.write(f"benchmarks/sums/controls/{name}/submission.yaml", "kind: results\n")
        repo.write(f"benchmarks/sums/controls/{name}/sums.txt", text + "\n")
    repo.write("benchmarks/sums/controls/own/scores.json", '{"share": 1}\n')
    repo.write("benchmarks/sums/controls/none/submission.yaml", "kind: results\n")
    repo.commit("Begin")
    return repo


def errors(repo: Repository) -> list[tuple[str, str]]:
    return [(item.key, item.message) for item in repo.problems() if item.severity == "error"]


def test_mistakes_are_reported_at_their_keys(sums: Repository) -> None:
    assert errors(sums) == []
    for old, new, key, message in (
        (
            "- {class: permissions, why: No submission runs.}\n",
            "",
            "",
            "of the classes permissions",
        ),
        ("class: permissions, why: No submission runs.", "class: permissions", "[9]", "'why'"),
        ("of: random, expect: {share: {max: 0.5}}", "of: random", "[1]", "'expect'"),
        ("of: cheat, class: missing-output", "of: cheat", "[2]", "'class'"),
        ("at_most: random", "at_most: baseline", "[5].at_most", "no control is of"),
        ("share: {max", "shore: {max", "[1].expect.shore", "key of no column"),
        ("controls/right", "controls/left", "[0].submission", "no submission"),
    ):
        sums.replace(COMPETITION, old, new)
        found = errors(sums)
        assert any(
            at.startswith(f"pullbench.controls{key}") and message in text for at, text in found
        ), (new, found)
        sums.write(COMPETITION, BUNDLE)


SECOND = "  - {index: 1, name: Later, start: 2020-01-02, tasks: [0], execution_time_limit: 20}\n"


def test_a_control_is_refused_for_what_its_files_are_alone(sums: Repository) -> None:
    """A mistake in its submission.yaml would make it pass in each benchmark."""
    none = "benchmarks/sums/controls/none/submission.yaml"
    for content, message in (
        ("kind: results\nphase: other\n", "phase 'other' is not there."),
        ("kind: [\n", "is not valid YAML"),
        ("kind: results\nenvironment: fast\n", "environment is for code"),
    ):  # fmt: skip
        sums.write(none, content)
        found = errors(sums)
        assert len(found) == 1, content
        ((key, said),) = found
        assert key == "pullbench.controls[4].submission"
        assert f"'controls/none' is no submission: {message}" in said
        done = sums.pullbench("controls", "sums")
        assert done.returncode != 0 and message in done.stderr
    sums.write(none, "kind: results\n")
    phase = "  - {index: 0, name: Main, start: 2020-01-01, tasks: [0], execution_time_limit: 20}\n"
    one = phase.strip().removeprefix("- ")
    first = phase.replace("01-01,", "01-01, end: 2020-01-02,")
    sums.replace(COMPETITION, f"phases: [{one}]\n", f"phases:\n{first}{SECOND}")
    messages = [message for _, message in errors(sums)]
    assert len(messages) == 6 and all("phase is missing." in one for one in messages), messages


def test_a_control_is_turned_down_by_no_fault_of_the_benchmark(sums: Repository) -> None:
    benchmark = sums.snapshot().benchmarks["sums"]
    for reason in Reason:
        outcomes = {"short": ControlOutcome(failures={"sum": reason})}
        fault = fault_of(benchmark, controls_of(benchmark), "short", outcomes)
        assert bool(fault) == (ACTOR_OF[reason] != Actor.PARTICIPANT), reason


def test_where_no_control_runs_it_ends_with_1(sums: Repository) -> None:
    text = BUNDLE.partition("  controls:")[0]
    sums.write(COMPETITION, text)
    sums.commit("No controls")
    done = sums.pullbench("controls")
    assert (done.returncode, done.stdout) == (1, "sums has no controls\nno control ran\n")


def test_without_the_plugin_the_key_is_refused(
    sums: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_out(monkeypatch, PLUGIN)
    assert any("controls" in item.key for item in sums.problems())


@pytest.mark.docker
@pytest.mark.slow
def test_a_weaker_scorer_turns_its_controls_red(sums: Repository) -> None:
    done = sums.pullbench("controls", "sums")
    assert done.returncode == 0, done.stdout + done.stderr
    assert sums.status == f"?? {OUTCOMES}"  # neither scores nor a submission
    before = sums.commit("Controls")
    assert sums.problems() == []

    # A pull request that accepts missing rows, before the controls have run again ...
    sums.replace(SCORER, "if len(given) != len(true):", "if len(given) > len(true):")
    after = sums.commit("A weaker scorer")
    assert {item.file for item in sums.problems()} == {OUTCOMES}
    assert "before a change of the scorer" in sums.problems()[0].message
    # ... with them in its job ...
    pull = ("--base", before, "--head", after, "--remote", "")
    sums.git("checkout", "--quiet", before)
    done = sums.pullbench("controls", *pull)
    assert done.returncode == 1
    assert "the control 'short' must fail, and has share 1 on 'sum'" in done.stdout
    assert sums.status == ""
    sums.git("checkout", "--quiet", "main")
    # ... and with what they came to.
    assert sums.pullbench("controls", "sums").returncode == 1
    sums.commit("Outcomes")
    assert errors(sums) == [("short", "the control 'short' must fail, and has share 1 on 'sum'")]
    # What decides no outcome runs none.
    sums.git("checkout", "--quiet", before)
    sums.write("benchmarks/sums/overview.md", "Sums\n")
    pull = ("--base", before, "--head", sums.commit("A page"), "--remote", "")
    assert sums.pullbench("controls", *pull).stdout == ""


@pytest.mark.docker
@pytest.mark.slow
def test_controls_of_a_phase_that_shows_no_scores_are_judged_and_tell_none(
    sums: Repository,
) -> None:
    phase = "pullbench:\n  phases: {0: {shows: status}}\n"
    sums.write(COMPETITION, BUNDLE.replace("pullbench:\n", phase))
    sums.commit("A course")
    assert errors(sums) == []
    done = sums.pullbench("controls", "sums")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "sums right: sum: scores that are hidden" in done.stdout
    assert "sums short: sum: failed, no details are shown" in done.stdout
    outcomes = read_outcomes((sums.path / OUTCOMES).read_bytes())
    assert outcomes is not None
    assert outcomes["right"].scores == {"sum": {}}
    assert outcomes["short"].failures == {"sum": Reason.WITHHELD}
    sums.commit("Outcomes")
    assert errors(sums) == []
    page = controls_page(
        [leaderboard_at(sums.path, "sums", phase=None, task=None, at=None)],
        {PLACE: (sums.path / OUTCOMES).read_bytes()}.get,
    )
    assert page is not None
    assert "6 controls ran, and all came" in page.sentences[1]
    # A scorer that gives everybody 1 pays, and its control says so without a number.
    sums.replace(SCORER, "value == float(one)", "True")
    done = sums.pullbench("controls", "sums")
    assert done.returncode == 1
    assert "the control 'ones' has scores that are hidden on 'sum', and must have" in done.stdout
    assert "share 1" not in done.stdout + (sums.path / OUTCOMES).read_text()


@pytest.mark.docker
@pytest.mark.slow
def test_mutants_that_no_control_notices_are_listed(sums: Repository) -> None:
    done = sums.pullbench("controls", "sums", "--mutate")
    lines = [line for line in done.stdout.splitlines() if "score.py, line" in line]
    assert any("line 5: a check is left out: short" in line for line in lines), done.stdout
    assert any("line 15: the sign is turned: right" in line for line in lines), lines
    assert any("line 11: a fault is passed over: words" in line for line in lines), lines
    assert any("NO CONTROL NOTICES" in line for line in lines), lines  # nobody writes `nan`


def test_each_way_of_weakening_gives_a_program() -> None:
    ways = {where.partition(": ")[2] for where, _ in mutants(SCORING)}
    assert ways == {
        "a check is left out", "a fault is passed over", "what is no number is 0",
        "the sign is turned", "the first file is read, whatever its name",
    }  # fmt: skip
    for where, weaker in mutants("if a:\n    pass\nelif b:\n    raise ValueError\nprint('é')\n"):
        compile(weaker, where, "exec")


def test_the_page_says_what_was_expected_and_what_came_out(sums: Repository) -> None:
    board = leaderboard_at(sums.path, "sums", phase=None, task=None, at=None, source=None)
    turned_down = ControlOutcome(failures={"sum": "predictions refused"})
    one, none = (ControlOutcome(scores={"sum": {"share": share}}) for share in (1, 0))
    became = {"right": one, "ones": none, "short": turned_down, "words": turned_down,
              "none": ControlOutcome(refused="is alone"), "own": one}  # fmt: skip
    pays = encode_outcomes(became)
    better = "The control 'own' pays: it has share 1 on 'sum', better than 'ones' with share 0."
    held = encode_outcomes({**became, "own": turned_down})
    for content, said, chip in (
        (None, "They have not run yet.", ""),
        (b"[", "They have not run yet.", ""),
        (pays, better, "5 of 6 controls held"),
        (held, "6 controls ran, and all came", "6 of 6 controls held"),
    ):
        page = controls_page([board], {PLACE: content}.get if content else lambda _: None)
        assert page is not None
        assert (said in page.sentences[1], page.chip) == (True, chip)
    assert page is not None
    assert page.tables[0].lines[0] == ["right", "oracle", "share at least 1", "sum: share 1"]
    assert page.tables[1].lines[-1] == ["permissions", "No submission runs."]
    sums.replace(COMPETITION, "key: board,", "key: board, hidden: true,")
    hidden = leaderboard_at(sums.path, "sums", phase=None, task=None, at=None, source=None)
    page = controls_page([hidden], {PLACE: pays}.get)
    assert page is not None
    assert "share 1" not in str((page.sentences, page.tables[0].lines))
