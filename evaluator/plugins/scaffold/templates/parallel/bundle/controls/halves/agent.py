"""Halves what is left."""


class Agent:
    def guess(self, low: int, high: int) -> int:
        return (low + high) // 2
