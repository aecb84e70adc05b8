"""Of the operations that may start, the one of highest priority: a weighted sum of features.

The weights were found by an evolution strategy: train.py, which wrote weights.json.
"""

import json
from pathlib import Path

FEATURES = (
    "duration", "job's work", "job's operations", "next duration", "next machine stands",
    "next machine's repair", "machine's load", "next machine's load", "duration of job's work",
)  # fmt: skip


class Agent:
    def __init__(self, weights=None):
        file = Path(__file__).with_name("weights.json")
        self.weights = weights or json.loads(file.read_text())["weights"]

    def reset(self, observation, info):
        self.machines, self.durations = info["machines"], info["durations"]
        every = [duration for job in self.durations for duration in job]
        self.mean = sum(every) / len(every)
        self.length = max(map(len, self.durations))
        self.count = 1 + max(machine for job in self.machines for machine in job)

    def act(self, observation):
        ready = [job for job, allowed in enumerate(observation["action_mask"][:-1]) if allowed]
        if len(ready) == 1:
            return ready[0]
        loads = self.loads(observation)
        return max(ready, key=lambda job: self.priority(job, observation, loads))

    def loads(self, observation):
        """Work that is to come to each machine, over the mean of all."""
        loads = [0.0] * self.count
        for job, done in enumerate(observation["next_operation"]):
            for place in range(done, len(self.durations[job])):
                loads[self.machines[job][place]] += self.durations[job][place]
        mean = sum(loads) / len(loads)
        return [load / mean for load in loads]

    def priority(self, job, observation, loads):
        features = self.features(job, observation, loads)
        return sum(map(float.__mul__, self.weights, features))

    def features(self, job, observation, loads):
        at = observation["next_operation"][job]
        machines, durations = self.machines[job], self.durations[job]
        work = sum(durations[at:])
        last = at + 1 == len(durations)
        following = None if last else machines[at + 1]
        stands = not last and observation["machine_job"][following] == -1
        return [
            durations[at] / self.mean,
            work / self.mean / self.length,
            (len(durations) - at) / self.length,
            0.0 if last else durations[at + 1] / self.mean,
            float(stands),
            0.0 if last else observation["repair"][following] / self.mean,
            loads[machines[at]],
            0.0 if last else loads[following],
            durations[at] / work,
        ]
