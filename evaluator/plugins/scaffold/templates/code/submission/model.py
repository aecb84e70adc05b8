def predict(train: list[tuple[float, float]], xs: list[float]) -> list[float]:
    mean = sum(y for _, y in train) / len(train)
    return [mean for _ in xs]
