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


def main() -> None:
    known = json.loads(FILE.read_text(encoding="ascii"))
    for name, instance in known.items():
        instance["starts"], bound = solve(instance["jobs"], 600)
        print(f"{name}: at least {bound}, {instance['optimum']} in the literature", flush=True)
    lines = (f'"{name}": {json.dumps(instance)}' for name, instance in known.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


if __name__ == "__main__":
    main()
