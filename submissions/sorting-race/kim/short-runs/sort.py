"""Binary insertion into runs of 32 values, which C moves fast; a merge sort does the rest."""

from bisect import insort

RUN = 32


def merge(left: list[int], right: list[int]) -> list[int]:
    if left[-1] <= right[0]:
        return left + right
    if right[-1] < left[0]:
        return right + left
    merged = []
    left.reverse()
    right.reverse()
    while left and right:
        merged.append(left.pop() if left[-1] <= right[-1] else right.pop())
    return merged + (left or right)[::-1]


def sort(values: list[int]) -> list[int]:
    runs: list[list[int]] = []
    for start in range(0, len(values), RUN):
        run: list[int] = []
        for value in values[start : start + RUN]:
            insort(run, value)
        runs.append(run)
    while len(runs) > 1:
        merged = [merge(a, b) for a, b in zip(runs[::2], runs[1::2], strict=False)]
        runs = merged + runs[len(merged) * 2 :]
    return runs[0]
