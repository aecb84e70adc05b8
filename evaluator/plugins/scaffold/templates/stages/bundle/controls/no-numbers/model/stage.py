def run(_: list[tuple[float, float]], xs: list[float]) -> list[float]:
    return [float("nan") for _ in xs]
