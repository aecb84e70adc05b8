"""Insertion sort: take each element back to its place among those before it."""


def sort(values: list[int]) -> list[int]:
    for i in range(1, len(values)):
        value = values[i]
        j = i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value
    return values
