"""The process in which an agent plays one episode. ``agent_side.py`` starts it, and ends it.

Usage: agent_process.py SOCKET SUBMISSION, where SOCKET is the number of an open file.
"""

import builtins
import importlib
import importlib.util
import json
import math
import operator
import socket
import sys
import traceback
from pathlib import Path


class FailedError(Exception):
    """What is told of a failure."""

    def __init__(self, message: dict) -> None:
        super().__init__(message)
        self.message = message


class Game:
    """The episode, from the agent's end."""

    def __init__(self, number: int) -> None:
        self._line = socket.socket(fileno=number)
        self._file = self._line.makefile("rwb")
        self.start = self._hear()
        self.where = "import"

    def _hear(self) -> dict:
        return json.loads(self._file.readline())

    def tell(self, message: dict) -> None:
        self._file.write(json.dumps(message).encode() + b"\n")
        self._file.flush()

    def begin(self, seed: int | None) -> tuple[dict, dict]:
        """Say that the agent is ready; returns observation and information. Once only."""
        del seed  # the environment alone draws
        if self.where == "play" and "observation" not in self.start:
            raise RuntimeError("there is one episode, which has begun")
        self.tell({"ready": True})
        return self.start.pop("observation"), information(self.start)

    def act(self, action: object) -> tuple[dict, int, bool]:
        """Do it; returns observation, reward, and whether the episode is over."""
        try:
            number = operator.index(action)  # of NumPy's integers too, and of no float
        except TypeError:
            number = None
        if number is None or isinstance(action, bool):
            raise FailedError({"failed": "value", "shown": show(action)})
        if abs(number) > 2**31:
            number = 2**31
        self.tell({"action": number})
        state = self._hear()
        return state["observation"], state["reward"], state["over"]


def information(start: dict) -> dict:
    """What stays the same for all of an episode."""
    return {
        "episode": start["episode"],
        "breakdowns": start["breakdowns"],
        "machines": [[machine for machine, _ in job] for job in start["jobs"]],
        "durations": [[duration for _, duration in job] for job in start["jobs"]],
    }


def show(value: object) -> str:
    """One of few words for a value that is no action: an agent's own are not passed on."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        return "an infinity" if math.isinf(value) else "a float"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"


def play(game: Game, submission: Path) -> None:
    sys.path[0] = str(submission)
    if importlib.util.find_spec("agent") is None:
        raise FailedError({"failed": "no agent"})
    agent = importlib.import_module("agent")
    if hasattr(agent, "Agent"):
        game.where = "Agent()"
        player = agent.Agent()
        observation = dict(game.start["observation"])
        game.where = "reset"
        player.reset(observation, information(game.start))
        game.begin(None)
        over = False
        while not over:
            game.where = "act"
            action = player.act(observation)
            observation, _, over = game.act(action)
    elif hasattr(agent, "play"):
        from jobshop_env import JobShopEnv  # not before: it costs the time of importing Gymnasium

        sizes = game.start["jobs"]
        environment = JobShopEnv(game, jobs=len(sizes), machines=max(map(len, sizes)))
        game.where = "play"
        agent.play(environment)
        raise FailedError({"failed": "ended"})  # or it is over, and nobody listens
    else:
        raise FailedError({"failed": "no agent"})


def main(number: int, submission: Path) -> None:
    here = Path(__file__).parent
    game = Game(number)
    sys.path.append(str(here))
    try:
        play(game, submission)
    except FailedError as failed:
        game.tell(failed.message)
    except BaseException as error:
        kind = type(error).__name__
        known = getattr(builtins, kind, None) is type(error)
        traceback.print_exc()
        game.tell(
            {"failed": "raised", "where": game.where, "type": kind if known else "an exception"}
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
