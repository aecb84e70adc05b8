"""The sort that comes with Python."""


def sort(values: list[int]) -> list[int]:
    return sorted(values)
