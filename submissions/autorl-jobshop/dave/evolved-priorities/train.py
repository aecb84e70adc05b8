"""Find the weights by an evolution strategy on random shops; writes weights.json.

Usage: python3 train.py BENCHMARK, where BENCHMARK is the folder benchmarks/autorl-jobshop.
Standard library alone; a few minutes on one core. Instances and breakdowns are drawn here: nothing
of the benchmark's own instances or seeds is used.
"""

import json
import random
import sys
import time
from pathlib import Path

from agent import FEATURES, Agent

SEED, GENERATIONS, CHILDREN, PARENTS, SHOPS = 1, 80, 16, 5, 24
SIZES = ((6, 6), (10, 5), (10, 5), (10, 10))


def main(benchmark: Path) -> None:
    sys.path.insert(0, str(benchmark / "scoring_program"))
    from breakdowns import outages
    from shop import Shop

    def draw(source):
        jobs, machines = source.choice(SIZES)
        return [
            [
                (machine, source.randint(5, 99))
                for machine in source.sample(range(machines), machines)
            ]
            for _ in range(jobs)
        ]

    def cost(weights, jobs, seed):
        """Makespan over the least that the longest job and the fullest machine allow."""
        shop = Shop(jobs=jobs, outages=outages(jobs, seed))
        agent = Agent(weights)
        agent.reset(
            shop.observe(),
            {"machines": [[m for m, _ in job] for job in jobs],
             "durations": [[d for _, d in job] for job in jobs]},
        )  # fmt: skip
        while not shop.done:
            shop.act(agent.act(shop.observe()))
        loads = [0] * len(shop.machines)
        for job in jobs:
            for machine, duration in job:
                loads[machine] += duration
        return shop.time / max(*loads, *(sum(d for _, d in job) for job in jobs))

    source = random.Random(SEED)
    check = [(draw(source), f"check/{number}") for number in range(80)]

    def judge(weights, shops):
        return sum(cost(weights, jobs, seed) for jobs, seed in shops) / len(shops)

    began = time.perf_counter()
    mean, step = [0.0] * len(FEATURES), 0.5
    mean[1] = 1.0  # begins as most work remaining
    best, curve = mean, [judge(mean, check)]
    for generation in range(GENERATIONS):
        shops = [(draw(source), f"{generation}/{number}") for number in range(SHOPS)]
        children = [[w + step * source.gauss(0, 1) for w in mean] for _ in range(CHILDREN)]
        children.sort(key=lambda child: judge(child, shops))
        mean = [sum(values) / PARENTS for values in zip(*children[:PARENTS], strict=True)]
        step *= 0.97
        if generation % 10 == 9:
            curve.append(judge(mean, check))
            best = mean if curve[-1] == min(curve) else best
            print(generation + 1, round(curve[-1], 4), flush=True)
    found = {
        "features": FEATURES,
        "weights": [round(weight, 4) for weight in best],
        "makespan over lower bound, each 10 generations": [round(value, 4) for value in curve],
        "seconds of training": round(time.perf_counter() - began),
    }
    Path(__file__).with_name("weights.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
