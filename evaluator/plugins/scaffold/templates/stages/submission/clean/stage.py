from statistics import median


def run(train: list[tuple[float, float]]) -> list[tuple[float, float]]:
    limit = 10 * median(abs(y) for _, y in train)
    return [(x, y) for x, y in train if abs(y) <= limit]
