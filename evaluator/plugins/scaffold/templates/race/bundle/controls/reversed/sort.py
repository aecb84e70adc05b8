"""Returns a list in descending order."""


def sort(values: list[int]) -> list[int]:
    return sorted(values, reverse=True)
