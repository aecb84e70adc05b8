"""``pullbench: controls:`` of a bundle: submissions whose outcome is known in advance."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from evaluator.core.errors import Actor, Problem, errors_in, nearest, some_of
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.parsing import Strict
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.controls.outcomes import (
    OUTCOMES,
    fault_of,
    parse_control,
    read_outcomes,
    trials,
)

Kind = Literal["baseline", "random", "oracle", "empty", "cheat"]
Weakness = Literal[
    "isolation", "shipped-answers", "untrusted-input", "judge-injection", "weak-matching",
    "missing-output", "trusted-report", "permissions",
]  # fmt: skip
"""Ways in which benchmarks pay for no work, after BenchJack (arXiv:2605.12673)."""
_Number = Annotated[float, Field(allow_inf_nan=False)]


class Bounds(Strict):
    """Between which values a score lies, ends included."""

    min: _Number | None = None
    max: _Number | None = None


class Control(Strict):
    """A submission and what becomes of it, or why a class of cheats cannot apply."""

    submission: str = ""
    """Its folder in the bundle."""
    of: Kind | None = None
    weakness: Weakness | Literal["all"] | None = Field(None, alias="class")
    """``all`` if no class applies."""
    expect: Literal["refused", "failed"] | dict[str, Bounds] | None = None
    """Bounds are by key of the column, and hold on each task."""
    at_most: Kind | None = None
    """It may have no better value in the primary column than the control of that kind."""
    why: Annotated[str, Field(max_length=500)] = ""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not self.submission:
            if not (self.weakness and self.why) or self.of or self.expect or self.at_most:
                raise ValueError("needs 'submission', or else 'class' and 'why' alone")
        elif self.of is None or (self.expect is None) == (self.at_most is None):
            raise ValueError("needs 'of', and either 'expect' or 'at_most'")
        elif self.weakness == "all" or (self.of == "cheat" and self.weakness is None):
            raise ValueError("is a cheat and needs its 'class'")
        return self

    @property
    def folder(self) -> str:
        return self.submission.removeprefix("./").rstrip("/")

    @property
    def name(self) -> str:
        return self.folder.rpartition("/")[2]


Controls = list[Control]


def controls_of(benchmark: Benchmark) -> dict[str, Control]:
    """Those that are submissions, by name."""
    entries: Controls = benchmark.of_plugins.get("controls", [])
    return {one.name: one for one in entries if one.submission}


def check_controls(snapshot: Snapshot, prefixes: Sequence[str] = ()) -> Iterator[Problem]:
    """Report controls that cannot be run, pay, or ran with another scorer, data or image."""
    for benchmark in snapshot.benchmarks.values():
        if prefixes and not f"{benchmark.path}/".startswith(tuple(prefixes)):
            continue
        faults = [*control_problems(snapshot, benchmark)]
        yield from faults
        # Those of a pull request run in the job *controls*.
        if not faults and not prefixes and controls_of(benchmark):
            yield from outcome_problems(snapshot, benchmark)


def control_problems(snapshot: Snapshot, benchmark: Benchmark) -> Iterator[Problem]:
    """Report controls that cannot be run, or would say nothing."""
    entries: Controls = benchmark.of_plugins.get("controls", [])
    for at, message, hint in _faults(snapshot, benchmark, entries) if entries else ():
        yield benchmark.problem(f"pullbench.controls{at}", message, hint)


def _faults(
    snapshot: Snapshot, benchmark: Benchmark, entries: Controls
) -> Iterator[tuple[str, str, str]]:
    named = {one.weakness for one in entries}
    missing = [one for one in get_args(Weakness) if one not in named]
    if missing and "all" not in named:
        yield "", f"says nothing of the classes {', '.join(missing)}", (
            "Add a control of each class, or an entry with 'class' and 'why' it cannot apply."
        )  # fmt: skip
    controls = controls_of(benchmark)
    kinds = {one.of for one in controls.values()}
    for index, one in enumerate(entries):
        at = f"[{index}]"
        if not one.submission:
            continue
        if controls[one.name] is not one:
            yield f"{at}.submission", f"two controls have the name '{one.name}'", "Rename one."
        if one.at_most and one.at_most not in kinds:
            yield f"{at}.at_most", f"no control is of '{one.at_most}'", "Add one."
        submission, problems = parse_control(snapshot.tree, benchmark, one.folder)
        errors = errors_in(problems)
        if one.expect == "refused":
            # Only its files test the benchmark: what submission.yaml says is the control's own.
            errors = [p for p in errors if p.key or p.message.startswith("is not ")]
        if errors:
            reason = f"{errors[0].key} {errors[0].message}".strip()
            yield f"{at}.submission", f"'{one.submission}' is no submission: {reason}", (
                f"Correct its submission.yaml: {errors[0].hint}" if errors[0].key
                else "Give the path of a folder in the bundle that is one."
            )  # fmt: skip
            continue
        if submission is None or one.expect == "refused":
            continue
        if submission.kind.brings_data:
            yield f"{at}.submission", "is a data set", "Give another submission."
        keys = benchmark.boards[submission.phase].score_keys
        for key in one.expect if isinstance(one.expect, dict) else ():
            if key not in keys:
                yield f"{at}.expect.{key}", "is the key of no column", nearest(key, keys, "")


def outcome_problems(snapshot: Snapshot, benchmark: Benchmark) -> Iterator[Problem]:
    """Report outcomes in the bundle that are not as expected, or not of what it is now."""
    file = f"{benchmark.path}/{OUTCOMES}"
    outcomes = read_outcomes(snapshot.tree.read([file]).get(file, b""))
    run = f"Run `pullbench controls {benchmark.name}` and commit {file}."
    if outcomes is None:
        message = "the controls have not run"
        yield benchmark.problem("pullbench.controls", message, run, severity="warning")
        return
    controls = controls_of(benchmark)
    now = trials(snapshot.tree, benchmark, controls.values())
    stale = [name for name in controls if name not in outcomes or now[name] != outcomes[name].keys]
    if stale:
        yield Problem(
            file=file, hint=run, actor=Actor.ORGANISER,
            message="is of before a change of the scorer, the data, the image or the control: of "
            f"{some_of(stale)}",
        )  # fmt: skip
        return
    for name in controls:
        fault = fault_of(benchmark, controls, name, outcomes)
        if fault:
            yield Problem(
                file=file, key=name, message=f"the control '{name}' {fault}",
                hint="Mend the scoring program, then run it again.", actor=Actor.ORGANISER,
            )  # fmt: skip
