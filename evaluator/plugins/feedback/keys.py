"""The key ``feedback`` of a phase, and the SSH keys of the author of a pull request.

The keys are those that the forge published when the head arrived, so that a key which somebody adds
later opens nothing that came before.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from pydantic import AwareDatetime

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.ledger.ledger_notes import PULLS, Note, note_json
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.core.errors import Actor, Problem, PullbenchError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import Submission
from evaluator.core.log import complain
from evaluator.core.planning.snapshot import Snapshot

FeedbackKey = Literal["public", "private"]
"""``pullbench: phases: INDEX: feedback:``. ``private``: the author of the pull request gets what a
phase that ``shows: status`` keeps from all others."""

ADD_KEY = (
    "add an SSH key (ssh-ed25519, or ssh-rsa of 2,048 to 4,096 bits) to the account on the forge, "
    "and then comment `/retry`"
)


class PublicKeys(Note):
    """The SSH keys that the forge published for a pull request's author when a head arrived."""

    login: str
    keys: list[str]
    at: AwareDatetime


def check_feedback(snapshot: Snapshot, _: Sequence[str]) -> Iterator[Problem]:
    """Report phases with private feedback that is public, or that nobody could encrypt."""
    for benchmark in snapshot.benchmarks.values():
        for phase in benchmark.phases:
            if phase.of_plugins.get("feedback") != "private":
                continue
            faults = []
            if phase.shows != "status":
                faults.append(("shows its results to everybody", "Add `shows: status`."))
            if not snapshot.settings.seal:
                faults.append((
                    "needs a key to which runners seal the results",
                    "`pullbench keygen` makes one for [tool.pullbench] seal.",
                ))  # fmt: skip
            for fault in faults:
                yield benchmark.problem(f"pullbench.phases.{phase.index}.feedback", *fault)


def feedback_rules(_: Benchmark, phase: Phase) -> Iterator[str]:
    if is_private(phase):
        yield (
            "You alone read your scores and logs. They are encrypted to an SSH key of your account "
            "on the forge: add an ssh-ed25519 key before you enter."
        )


def is_private(phase: Phase | None) -> bool:
    feedback = phase.of_plugins.get("feedback") if phase and phase.shows == "status" else None
    return feedback == "private"


def entered_in(pull: PullRequest) -> list[Submission]:
    benchmarks = pull.after.benchmarks
    return [one for one in pull.entered if is_private(benchmarks[one.benchmark].phase(one.phase))]


def keys_path(pull: PullRequest) -> str:
    return f"{PULLS}/{pull.ref.number}/keys/{pull.head}.json"


def usable(keys: Iterable[str]) -> list[str]:
    """The keys to which age can encrypt, without their comments."""
    import pyrage  # hardly any command judges keys

    recipients = []
    for key in keys:
        text = " ".join(key.split()[:2])
        try:
            pyrage.encrypt(b"", [pyrage.ssh.Recipient.from_str(text)])
        except (pyrage.RecipientError, pyrage.EncryptError):
            continue
        recipients.append(text)
    return recipients


def note_keys(pull: PullRequest, actor: str) -> tuple[dict[str, bytes], list[Problem]]:
    """A note of the author's keys for a head without one, or a warning if there are none."""
    entered, path = entered_in(pull), keys_path(pull)
    if not entered or pull.ref.number is None or path in pull.ledger.entries:
        return {}, []
    forge = find_forge(pull.before.settings.forge)
    keys: list[str] = []
    try:
        keys = usable(forge.ssh_keys(actor)) if forge is not None else []
    except PullbenchError as error:  # the arrival counts all the same
        complain(f"{error.message}. {error.hint}")
    if keys:
        return {path: note_json(PublicKeys(login=actor, keys=keys, at=pull.now))}, []
    problem = Problem(
        file=entered[0].path, severity="warning", actor=Actor.PARTICIPANT,
        message="scores and logs will be encrypted to its author, and the forge has no SSH key of "
        f"{actor} that age supports", hint=f"To read them, {ADD_KEY}.",
    )  # fmt: skip
    return {}, [problem]
