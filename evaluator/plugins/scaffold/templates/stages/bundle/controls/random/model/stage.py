import random


def run(_: list[tuple[float, float]], xs: list[float]) -> list[float]:
    generator = random.Random(0)
    return [generator.uniform(-100, 100) for _ in xs]
