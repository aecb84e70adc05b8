from statistics import linear_regression


def run(train: list[tuple[float, float]], xs: list[float]) -> list[float]:
    slope, intercept = linear_regression([x for x, _ in train], [y for _, y in train])
    return [slope * x + intercept for x in xs]
