"""Guesses what is no number."""


class Agent:
    def guess(self, _: int, __: int) -> float:
        return float("nan")
