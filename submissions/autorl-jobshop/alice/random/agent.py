"""Any operation that may start, each as likely as the others."""

import random


class Agent:
    def reset(self, observation, info):
        self.random = random.Random(info["episode"])

    def act(self, observation):
        ready = [job for job, allowed in enumerate(observation["action_mask"][:-1]) if allowed]
        return ready[int(self.random.random() * len(ready))]
