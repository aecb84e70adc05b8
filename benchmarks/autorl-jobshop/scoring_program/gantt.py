"""A time line of a schedule as SVG: readable without colours, without scripts, and as text."""

from collections.abc import Iterable, Sequence
from html import escape

Segment = tuple[int, int, int, int]
"""Job, machine, from, to."""
Down = tuple[int, int, int]
"""Machine, from, to."""

WIDTH, LEFT, ROW, BAR = 960, 44, 30, 24
CHARACTER = 7
"""Width that a digit needs."""


def gantt(
    title: str,
    machines: int,
    segments: Sequence[Segment],
    downs: Iterable[Down],
    *,
    until: int,
    name: str,
) -> str:
    """Draw one line for each machine; ``until`` is the makespan, ``name`` the id of the title."""
    scale = (WIDTH - LEFT - 2) / until
    height = machines * ROW + 24
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{name}">'
        f'<title id="{name}">{escape(title)}</title>'
    ]
    parts += [
        f'<text x="0" y="{_middle(machine)}">M{machine}</text>' for machine in range(machines)
    ]
    scaled = [(machine, start, min(end, until)) for machine, start, end in downs if start < until]
    if scaled:
        parts.append(_bars("down", scaled, scale))
    for job in sorted({job for job, *_ in segments}):
        own = [place for number, *place in segments if number == job]
        parts.append(_bars(f"job j{job % 10}", own, scale))
    labels = []
    for job, machine, start, end in segments:
        text = str(job)
        if (end - start) * scale >= CHARACTER * len(text):
            middle = LEFT + (start + end) / 2 * scale
            labels.append(f'<text x="{middle:.0f}" y="{_middle(machine)}">{text}</text>')
    parts.append(f'<g class="names">{"".join(labels)}</g>')
    parts.append(_axis(until, scale, machines * ROW))
    return "".join(parts) + "</svg>"


def _middle(machine: int) -> int:
    """Base line of the text of a machine's line."""
    return machine * ROW + BAR // 2 + 5


def _bars(kind: str, places: Iterable[Sequence[int]], scale: float) -> str:
    """One shape for all bars of a kind, for a page has hundreds: machine, from, to."""
    shape = []
    for machine, start, end in places:
        left, right = round(LEFT + start * scale), round(LEFT + end * scale)
        shape.append(f"M{left} {machine * ROW}h{right - left}v{BAR}h{left - right}z")
    return f'<path class="{kind}" d="{"".join(shape)}"/>'


def _axis(until: int, scale: float, top: int) -> str:
    marks = []
    for quarter in range(5):
        moment = until * quarter // 4
        anchor = "start" if quarter == 0 else "end" if quarter == 4 else "middle"
        marks.append(
            f'<text x="{LEFT + moment * scale:.0f}" y="{top + 14}" text-anchor="{anchor}">{moment}'
            "</text>"
        )
    return "".join(marks)


def as_table(machines: int, segments: Sequence[Segment], downs: Iterable[Down]) -> str:
    """The same as text: for each machine, what it does from when to when."""
    rows: list[list[tuple[int, str]]] = [[] for _ in range(machines)]
    for job, machine, start, end in segments:
        rows[machine].append((start, f"job {job} {start} to {end}"))
    for machine, start, end in downs:
        rows[machine].append((start, f"down {start} to {end}"))
    body = "".join(
        f'<tr><th scope="row">M{machine}</th><td>{", ".join(text for _, text in sorted(row))}</td>'
        "</tr>"
        for machine, row in enumerate(rows)
    )
    return f"<table><tbody>{body}</tbody></table>"
