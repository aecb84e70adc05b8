"""Solve the instances again with CP-SAT, and write schedules that reach the optima.

Needs ortools. Usage: python3 make_data/solve.py; ft10 takes minutes. Schedules of the same makespan
are many, so what it writes may differ from what is there.
"""

import json
from pathlib import Path

from ortools.sat.python import cp_model

FILE = Path(__file__).with_name("instances.json")


def solve(jobs: list[list[list[int]]], seconds: float) -> tuple[list[list[int]], int]:
    """Return the start of each operation, and the proven lower bound of the makespan."""
    model = cp_model.CpModel()
    horizon = sum(duration for job in jobs for _, duration in job)
    makespan = model.new_int_var(0, horizon, "")
    by_machine: dict[int, list] = {}
    starts = []
    for job in jobs:
        row, ready = [], 0
        for machine, duration in job:
            start = model.new_int_var(0, horizon, "")
            model.add(start >= ready)
            ready = start + duration
            work = model.new_fixed_size_interval_var(start, duration, "")
            by_machine.setdefault(machine, []).append(work)
            row.append(start)
        model.add(makespan >= ready)
        starts.append(row)
    for work in by_machine.values():
        model.add_no_overlap(work)
    model.minimize(makespan)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise SystemExit("no schedule was found")
    found = [[solver.value(start) for start in row] for row in starts]
    return found, round(solver.best_objective_bound)


def earliest(jobs: list[list[list[int]]], starts: list[list[int]]) -> list[list[int]]:
    """Start every operation as early as the order on each machine and in each job allows.

    Then each start is an event, and so a moment at which the environment asks.
    """
    order = sorted(
        (start, job, place) for job, row in enumerate(starts) for place, start in enumerate(row)
    )
    free: dict[int, int] = {}
    ready = [0] * len(jobs)
    found: list[list[int]] = [[] for _ in jobs]
    for _, job, place in order:
        machine, duration = jobs[job][place]
        start = max(ready[job], free.get(machine, 0))
        ready[job] = free[machine] = start + duration
        found[job].append(start)
    return found


def main() -> None:
    known = json.loads(FILE.read_text(encoding="ascii"))
    for name, instance in known.items():
        starts, bound = solve(instance["jobs"], 600)
        instance["starts"] = earliest(instance["jobs"], starts)
        print(f"{name}: at least {bound}, {instance['optimum']} in the literature", flush=True)
    lines = (f'"{name}": {json.dumps(instance)}' for name, instance in known.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


if __name__ == "__main__":
    main()
