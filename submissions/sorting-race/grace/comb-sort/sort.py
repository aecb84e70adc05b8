"""Comb sort: bubble sort over gaps that shrink by 1.3, so that small values at the end go first."""


def sort(values: list[int]) -> list[int]:
    gap, swapped = len(values), True
    while gap > 1 or swapped:
        gap = max(1, gap * 10 // 13)
        swapped = False
        for i in range(len(values) - gap):
            if values[i] > values[i + gap]:
                values[i], values[i + gap] = values[i + gap], values[i]
                swapped = True
    return values
