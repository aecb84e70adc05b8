"""The page of detailed results: every episode, and time lines of some."""

from html import escape

from episode import Played
from gantt import Down, Segment, as_table, gantt
from task import Task

COLOURS = "".join(f".j{n}{{fill:hsl({n * 36 + (n % 2) * 18},65%,72%)}}" for n in range(10))
STYLE = (
    """\
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:.5rem;color:#1a1a1a;background:#fff}
h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.2rem .6rem .2rem 0;text-align:left;vertical-align:top}
.wide{overflow-x:auto}
svg{display:block;width:100%;min-width:48rem;height:auto;font:14px system-ui,sans-serif}
svg text{fill:#1a1a1a}
.names{text-anchor:middle}
svg .names text{fill:#111}
.job{stroke:#333;stroke-width:.7}
.down{fill:#777}
summary{cursor:pointer}
@media (prefers-color-scheme:dark){
body{color:#eee;background:#16181d}svg text{fill:#eee}.job{stroke:#000}.down{fill:#999}}
"""
    + COLOURS
)
KEY = (
    "Each line is a machine, each bar an operation with the number of its job. Grey: the machine "
    "is down."
)
SEALED = (
    "Time lines with breakdowns are not shown: they would tell the sealed seeds. What the agent "
    "writes is not in the log for the same reason."
)


def make_page(task: Task, played: list[Played]) -> str:
    """Make the page."""
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(task.name)}</title><style>{STYLE}</style></head><body>",
        f"<p>{escape(task.name)}: {len(task.jobs)} jobs on {task.machines} machines. Least "
        f"makespan without breakdowns: {task.optimum}.</p>",
        _episodes(task, played),
        f"<p>{KEY}</p>",
        *(
            _time_line(task, number, played[number], title)
            for number, title in _shown(task, played)
        ),
        _optimum(task),
    ]
    if task.sealed:
        parts.append(f"<p>{SEALED}</p>")
    return "\n".join(parts) + "</body></html>\n"


def _episodes(task: Task, played: list[Played]) -> str:
    rows = []
    for number, one in enumerate(played):
        kind = "none" if task.seeds[number] is None else f"{len(_downs(one))}"
        if task.sealed and task.seeds[number] is not None:
            kind = "sealed"
        end = (
            f"failed, counts as {one.makespan}. {one.failure}" if one.failure else str(one.makespan)
        )
        rows.append(
            f'<tr><th scope="row">{number}</th><td>{kind}</td><td>{escape(end)}</td>'
            f"<td>{task.gap(one.makespan):.2f}</td><td>{one.decisions}</td></tr>"
        )
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("Episode", "Breakdowns", "Makespan", "Gap, %", "Decisions")
    )
    return (
        '<div class="wide" role="region" aria-label="Episodes" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _shown(task: Task, played: list[Played]) -> list[tuple[int, str]]:
    """Episodes with a time line: those without breakdowns, the best, and the worst otherwise."""
    open_to_all = [
        number
        for number, one in enumerate(played)
        if one.shop.segments and not (task.sealed and task.seeds[number] is not None)
    ]
    found = [(number, "without breakdowns") for number in open_to_all if task.seeds[number] is None]
    broken = sorted(
        (number for number in open_to_all if task.seeds[number] is not None),
        key=lambda number: played[number].makespan,
    )
    if broken:
        found.append((broken[0], "the best with breakdowns"))
    if len(broken) > 1:
        found.append((broken[-1], "the worst with breakdowns"))
    return found


def _time_line(task: Task, number: int, one: Played, title: str) -> str:
    segments = list(one.shop.segments)
    for machine, at in enumerate(one.shop.machines):  # where it failed: what was being worked on
        if at.job is not None and at.repaired is None and at.since < one.shop.time:
            segments.append((at.job, machine, at.since, one.shop.time))
    until = max(one.shop.time, *(end for *_, end in segments))
    heading = f"Episode {number}, {title}: " + (
        f"failed at {one.shop.time}" if one.failure else f"makespan {one.makespan}"
    )
    return _figure(task, heading, segments, _downs(one), until, f"episode-{number}")


def _downs(one: Played) -> list[Down]:
    return [
        (machine, start, end) for machine, start, end in one.shop.downs if start < one.shop.time
    ]


def _optimum(task: Task) -> str:
    segments = [
        (job, machine, start, start + duration)
        for job, (operations, starts) in enumerate(zip(task.jobs, task.starts, strict=True))
        for (machine, duration), start in zip(operations, starts, strict=True)
    ]
    heading = f"A best schedule without breakdowns: makespan {task.optimum}"
    return _figure(task, heading, segments, [], task.optimum, "optimum")


def _figure(
    task: Task, heading: str, segments: list[Segment], downs: list[Down], until: int, name: str
) -> str:
    drawn = gantt(heading, task.machines, segments, downs, until=until, name=name)
    return (
        f"<h2>{escape(heading)}</h2>"
        f'<div class="wide" role="region" aria-label="{escape(heading)}" tabindex="0">{drawn}</div>'
        f"<details><summary>As text</summary>{as_table(task.machines, segments, downs)}</details>"
    )
