"""Of the operations that may start, the shortest."""


class Agent:
    def reset(self, observation, info):
        pass

    def act(self, observation):
        ready = [job for job, allowed in enumerate(observation["action_mask"][:-1]) if allowed]
        return min(ready, key=lambda job: observation["duration"][job])
