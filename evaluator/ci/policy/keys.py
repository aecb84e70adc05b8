"""Keys of a policy, in bundles and in ``[tool.pullbench]``, read from the base commit alone."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, field_validator

from evaluator.ci.policy.reviews import REVIEWS
from evaluator.core.errors import counted
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import KINDS
from evaluator.core.formats.parsing import NameIn, Strict
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.settings import Settings

Who = Literal["never", "returning", "everyone"]
"""``returning`` participants have an entry on the base branch that runs code, and none of theirs
was disqualified: their first such entry was approved by a person."""
_WHEN = {"everyone": "", "returning": ", once an entry of yours that ran code has a score"}
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
OpenEntries = Annotated[int, Field(ge=1)]
"""``open_entries`` of a phase: how many unmerged open pull requests each party may have there."""


class Daily(Strict):
    """What may be spent in 24 hours without a person; None is no limit."""

    benchmark: _Amount | None = None
    """By all participants together."""
    participant: _Amount | None = None
    """By each, with their team."""


class Policy(Strict):
    """``pullbench: policy:`` of a bundle; without one a person approves and merges everything."""

    approve: dict[Annotated[str, NameIn(KINDS)], Who] = {}
    """Kind of a submission -> whose entries are evaluated without an organiser."""
    minutes_per_day: Daily = Daily()
    """Minutes of machines."""
    screen: str = ""
    """Folder of a program of the bundle that reads an entry before any approval counts."""
    merge: bool = False
    """Whether an entry is merged by itself if its status is green and it changes only its own
    folder."""

    @field_validator("screen")
    @classmethod
    def _is_run(cls, value: str) -> str:
        if value and "screen" not in REVIEWS:
            raise ValueError("needs the plugin 'screening', which is not installed")
        return value


def policy_rules(benchmark: Benchmark, phase: Phase) -> Iterator[str]:
    policy, most = policy_of(benchmark), phase.of_plugins.get("open_entries")
    daily = policy.minutes_per_day
    budgets = [
        f"{minutes:g} for {who}"
        for minutes, who in ((daily.participant, "each participant"), (daily.benchmark, "all"))
        if minutes is not None
    ]
    daily_minutes = " and ".join(budgets).replace(" for", " minutes of machines a day for", 1)
    within = f", within {daily_minutes}" if budgets else ""
    for who, when in _WHEN.items():
        kinds = [kind for kind, whose in policy.approve.items() if whose == who]
        if kinds:
            yield f"A policy approves entries of kind {' and '.join(kinds)}{when}{within}."
    others = "every other entry" if {*policy.approve.values()} - {"never"} else "each entry"
    yield f"An organiser approves {others} before it is evaluated."
    if policy.screen:
        yield "A program of the benchmark reads each entry before it is approved."
    if policy.merge:
        yield "CI merges an entry with a green status."
    if most is not None:
        yield f"You may have {counted(most, 'open pull requests')} at once; later ones wait."


class PolicySettings(Strict):
    """``[tool.pullbench.policy]``."""

    stop: str = ""
    """Emergency stop: a public reason, and then everything waits for a person."""


def reason_to_stop(settings: Settings) -> str:
    """Why no policy counts now; empty if all do."""
    deployment: PolicySettings | None = settings.of_plugins.get("policy")
    return deployment.stop if deployment else ""


def policy_of(benchmark: Benchmark) -> Policy:
    policy: Policy = benchmark.of_plugins.get("policy", Policy())
    return policy
