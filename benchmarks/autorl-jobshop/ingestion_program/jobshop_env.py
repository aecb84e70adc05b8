"""The job shop as a Gymnasium environment, over whatever plays the game: ours, or one at home."""

from typing import Protocol

import gymnasium
import numpy as np
from gymnasium import spaces

MOST = 2**31 - 1
Observation = dict[str, np.ndarray]


class Game(Protocol):
    """What knows the shop."""

    def begin(self, seed: int | None) -> tuple[dict, dict]:
        """Begin an episode; returns observation and information."""
        ...

    def act(self, action: int) -> tuple[dict, int, bool]:
        """Do it; returns observation, reward, and whether the episode is over."""
        ...


class JobShopEnv(gymnasium.Env):
    """Action ``j`` sends job j to the machine that it needs; the last action waits for an event.

    ``action_mask`` in the observation says what is allowed; anything else ends the episode. The
    reward of a step is minus the time that passed, so that rewards add up to minus the makespan.
    """

    metadata = {"render_modes": []}

    def __init__(self, game: Game, *, jobs: int, machines: int) -> None:
        self._game = game
        self.action_space = spaces.Discrete(jobs + 1)

        def row(size: int, low: int, high: int) -> spaces.Box:
            return spaces.Box(low, high, (size,), np.int64)

        self.observation_space = spaces.Dict(
            {
                "time": row(1, 0, MOST),
                "next_operation": row(jobs, 0, machines),
                "machine": row(jobs, -1, machines - 1),
                "duration": row(jobs, 0, MOST),
                "left": row(jobs, 0, MOST),
                "machine_job": row(machines, -1, jobs - 1),
                "repair": row(machines, 0, MOST),
                "action_mask": row(jobs + 1, 0, 1),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict | None = None
    ) -> tuple[Observation, dict]:
        del options  # there are none
        super().reset(seed=seed)
        observation, information = self._game.begin(seed)
        return _arrays(observation), information

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict]:
        observation, reward, over = self._game.act(action)
        return _arrays(observation), float(reward), over, False, {}


def _arrays(observation: dict) -> Observation:
    return {key: np.atleast_1d(np.array(value, np.int64)) for key, value in observation.items()}
