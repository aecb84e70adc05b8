"""One episode, played to its end or to the agent's failure."""

import time
from dataclasses import dataclass

from channel import Channel, LostError
from shop import InvalidActionError, Shop
from task import Limits, Task

MARGIN = 15.0
"""Seconds beyond a limit until the side that enforces it counts as gone."""

REASONS = {
    "start": "was not ready within {start:g} s",
    "decision": "took more than {decision:g} s for a decision",
    "episode": "had not ended after {episode:g} s",
    "ended": "ended before the episode did",
    "too long": "sent more than 4096 bytes for an action",
    "not json": "sent something else than an action",
    "no agent": "there is no agent.py with a class Agent or a function play",
}
"""What the agent's side may report; nothing else of what it says is passed on."""
PLACES = ("import", "Agent()", "reset", "act", "play")


@dataclass(frozen=True, kw_only=True)
class Played:
    """How an episode went."""

    makespan: int
    decisions: int
    seconds: float
    """For all decisions, measured here."""
    failure: str
    """Empty where there was none."""
    shop: Shop


def play(task: Task, episode: int, channel: Channel, limits: Limits) -> Played:
    """Play it. Raises LostError where no other episode can be played either."""
    shop = task.shop(episode)
    most = limits.decisions * sum(map(len, task.jobs))
    turn, seconds = 0, 0.0
    channel.tell(
        {"episode": episode, "breakdowns": task.seeds[episode] is not None,
         "jobs": task.jobs, "observation": shop.observe()}
    )  # fmt: skip
    patience = limits.start + limits.decision + MARGIN
    failure = ""
    while not failure and not shop.done:
        began = time.perf_counter()
        reply = channel.hear(patience)
        seconds += time.perf_counter() - began if turn else 0.0  # at first it had to start
        patience = limits.decision + MARGIN
        turn += 1
        failure = _failure(reply, limits)
        reward = 0
        if not failure:
            try:
                reward = -shop.act(reply["action"])
            except InvalidActionError:
                chosen = "an action" if task.sealed else _shown(reply["action"])
                failure = f"chose {chosen}, which the mask does not allow"
        if not failure and turn >= most and not shop.done:
            failure = f"it was the last of {most} that are allowed"
        over = bool(failure) or shop.done
        channel.tell({"observation": shop.observe(), "reward": reward, "over": over})
    # The agent's side says when all of the agent's processes have gone.
    channel.hear(MARGIN)
    return Played(
        makespan=task.worst if failure else shop.time,
        decisions=turn,
        seconds=seconds,
        failure=f"decision {turn}: {failure}" if failure else "",
        shop=shop,
    )


def forfeit(task: Task, episode: int, error: LostError) -> Played:
    """An episode that could not be played, since the agent's side has gone."""
    return Played(
        makespan=task.worst, decisions=0, seconds=0.0, failure=str(error), shop=task.shop(episode)
    )


def _failure(reply: dict, limits: Limits) -> str:
    """Say why there is no action in a reply; empty where there is one."""
    if type(reply.get("action")) is int:
        return ""
    code = reply.get("failed")
    if code == "raised" and reply.get("where") in PLACES and _is_builtin(reply.get("type")):
        return f"raised {reply['type']} in {reply['where']}"
    if code == "value" and reply.get("shown") in SHOWN:
        return f"returned {reply['shown']}, not the number of an action"
    if isinstance(code, str) and code in REASONS:
        return REASONS[code].format(**vars(limits))
    return REASONS["not json"]


SHOWN = ("None", "True", "False", "NaN", "an infinity", "a float", "text", "a list", "an object")
"""Kinds of values that are no action."""


def _is_builtin(name: object) -> bool:
    import builtins

    found = getattr(builtins, name, None) if isinstance(name, str) else None
    return name == "an exception" or (isinstance(found, type) and issubclass(found, BaseException))


def _shown(action: int) -> str:
    return str(action) if abs(action) < 10**6 else "a huge number"
