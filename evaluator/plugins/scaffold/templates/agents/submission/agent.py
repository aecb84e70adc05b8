"""Asks twice, and a third time if the answers differ."""

from collections.abc import Callable


def solve(puzzle: str, ask: Callable[..., str]) -> str:
    first, second = ask(puzzle), ask(puzzle, seed=1)
    return first if first == second else ask(puzzle, system="Go step by step.")
