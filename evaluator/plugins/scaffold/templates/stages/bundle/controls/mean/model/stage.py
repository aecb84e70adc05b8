def run(train: list[tuple[float, float]], xs: list[float]) -> list[float]:
    return [sum(y for _, y in train) / len(train) for _ in xs]
