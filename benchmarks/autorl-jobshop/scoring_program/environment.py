"""The environment's side: plays all episodes of an instance against the agent, and scores them.

Usage: environment.py INPUT SHARED OUTPUT, where INPUT holds ref/task.json and res/.
"""

import json
import sys
from pathlib import Path

from channel import Channel, LostError
from curve import curves
from episode import Played, forfeit, play
from page import make_page
from task import Limits, Task, read_task

PATIENCE = 60.0
"""Seconds until the agent's side must have come."""


def play_all(task: Task, channel: Channel, limits: Limits) -> list[Played]:
    played: list[Played] = []
    try:
        channel.tell(
            {"episodes": len(task.seeds), "quiet": task.sealed,
             "limits": {"start": limits.start, "decision": limits.decision,
                        "episode": limits.episode}}
        )  # fmt: skip
        # Not at once: what was played before the line was lost counts.
        played.extend(play(task, episode, channel, limits) for episode in range(len(task.seeds)))
    except LostError as error:
        played += [forfeit(task, one, error) for one in range(len(played), len(task.seeds))]
    return played


def score(task: Task, played: list[Played]) -> dict[str, float]:
    """Means over the episodes with breakdowns, and what stands beside them."""
    broken = [one for one, seed in zip(played, task.seeds, strict=True) if seed is not None]
    still = [one for one, seed in zip(played, task.seeds, strict=True) if seed is None]
    decisions = sum(one.decisions for one in played)
    return {
        "gap": mean([task.gap(one.makespan) for one in broken]),
        "static_gap": mean([task.gap(one.makespan) for one in still]),
        "makespan": mean([one.makespan for one in broken]),
        "decisions": mean([one.decisions for one in played]),
        "failed_episodes": sum(bool(one.failure) for one in played),
        "mean_decision_milliseconds": 1000 * sum(one.seconds for one in played) / max(1, decisions),
    }


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def main(input_dir: Path, shared: Path, output_dir: Path) -> None:
    task = read_task(input_dir / "ref" / "task.json")
    try:
        channel = Channel(shared, input_dir / "res" / "metadata", PATIENCE)
    except LostError as error:
        sys.exit(f"{error}: its log says more")
    played = play_all(task, channel, Limits())
    for number, one in enumerate(played):
        kind = "no breakdowns" if task.seeds[number] is None else "breakdowns"
        end = one.failure or f"makespan {one.makespan}, {task.gap(one.makespan):.2f} % above"
        print(f"{task.name}, episode {number} ({kind}): {end}")
    (output_dir / "detailed_results.html").write_text(make_page(task, played), encoding="utf-8")
    if not task.sealed:  # breakdowns can be read off
        (output_dir / "curves.json").write_text(json.dumps(curves(task, played)) + "\n")
    (output_dir / "scores.json").write_text(json.dumps(score(task, played)) + "\n")


if __name__ == "__main__":
    main(*map(Path, (Path(argument).resolve() for argument in sys.argv[1:4])))
