"""The agent's side: a new process of the participant's for each episode, under clocks of ours.

Usage: agent_side.py SHARED SUBMISSION. It passes observations on to that process, and its actions
back to the environment. The process has no way to the environment but this one. Standard library
alone.
"""

import contextlib
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from line import MAX_ACTION, ClosedError, Line, NonsenseError, SlowError
from processes import end_all, forget, guard, is_alone

SOCKET = "environment.sock"
PATIENCE = 60.0
"""Seconds for the environment to come, and to answer."""
MAX_STATE = 2**20
PAUSE = 0.01
OUTPUT = Path("/app/output")
"""Of the container; nothing is wanted there."""


def connect(shared: Path) -> Line:
    os.chdir(shared)  # the path of a socket has 107 bytes at most
    line = socket.socket(socket.AF_UNIX)
    end = time.monotonic() + PATIENCE
    while True:
        try:
            line.connect(SOCKET)
        except (FileNotFoundError, ConnectionRefusedError):
            if time.monotonic() > end:
                sys.exit("the environment never came")
            time.sleep(PAUSE)
        else:
            return Line(line, MAX_STATE)


class Clock:
    """When the agent must have answered."""

    def __init__(self, limits: dict) -> None:
        self._limits = limits
        now = time.monotonic()
        self._end = now + limits["episode"]
        self.what = "start"
        self._until = now + limits["start"]

    def decide(self) -> None:
        """Begin a decision."""
        self.what = "decision"
        self._until = time.monotonic() + self._limits["decision"]

    @property
    def left(self) -> float:
        """Seconds."""
        if self._end < self._until:
            self.what = "episode"
        return min(self._end, self._until) - time.monotonic()


def play(environment: Line, start: dict, hello: dict, submission: Path) -> str:
    """Play one episode; returns what the agent failed by, or nothing."""
    ours, theirs = socket.socketpair()
    clock = Clock(hello["limits"])
    output = subprocess.DEVNULL if hello["quiet"] else None
    program = Path(__file__).with_name("agent_process.py")
    process = subprocess.Popen(
        [sys.executable, "-B", str(program), str(theirs.fileno()), str(submission)],
        stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        cwd="/tmp", start_new_session=True, pass_fds=(theirs.fileno(),),
    )  # fmt: skip
    theirs.close()
    agent = Line(ours, MAX_ACTION)
    reply: dict = {}
    try:
        agent.tell(start, clock.left)
        reply = agent.hear(clock.left)
        if reply == {"ready": True}:
            over = False
            while not over:
                clock.decide()
                reply = agent.hear(clock.left)
                if type(reply.get("action")) is not int:
                    break
                environment.tell({"action": reply["action"]}, PATIENCE)
                state = environment.hear(PATIENCE)
                over = state["over"]
                # Whoever has played to the end needs not be there to hear of it.
                with contextlib.suppress(ClosedError, SlowError):
                    agent.tell(state, clock.left)
            if over:
                return ""
        failure = reply
    except ClosedError:
        failure = {"failed": "ended"}
    except SlowError:
        failure = {"failed": clock.what}
    except NonsenseError as error:
        failure = {"failed": str(error)}
    finally:
        agent.close()
        end_all(process.pid)
        process.returncode = 0  # reaped by end_all
    if "failed" not in failure:
        failure = {"failed": "not json"}
    environment.tell(failure, PATIENCE)
    environment.hear(PATIENCE)
    return str(failure["failed"])


def main(shared: Path, submission: Path) -> None:
    guard()
    environment = connect(shared)
    hello = environment.hear(PATIENCE)
    for _ in range(hello["episodes"]):
        start = environment.hear(PATIENCE)
        began = time.monotonic()
        failure = play(environment, start, hello, submission)
        forget(shared, *([OUTPUT] if is_alone() else ()))
        environment.tell({"gone": True}, PATIENCE)
        end = f"failed ({failure})" if failure and not hello["quiet"] else "over"
        print(f"episode {start['episode']}: {end}, {time.monotonic() - began:.2f} s", flush=True)


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:3]))
