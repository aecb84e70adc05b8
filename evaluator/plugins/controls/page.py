"""The page *Controls* of a benchmark: what is known in advance, and what became of it."""

from collections.abc import Callable, Sequence

from evaluator.core.errors import counted
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.controls.keys import Control, Controls, controls_of
from evaluator.plugins.controls.outcomes import OUTCOMES, became, fault_of, read_outcomes
from evaluator.site.content.insight import BoardPage, PageTable


def controls_page(
    boards: Sequence[PublicBoard], file: Callable[[str], bytes | None]
) -> BoardPage | None:
    benchmark = boards[0].benchmark
    entries: Controls = benchmark.of_plugins.get("controls", [])
    if not entries:
        return None
    controls, content = controls_of(benchmark), file(OUTCOMES)
    outcomes = read_outcomes(content or b"") or {}
    has_run = bool(controls) and outcomes.keys() >= controls.keys()
    faults = {
        name: fault_of(benchmark, controls, name, outcomes) if has_run else "" for name in controls
    }
    wrong = [f"The control '{name}' {fault}." for name, fault in faults.items() if fault]
    state = "They have not run yet." if controls else "None applies to this benchmark."
    if has_run:
        state = f"{counted(len(controls), 'controls')} ran, and all came out as expected."
    kinds = {name: one.weakness or one.of or "" for name, one in controls.items()}
    return BoardPage(
        name="Controls",
        sentences=[
            "A control is a submission whose outcome is known in advance. If a cheat gets a good "
            "score, the scoring program has a hole. Controls are on no board.",
            *(wrong or [state]),
        ],
        tables=[
            PageTable(
                title="What became of them",
                heads=[(head, False) for head in ("Control", "Kind", "Expected", "Came out")],
                lines=[
                    [name, kinds[name], _expected(one),
                     became(outcomes[name], benchmark) if has_run else "not yet"]
                    for name, one in controls.items()
                ],
            ),
            PageTable(
                title="Cheats that cannot apply",
                heads=[("Class", False), ("Why", False)],
                lines=[[one.weakness or "", one.why] for one in entries if not one.submission],
            ),
        ],
        files={"outcomes.json": content} if content else {},
        group="About",
        chip=f"{len(controls) - len(wrong)} of {counted(len(controls), 'controls')} held"
        if has_run else "",
    )  # fmt: skip


def _expected(control: Control) -> str:
    if control.at_most:
        return f"no better than {control.at_most}"
    if control.expect == "failed":
        return "turned down"
    if not isinstance(control.expect, dict):
        return control.expect or ""
    limits = [
        f"{key} at {name} {bound:g}"
        for key, bounds in control.expect.items()
        for name, bound in (("least", bounds.min), ("most", bounds.max))
        if bound is not None
    ]
    return ", ".join(limits)
