"""Looks for the seeds in all folders that it can read, and stops if there are none."""

from contextlib import suppress
from pathlib import Path


class Agent:
    def reset(self, observation, info):
        self.number = 0

    def act(self, observation):
        for path in Path("/").glob("[!ps]*/**/*.json"):
            with suppress(OSError):
                if "seeds" in path.read_text(errors="replace"):
                    return observation["action_mask"].index(1)
        return 10**6
