"""Any operation that may start, alike on each run."""

import random


class Agent:
    def reset(self, observation, info):
        self.number = 0

    def act(self, observation):
        ready = [job for job, allowed in enumerate(observation["action_mask"][:-1]) if allowed]
        self.number += 1
        return random.Random(self.number).choice(ready)
