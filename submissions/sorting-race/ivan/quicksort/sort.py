"""Quicksort: three lists around the middle value, by comprehensions."""


def sort(values: list[int]) -> list[int]:
    if len(values) < 2:
        return values
    pivot = values[len(values) // 2]
    below = [value for value in values if value < pivot]
    above = [value for value in values if value > pivot]
    equal = [pivot] * (len(values) - len(below) - len(above))
    return sort(below) + equal + sort(above)
