"""Returns nothing."""


def sort(values: list[int]) -> list[int]:
    return []
