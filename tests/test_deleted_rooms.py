"""What a deleted folder would have done is refused, with the name of what is missing."""

import hashlib

import pytest

from evaluator.ci.plugin import PLUGIN as CI
from evaluator.core.cli.evaluation import MERGE
from evaluator.core.errors import UsageError
from evaluator.core.scores import running
from evaluator.core.scores.sealing import SEAL
from evaluator.importing.plugin import PLUGIN as IMPORTING
from evaluator.plugins.cited_scores.plugin import PLUGIN as CITED_SCORES
from evaluator.plugins.feedback.plugin import PLUGIN as FEEDBACK
from evaluator.plugins.parallel.plugin import PLUGIN as PARALLEL
from tests.plugging import leave_out
from tests.repository import Repository

BUNDLE = "benchmarks/echo/competition.yaml"


def test_without_ci_nobody_answers_for_pull_requests_or_seals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leave_out(monkeypatch, CI)
    with pytest.raises(UsageError, match="nothing is installed that knows pull requests") as caught:
        MERGE.need()
    assert "evaluator/ci" in caught.value.hint
    with pytest.raises(UsageError, match="sealed and opened by 'ci', which is not installed"):
        SEAL.need()


def test_without_ci_no_other_machine_is_believed(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.write("pyproject.toml", '[tool.pullbench.executors.lab]\naddress = "tcp://localhost:1"\n')
    leave_out(monkeypatch, CI)
    with pytest.raises(UsageError, match="judged by 'ci', which is not installed"):
        running.run(small.snapshot(), [], engine="subprocess", executor="lab", lanes=1)


def platform_fault(repo: Repository, cell: str) -> str:
    error = repo.run(cell, engine="subprocess")[cell].error
    assert error is not None
    assert (error.actor, error.reason) == ("platform", "platform fault")
    return error.message


def test_without_parallel_an_agent_does_not_play(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.with_bundle("parallel")
    leave_out(monkeypatch, PARALLEL)
    cell = "play/alice/right/main/steps"
    assert "needs the plugin 'parallel'" in platform_fault(repo, cell)


def test_without_importing_private_data_are_not_found(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = hashlib.sha256(b"").hexdigest()
    entry = f"{{task: 0, file: reference_data, path: echo, sha256: {digest}}}"
    small.replace(BUNDLE, "pullbench:\n", f"pullbench:\n  private: [{entry}]\n")
    leave_out(monkeypatch, IMPORTING)
    cell = "echo/alice/same/main/echo"
    assert "found by 'importing', which is not installed" in platform_fault(small, cell)


def test_without_its_plugin_a_kind_is_refused(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    small.replace(BUNDLE, "pullbench:\n", "pullbench:\n  reported: true\n")
    leave_out(monkeypatch, CITED_SCORES)
    problem = next(one for one in small.problems() if one.key == "pullbench.reported")
    assert "needs the plugin 'cited_scores', which is not installed" in problem.message


def test_without_feedback_a_private_phase_is_refused(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "phases: {0: {shows: status, feedback: private}}"
    small.replace(BUNDLE, "pullbench:\n", f"pullbench:\n  {key}\n")
    leave_out(monkeypatch, FEEDBACK)
    problem = next(one for one in small.problems() if one.severity == "error")
    assert problem.key == "pullbench.phases[0].feedback"
    assert "needs the plugin 'feedback', which is not installed" in problem.message
