"""Keys of a policy, in bundles and in ``[tool.pullbench]``, read from the base commit alone."""

from typing import Annotated, Literal, Self

from pydantic import Field, field_validator

from evaluator.ci.policy.reviews import REVIEWS
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import KINDS
from evaluator.core.formats.parsing import NameIn, Strict
from evaluator.core.formats.settings import Settings

Who = Literal["never", "returning", "everyone"]
"""``returning`` participants have an entry on the base branch that runs code, and none of theirs
was disqualified: their first such entry was approved by a person."""
_WHO: tuple[Who, ...] = ("never", "returning", "everyone")
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]
OpenEntries = Annotated[int, Field(ge=1)]
"""``open_entries`` of a phase: how many unmerged open pull requests each party may have there."""


class Daily(Strict):
    """What may be spent in 24 hours without a person; None is no limit."""

    benchmark: _Amount | None = None
    """By all participants together."""
    participant: _Amount | None = None
    """By each, with their team."""

    def at_most(self, ceiling: Self) -> Self:
        return self.model_copy(
            update={
                name: _least(value, getattr(ceiling, name)) for name, value in vars(self).items()
            }
        )


def _least(*amounts: float | None) -> float | None:
    return min((amount for amount in amounts if amount is not None), default=None)


class Policy(Strict):
    """``pullbench: policy:`` of a bundle; without one a person approves and merges everything."""

    approve: dict[Annotated[str, NameIn(KINDS)], Who] = {}
    """Kind of a submission -> whose entries are evaluated without an organiser."""
    minutes_per_day: Daily = Daily()
    """Minutes of machines."""
    money_per_day: Daily = Daily()
    """The same in ``currency``, by ``price_per_hour`` of the queue."""
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


class Ceiling(Strict):
    """What no bundle's policy may exceed."""

    approve: dict[Annotated[str, NameIn(KINDS)], Who] = {}
    minutes_per_day: Daily = Daily()
    money_per_day: Daily = Daily()
    merge: bool = True


class PolicySettings(Strict):
    """``[tool.pullbench.policy]``."""

    stop: str = ""
    """Emergency stop: a public reason, and then everything waits for a person."""
    default: Policy = Policy()
    """For bundles without a policy."""
    ceiling: Ceiling = Ceiling()


def policy_settings(settings: Settings) -> PolicySettings:
    deployment: PolicySettings = settings.of_plugins.get("policy", PolicySettings())
    return deployment


def policy_of(benchmark: Benchmark, settings: Settings) -> Policy:
    """A benchmark's policy, no more permissive than the deployment's ceiling."""
    deployment = policy_settings(settings)
    policy: Policy = benchmark.of_plugins.get("policy", deployment.default)
    ceiling = deployment.ceiling
    return policy.model_copy(
        update={
            "approve": {
                kind: min(who, ceiling.approve.get(kind, "everyone"), key=_WHO.index)
                for kind, who in policy.approve.items()
            },
            "minutes_per_day": policy.minutes_per_day.at_most(ceiling.minutes_per_day),
            "money_per_day": policy.money_per_day.at_most(ceiling.money_per_day),
            "merge": policy.merge and ceiling.merge,
        }
    )
