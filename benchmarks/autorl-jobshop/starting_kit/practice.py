"""Play the practice at home: the same shop and the same seeds, without containers and clocks.

Usage: python3 starting_kit/practice.py AGENT_FOLDER [INSTANCE], in the bundle's folder. Agents that
play the Gymnasium environment, and ``make_env``, need the packages of requirements.txt.
"""

import importlib
import json
import sys
from itertools import count
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "scoring_program"), str(HERE.parent / "ingestion_program")]

from breakdowns import outages  # noqa: E402
from shop import InvalidActionError, Shop  # noqa: E402


class Game:
    """Episodes of one instance, as the environment plays them."""

    def __init__(self, name: str, *, breakdowns: bool = True) -> None:
        self.task = json.loads((HERE / "practice" / name / "task.json").read_text())
        self.jobs = self.task["jobs"]
        self.worst = sum(duration for job in self.jobs for _, duration in job)
        self.breakdowns = breakdowns
        self._draws = count()
        self.shop = Shop(jobs=self.jobs)

    def begin(self, seed: int | str | None = None) -> tuple[dict, dict]:
        """Begin an episode; each seed has its breakdowns, and without one they are new."""
        self.name = f"home/{next(self._draws)}" if seed is None else str(seed)
        drawn = outages(self.jobs, self.name) if self.breakdowns else ()
        self.shop = Shop(jobs=self.jobs, outages=drawn)
        return self.shop.observe(), {
            "episode": 0,
            "breakdowns": self.breakdowns,
            "machines": [[machine for machine, _ in job] for job in self.jobs],
            "durations": [[duration for _, duration in job] for job in self.jobs],
        }

    def act(self, action: int) -> tuple[dict, int, bool]:
        """Do it; what is not allowed ends the episode at the worst makespan."""
        try:
            reward = -self.shop.act(int(action))
        except InvalidActionError:
            return self.shop.observe(), min(0, self.shop.time - self.worst), True
        return self.shop.observe(), reward, self.shop.done


def make_env(name: str = "ft06", *, breakdowns: bool = True):
    """Make the Gymnasium environment, to train with: ``reset(seed=...)`` draws the breakdowns."""
    from jobshop_env import JobShopEnv

    game = Game(name, breakdowns=breakdowns)
    machines = 1 + max(machine for job in game.jobs for machine, _ in job)
    return JobShopEnv(game, jobs=len(game.jobs), machines=machines)


class _Published(Game):
    """One of the published episodes."""

    def __init__(self, name: str, episode: int) -> None:
        super().__init__(name)
        self._episode, self._seed = episode, self.task["seeds"][episode]
        self.breakdowns = self._seed is not None

    def begin(self, seed: int | str | None = None) -> tuple[dict, dict]:
        del seed
        observation, information = super().begin(self._seed or "")
        return observation, {**information, "episode": self._episode}


def play(folder: Path, name: str) -> list[float]:
    """Gap of each published episode, in per cent."""
    sys.path.insert(0, str(folder))
    agent = importlib.import_module("agent")
    gaps = []
    for episode in range(len(Game(name).task["seeds"])):
        game = _Published(name, episode)
        if hasattr(agent, "Agent"):
            player = agent.Agent()
            observation, info = game.begin()
            player.reset(observation, info)
            over = False
            while not over:
                observation, _, over = game.act(player.act(observation))
        else:
            from jobshop_env import JobShopEnv

            agent.play(JobShopEnv(game, jobs=len(game.jobs), machines=len(game.shop.machines)))
        makespan = game.shop.time if game.shop.done else game.worst
        gaps.append(100 * (min(makespan, game.worst) / game.task["optimum"] - 1))
    return gaps


if __name__ == "__main__":
    for instance in sys.argv[2:] or sorted(path.name for path in (HERE / "practice").iterdir()):
        still, *broken = play(Path(sys.argv[1]).resolve(), instance)
        print(
            f"{instance}: gap {sum(broken) / len(broken):.2f} % with breakdowns, "
            f"{still:.2f} % without"
        )
