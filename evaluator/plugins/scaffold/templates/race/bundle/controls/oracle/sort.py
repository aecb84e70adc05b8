"""Python's own sort, in C."""


def sort(values: list[int]) -> list[int]:
    return sorted(values)
