"""The workflows say nothing to pullbench that it does not listen to."""

import click
import pytest

from evaluator.ci.steps.reports import APPROVAL_LABEL
from evaluator.core.cli import cli
from evaluator.core.formats.pinned_files import DATA_IDENTITY, UNLOCKED
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.scores.uploads import DIGESTS_VARIABLE, JOB_VARIABLE
from evaluator.importing.handed_over import PREDICTED_VARIABLE
from evaluator.plugins.attest.signing import KEY_VARIABLE as SIGNING_KEY
from evaluator.site.build.carried import KEY_VARIABLE
from tests.workflows.rules import Workflows, steps
from tests.workflows.test_static import read

UNLISTED = {
    "GITHUB_TOKEN", "PULLBENCH_TOKEN", "PULLBENCH_MERGE_TOKEN", SEAL_IDENTITY, KEY_VARIABLE,
    SIGNING_KEY, JOB_VARIABLE, DIGESTS_VARIABLE, PREDICTED_VARIABLE, DATA_IDENTITY, UNLOCKED,
}  # fmt: skip


def calls(workflows: Workflows) -> list[tuple[str, frozenset[str]]]:
    """Command -> variables that it is given, for each step that calls pullbench."""
    return [
        (step["run"].removeprefix("pullbench "), frozenset(step.get("env", {})))
        for _, step in steps(workflows)
        if step.get("run", "").startswith("pullbench ")
    ]


def find(line: str) -> click.Command:
    """The command that a line calls; its options must be its own."""
    command: click.Command = cli
    words = line.split()
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words.pop(0))
        if found is None:
            raise KeyError(line)
        command = found
    command.make_context(line, words, resilient_parsing=True)
    known = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known
    return command


def listened_to(command: click.Command) -> set[str]:
    """Variables that a command's options come from."""
    found: set[str] = set()
    for parameter in command.params:
        names = parameter.envvar or ()
        found |= {names} if isinstance(names, str) else set(names)
    return found


def test_there_are_calls_of_each_verb() -> None:
    assert {line for line, _ in calls(read())} == {
        "validate", "controls", "unlock --from build/predicted",
        "pr receive", "pr screen --output build/screen",
        "pr approve", "pr approve --verdicts build/screen", "run --output build/records",
        "pr finish --from build/records", "pr comment",
        "pr download --output build/entry/dropped.json",
        "pr enter --from build/entry/dropped.json", "collect", "collect --from build/records",
        "site --queue build/queue.json",
        "overdue", "pr queue", "pr list --output build/queue.json",
        "reproduce --sample 5 --random --strict --output build/compared/compared.json",
        "attest --by CI build/compared/compared.json", "unseal --output build/opened",
        "unseal --from build/opened",
    }  # fmt: skip


@pytest.mark.parametrize(("line", "given"), calls(read()))
def test_a_call(line: str, given: frozenset[str]) -> None:
    assert given - UNLISTED <= listened_to(find(line))


def test_a_variable_that_nobody_reads_is_noticed() -> None:
    assert not listened_to(find("validate")) >= {"PULLBENCH_HAED"}
    with pytest.raises(KeyError):
        find("pr recieve")


def test_the_label_is_the_one_that_is_taken_off() -> None:
    """The workflow cannot read the setting, so its default is what both must say."""
    approve = read()["evaluate"]["jobs"]["approve"]
    assert f"label.name == '{APPROVAL_LABEL}'" in approve["if"]
