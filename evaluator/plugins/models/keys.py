"""``pullbench: models:`` of a bundle: what programs may ask, where it is, and for how much."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from evaluator.core.errors import Actor, Problem, counted
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.columns import Column
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.phases import Phase, clean_path
from evaluator.core.formats.record import StepName
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot

Amount = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class TokenPrices(Strict):
    """For a million tokens, in one currency for all models of a bundle."""

    input: Amount
    output: Amount


class CellLimits(Strict):
    """What the program of one cell may spend on a model."""

    calls: Annotated[int, Field(ge=1, le=100_000)]
    tokens: Annotated[int, Field(ge=1, le=10**9)]
    """Of requests and answers together."""
    money: Amount
    """In the currency of the prices."""


class Model(Strict):
    """One model, at an ``address`` or as a ``program`` of the bundle."""

    address: str = ""
    """Without the path, such as ``https://api.openai.com``."""
    key: Annotated[str, Field(pattern="^PULLBENCH_MODEL_[A-Z0-9_]+$")] | None = None
    """Name of the variable that has the provider's key where cells run: no other is ever read."""
    program: str = ""
    """Folder with a metadata.yaml whose command answers on port 8000 of its loopback."""
    step: StepName = "ingestion"
    """Whose program asks it; that of scoring asks its judges."""
    prices: TokenPrices
    limits: CellLimits

    @model_validator(mode="after")
    def _has_one_place(self) -> "Model":
        if bool(self.address) == bool(self.program):
            raise ValueError("needs either an 'address' or a 'program'")
        if self.address:
            url = urlsplit(self.address)
            secure = url.scheme == "https" or (url.scheme == "http" and url.hostname in _LOOPBACK)
            if not (secure and url.hostname) or url.username or url.query or url.fragment:
                raise ValueError("'address' begins with https://, or http:// of this machine")
        elif self.key:
            raise ValueError("'key' belongs to an 'address'")
        return self

    def price(self, input_: int, output: int) -> float:
        return (input_ * self.prices.input + output * self.prices.output) / 1e6


Models = dict[Annotated[str, Field(pattern="^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}$")], Model]


def models_of(benchmark: Benchmark, step: StepName | None = None) -> dict[str, Model]:
    models: dict[str, Model] = benchmark.of_plugins.get("models", {})
    return {name: one for name, one in models.items() if step in (None, one.step)}


def key_part(tree: Tree, benchmark: Benchmark, step: StepName) -> object:
    """What changes answers. Prices do not, though a limit of money is a limit of answers."""
    return {
        name: [
            model.address,
            tree.digest(f"{benchmark.path}/{clean_path(model.program)}") if model.program else "",
            model.limits.calls, model.limits.tokens, repr(model.limits.money),
        ]
        for name, model in models_of(benchmark, step).items()
    }  # fmt: skip


def check_models(snapshot: Snapshot, _within: Collection[str]) -> Iterator[Problem]:
    for benchmark in snapshot.benchmarks.values():
        file = f"{benchmark.path}/{FILE_NAME}"
        for name, model in models_of(benchmark).items():
            folder = f"{benchmark.path}/{clean_path(model.program)}"
            if model.program and f"{folder}/metadata.yaml" not in snapshot.tree.entries:
                yield Problem(
                    file=file, key=f"pullbench.models.{name}.program",
                    message="names no folder with a metadata.yaml.",
                    hint="Its command starts a server on 127.0.0.1:8000.", actor=Actor.ORGANISER,
                )  # fmt: skip
        networks: dict[StepName, str] = {
            "ingestion": benchmark.network, "scoring": benchmark.scoring_network,
        }  # fmt: skip
        for step, network in networks.items():
            if models_of(benchmark, step) and network != "none":
                key = "network" if step == "ingestion" else "scoring_network"
                yield benchmark.problem(
                    "pullbench.models", "is no limit for programs that have a network.",
                    f"Take '{key}' out of the bundle.",
                )  # fmt: skip
        if models_of(benchmark, "scoring") and any(task.parallel for task in benchmark.tasks):
            yield benchmark.problem(
                "pullbench.models", "has models of scoring, which no task in parallel mode has.",
                "Let a scoring program ask them after the task.",
            )  # fmt: skip


def entry_rules(benchmark: Benchmark, _: Phase) -> Iterator[str]:
    for name, model in models_of(benchmark).items():
        limits = model.limits
        who = "A program" if model.step == "ingestion" else "The scoring program"
        yield (
            f"{who} may ask the model {name}: {counted(limits.calls, 'calls')}, "
            f"{counted(limits.tokens, 'tokens')} and {limits.money:g} of money in a cell."
        )


def spent_columns(models: Mapping[str, Model], columns: Sequence[Column]) -> Iterator[Column]:
    from evaluator.plugins.models.spent import SpentColumn  # loads numpy

    if all(model.step == "scoring" for model in models.values()):
        return
    names: tuple[tuple[Literal["calls", "tokens", "cost"], int], ...] = (
        ("calls", 0), ("tokens", 0), ("cost", 4),
    )  # fmt: skip
    for name, precision in names:
        yield Column(
            key=f"models_{name}", title=name.capitalize(), sorting="asc", precision=precision,
            hidden=columns[0].hidden, computation=None, operands=(), breaks_ties=False,
            over_tasks=True, derived=SpentColumn(what=name, models=models),
        )  # fmt: skip
