"""Of the operations that may start, that of the job with the most work before it."""


class Agent:
    def reset(self, observation, info):
        self.durations = info["durations"]

    def act(self, observation):
        ready = [job for job, allowed in enumerate(observation["action_mask"][:-1]) if allowed]
        return max(ready, key=lambda job: self.work(job, observation))

    def work(self, job, observation):
        return sum(self.durations[job][observation["next_operation"][job] :])
