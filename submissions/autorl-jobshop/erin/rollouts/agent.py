"""Looks ahead: tries each operation that may start, plays on by simple rules, and takes the best.

Its model knows of breakdowns only the repairs that go on.
"""


class Agent:
    def reset(self, observation, info):
        self.jobs = [
            list(zip(machines, durations, strict=True))
            for machines, durations in zip(info["machines"], info["durations"], strict=True)
        ]
        self.work = []  # of each job: from each of its operations on
        for job in self.jobs:
            left = [0]
            for _, duration in reversed(job):
                left.append(left[-1] + duration)
            self.work.append(left[::-1])

    def act(self, observation):
        ready = [job for job, allowed in enumerate(observation["action_mask"][:-1]) if allowed]
        if len(ready) == 1:
            return ready[0]
        at, jobs, machines = self.state(observation)

        def promise(job):
            return self.look_ahead(job, list(at), list(jobs), list(machines))

        return min(ready, key=promise)

    def state(self, observation):
        """Next operation of each job, and from when on jobs and machines are free."""
        now = observation["time"]
        at = list(observation["next_operation"])
        jobs = [now] * len(at)
        machines = [now + repair for repair in observation["repair"]]
        for machine, job in enumerate(observation["machine_job"]):
            if job >= 0:
                machines[machine] += observation["left"][job]
                jobs[job] = machines[machine]
                at[job] += 1
        return at, jobs, machines

    def look_ahead(self, first, at, jobs, machines):
        self.start(first, at, jobs, machines)
        ends = [
            self.finish(rule, list(at), list(jobs), list(machines))
            for rule in (self.most_work, self.shortest)
        ]
        return min(ends), -self.work[first][at[first] - 1]

    def start(self, job, at, jobs, machines):
        machine, duration = self.jobs[job][at[job]]
        jobs[job] = machines[machine] = max(jobs[job], machines[machine]) + duration
        at[job] += 1

    def finish(self, rule, at, jobs, machines):
        """Makespan when no machine stands while an operation waits for it."""
        left = [job for job in range(len(at)) if at[job] < len(self.jobs[job])]
        while left:
            best, chosen = None, -1
            for job in left:
                machine, duration = self.jobs[job][at[job]]
                key = (max(jobs[job], machines[machine]), rule(job, at[job], duration))
                if best is None or key < best:
                    best, chosen = key, job
            self.start(chosen, at, jobs, machines)
            if at[chosen] == len(self.jobs[chosen]):
                left.remove(chosen)
        return max(jobs)

    def most_work(self, job, at, _):
        return -self.work[job][at]

    def shortest(self, _job, _at, duration):
        return duration
