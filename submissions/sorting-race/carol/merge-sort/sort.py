"""Merge sort in plain Python, from the bottom up: runs of 1, 2, 4, ... elements."""


def merge(left: list[int], right: list[int]) -> list[int]:
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def sort(values: list[int]) -> list[int]:
    runs = [[value] for value in values]
    while len(runs) > 1:
        merged = [merge(a, b) for a, b in zip(runs[::2], runs[1::2], strict=False)]
        # An odd run out waits for the next pass.
        runs = merged + runs[len(merged) * 2 :]
    return runs[0]
