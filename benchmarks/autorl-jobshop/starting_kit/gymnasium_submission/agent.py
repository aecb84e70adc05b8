"""Most work remaining, as a function that plays the Gymnasium environment."""

import numpy as np


def play(env):
    observation, info = env.reset()
    durations = [np.array(job) for job in info["durations"]]
    over = False
    while not over:
        ready = np.flatnonzero(observation["action_mask"][:-1])
        work = [durations[job][observation["next_operation"][job] :].sum() for job in ready]
        observation, _, terminated, truncated, _ = env.step(ready[np.argmax(work)])
        over = terminated or truncated
